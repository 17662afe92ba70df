"""`compat.v1.io`: files, and tensors as bytes, under the arguments of version 1."""

from typing import Any

from runtime import io as _later
from runtime.compat.v1.decoding import decode_csv as decode_csv
from runtime.compat.v1.decoding import decode_raw as decode_raw
from runtime.compat.v1.decoding import parse_example as parse_example
from runtime.compat.v1.decoding import parse_single_example as parse_single_example


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
