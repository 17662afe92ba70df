"""Elements in files, as `Dataset.save`, `cache(filename)` and `snapshot` keep them.

A file of elements is a record file. Its first record is a JSON text with the element spec; each
further record is one component, as the bytes of a `TensorProto`. A file appears under its name
when it is complete.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import numpy as np

from runtime.core import dtypes, nest
from runtime.core.errors import DataLossError, FailedPreconditionError, NotFoundError
from runtime.core.spec import TensorSpec, spec_of
from runtime.data.pipelines import UNKNOWN, Element, Pipeline
from runtime.export.messages import TensorProto
from runtime.export.tensors import array_of
from runtime.io import file_system
from runtime.io.records import TFRecordWriter, records
from runtime.io.tensors import serialize_array

_FILE = "elements.tfrecord"


def file_of(directory: file_system.Named) -> str:
    """Return the file that `Dataset.save` and `snapshot` write in a directory."""
    return os.path.join(file_system.text_of(directory), _FILE)


def spec_text(spec: Any) -> str:
    """Return an element spec as JSON.

    Raises:
      TypeError: for elements that hold anything but tensors, tuples, and dicts with text as keys.

    >>> spec_text((spec_of(dtypes.int32, ()), {"a": spec_of(dtypes.string, None)}))
    '[{"dtype": "int32", "shape": []}, {"parts": {"a": {"dtype": "string", "shape": null}}}]'
    """
    return json.dumps(_plain(spec))


def _plain(spec: Any) -> Any:
    if isinstance(spec, TensorSpec):
        return {"dtype": spec.dtype.name, "shape": None if spec.dims is None else list(spec.dims)}
    if type(spec) is tuple:
        return [_plain(part) for part in spec]
    if isinstance(spec, dict) and all(isinstance(key, str) for key in spec):
        return {"parts": {key: _plain(part) for key, part in spec.items()}}
    raise TypeError(
        "Elements in files are tensors, tuples, and dicts with text as keys, but there is "
        f"{spec!r}: convert the elements by `map`."
    )


def _spec(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_spec(part) for part in plain)
    if "parts" in plain:
        return {key: _spec(part) for key, part in plain["parts"].items()}
    shape = plain["shape"]
    return spec_of(dtypes.as_dtype(plain["dtype"]), None if shape is None else tuple(shape))


def saved_spec(directory: file_system.Named, compression: str) -> Any:
    """Return the element spec of a dataset that was saved.

    Raises:
      NotFoundError: if there is no complete one.
    """
    path = file_of(directory)
    if not os.path.exists(path):
        raise NotFoundError(
            None, None, f"No dataset was saved to {file_system.text_of(directory)}: no {path}."
        )
    return _spec(_header(path, records(path, compression)))


def _header(path: str, found: Iterator[bytes]) -> Any:
    try:
        return json.loads(next(found, b""))
    except ValueError as error:
        text = f"{path}: the first record is no element spec: {error}"
        raise DataLossError(None, None, text) from None


def read(path: str, compression: str, components: int, count: int = UNKNOWN) -> Pipeline:
    """Return the elements in a file."""
    return Pipeline(lambda: _elements(path, compression, components), count)


def _elements(path: str, compression: str, components: int) -> Iterator[Element]:
    found = records(path, compression)
    _header(path, found)
    while (first := next(found, None)) is not None:
        rest = [next(found, None) for _ in range(components - 1)]
        if None in rest:
            raise DataLossError(None, None, f"{path}: the last element is not complete.")
        yield tuple(map(_array, (first, *rest)))


def _array(data: bytes | None) -> Any:
    array = array_of(TensorProto.FromString(data or b""))
    return array[()] if array.ndim == 0 else array


def write(path: str, spec: Any, elements: Iterator[Element], compression: str) -> Iterator[Element]:
    """Yield elements and write them to a file, which appears when they are all there.

    Args:
      path: the file; directories above it are created.
      spec: element spec.
      elements: to be written.
      compression: "GZIP" or "".
    """
    text = spec_text(spec)
    file_system.makedirs(os.path.dirname(path) or ".")
    unfinished = f"{path}.{uuid.uuid4().hex}"
    try:
        with TFRecordWriter(unfinished, compression) as writer:
            writer.write(text)
            for element in elements:
                for component in element:
                    kind = object if isinstance(component, bytes) else None
                    writer.write(serialize_array(np.asarray(component, kind)))
                yield element
        file_system.rename(unfinished, path, overwrite=True)
    finally:
        with suppress(FileNotFoundError):
            os.remove(unfinished)


class FileCache:
    """Elements that are written to a file by the first loop that comes to their end.

    Args:
      source: the elements.
      path: the file.
      spec: element spec.
      compression: "GZIP" or "".
    """

    def __init__(self, source: Pipeline, path: str, spec: Any, compression: str) -> None:
        """Check that elements of this kind can be written."""
        spec_text(spec)
        self._source, self._path, self._spec = source, path, spec
        self._compression = compression

    def __iter__(self) -> Iterator[Element]:
        """Read the file; write it if it does not exist."""
        if not os.path.exists(self._path):
            return write(self._path, self._spec, iter(self._source), self._compression)
        self._require_same()
        return _elements(self._path, self._compression, len(nest.flatten(self._spec)))

    def _require_same(self) -> None:
        found = _header(self._path, records(self._path, self._compression))
        if _spec(found) != _spec(json.loads(spec_text(self._spec))):
            raise FailedPreconditionError(
                None,
                None,
                f"{self._path} holds elements {_spec(found)}, but those of the dataset are "
                f"{self._spec}. Delete the file, or give another name.",
            )


def file_cache(source: Pipeline, path: str, spec: Any, compression: str) -> Pipeline:
    """Return elements that are kept in a file from their first end on."""
    cache = FileCache(source, path, spec, compression)
    return Pipeline(lambda: iter(cache), source.count)


def compression_of(name: str | None) -> str:
    """Return the compression of a file of elements, "GZIP" or ""; "AUTO" is none.

    Raises:
      ValueError: if there is no such compression.
    """
    if name not in (None, "", "NONE", "AUTO", "GZIP"):
        raise ValueError(f"compression {name!r} is unknown: use 'GZIP', or None.")
    return "GZIP" if name == "GZIP" else ""
