"""`compat.v1.strings`: texts under the arguments of version 1."""

from typing import Any

from runtime import strings as _later
from runtime.compat.v1.reductions import reduce_join as reduce_join
from runtime.compat.v1.texts import length as length
from runtime.compat.v1.texts import split as split
from runtime.compat.v1.texts import substr as substr
from runtime.compat.v1.texts import to_hash_bucket as to_hash_bucket
from runtime.compat.v1.texts import to_number as to_number


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
