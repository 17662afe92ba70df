"""`runtime.io`: files, and tensors as bytes."""

from typing import NoReturn

from runtime.core import namespaces
from runtime.io.examples import FixedLenFeature as FixedLenFeature
from runtime.io.examples import FixedLenSequenceFeature as FixedLenSequenceFeature
from runtime.io.examples import VarLenFeature as VarLenFeature
from runtime.io.examples import decode_proto as decode_proto
from runtime.io.examples import parse_example as parse_example
from runtime.io.examples import parse_single_example as parse_single_example
from runtime.io.examples import parse_single_sequence_example as parse_single_sequence_example
from runtime.io.files import read_file as read_file
from runtime.io.images import decode_jpeg as decode_jpeg
from runtime.io.images import decode_png as decode_png
from runtime.io.images import encode_jpeg as encode_jpeg
from runtime.io.raw_bytes import decode_raw as decode_raw
from runtime.io.records import TFRecordOptions as TFRecordOptions
from runtime.io.records import TFRecordWriter as TFRecordWriter
from runtime.io.tables import decode_csv as decode_csv
from runtime.io.tensors import parse_tensor as parse_tensor
from runtime.io.tensors import serialize_tensor as serialize_tensor

_SPARSE = ("deserialize_many_sparse", "serialize_many_sparse", "serialize_sparse")


def __getattr__(name: str) -> NoReturn:
    """Explain what is left out. Raises AttributeError."""
    text = f"module 'runtime.io' has no attribute {name!r}"
    if name in _SPARSE:
        text += ": tensors are dense here. Use `io.serialize_tensor`."
    raise AttributeError(text, name=name)


def __dir__() -> list[str]:
    """Return the public names."""
    return namespaces.public_names(globals())
