"""`runtime.types.experimental`: what takes part where."""

from typing import Any, Union

import numpy as np

from runtime.core.observed import Observed as Observed
from runtime.core.tensor import Tensor
from runtime.functions.concrete import ConcreteFunction as ConcreteFunction
from runtime.functions.polymorphic import Function as GenericFunction
from runtime.functions.trace_type import SupportsTracingProtocol as SupportsTracingProtocol
from runtime.functions.trace_type import TraceType as TraceType
from runtime.state.variable import Variable

TensorLike: Any = Union[  # noqa: UP007 - of classes without parameters
    Tensor, Variable, bool, int, float, complex, str, bytes, list, tuple, np.ndarray, np.generic
]
"""Values that convert to a tensor wherever one is needed; also for `isinstance`."""

PolymorphicFunction = GenericFunction

__all__ = [
    "ConcreteFunction",
    "GenericFunction",
    "Observed",
    "PolymorphicFunction",
    "SupportsTracingProtocol",
    "TensorLike",
    "TraceType",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return __all__
