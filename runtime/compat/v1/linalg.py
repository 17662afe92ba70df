"""`compat.v1.linalg`: matrices under the arguments of version 1."""

from typing import Any

from runtime import linalg as _later
from runtime.compat.v1.reductions import norm as norm
from runtime.ops import linalg

transpose = linalg.matrix_transpose


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
