"""`compat.v1.random`: random numbers under the arguments of version 1."""

from typing import Any

from runtime import random as _later
from runtime.compat.v1.drawing import get_seed as get_seed
from runtime.compat.v1.drawing import multinomial as multinomial
from runtime.compat.v1.drawing import poisson as poisson
from runtime.compat.v1.drawing import stateless_multinomial as stateless_multinomial
from runtime.ops import seeds

set_random_seed = seeds.set_seed


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
