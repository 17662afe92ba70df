"""`compat.v1.math`: functions of numbers under the arguments of version 1."""

from typing import Any

from runtime import math as _later
from runtime.compat.v1.activations import log_softmax as log_softmax
from runtime.compat.v1.activations import softmax as softmax
from runtime.compat.v1.numbers import bincount as bincount
from runtime.compat.v1.numbers import confusion_matrix as confusion_matrix
from runtime.compat.v1.numbers import in_top_k as in_top_k
from runtime.compat.v1.reductions import argmax as argmax
from runtime.compat.v1.reductions import argmin as argmin
from runtime.compat.v1.reductions import count_nonzero as count_nonzero
from runtime.compat.v1.reductions import reduce_all as reduce_all
from runtime.compat.v1.reductions import reduce_any as reduce_any
from runtime.compat.v1.reductions import reduce_logsumexp as reduce_logsumexp
from runtime.compat.v1.reductions import reduce_max as reduce_max
from runtime.compat.v1.reductions import reduce_mean as reduce_mean
from runtime.compat.v1.reductions import reduce_min as reduce_min
from runtime.compat.v1.reductions import reduce_prod as reduce_prod
from runtime.compat.v1.reductions import reduce_sum as reduce_sum


def __getattr__(name: str) -> Any:
    """What means the same in both versions. Raises AttributeError if there is no such name."""
    return getattr(_later, name)


def __dir__() -> list[str]:
    """The names of both versions."""
    return sorted({*globals(), *dir(_later)})
