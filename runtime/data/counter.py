"""`Counter`: a dataset that counts."""

from __future__ import annotations

from runtime.core import dtypes, spec
from runtime.core.dtypes import DType
from runtime.core.tensor import TensorLike
from runtime.data import ops
from runtime.data.dataset import Dataset
from runtime.ops.base.arguments import whole_number


def Counter(start: TensorLike = 0, step: TensorLike = 1, dtype: DType = dtypes.int64) -> Dataset:
    """Count without end.

    Args:
      start: the first number.
      step: the difference of successive numbers.
      dtype: dtype of the numbers.

    Returns: A dataset that does not end.

    >>> [int(x) for x in Counter(5).take(2)]
    [5, 6]
    """
    numbers = whole_number("start", start), whole_number("step", step)
    return Dataset(ops.COUNTER(*numbers, dtype=dtype), spec.spec_of(dtype, ()))
