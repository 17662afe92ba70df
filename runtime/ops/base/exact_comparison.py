"""Operands of comparisons of integer tensors with Python numbers of other types or ranges."""

from __future__ import annotations

import math
from typing import TypeGuard

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.base.convert import cast_to, convert_to_tensor, is_weak, weakened, weakness
from runtime.ops.base.values import INT32_LIMIT, PLAIN_NUMBERS

_SMALLEST_MAX = 127
"""Tensors of each real dtype are compared with ints up to it as they are: most comparisons."""
_INT64_LIMIT = 1 << 63
_FLOAT64_LIMIT = 1 << 53
"""Doubles below it have neighbors at most 1 apart, so no int64 rounds onto or past them."""


def comparable(x: TensorLike, y: TensorLike) -> tuple[TensorLike, TensorLike]:
    """Return operands that compare as Python's numbers do, where one is an integer tensor.

    A Python number, or what is one on some ways, may be no number of the tensor's dtype. Then
    both operands become int64 or float64 without loss. Operands for which neither holds all
    numbers are returned unchanged.

    >>> x, limit = comparable(convert_to_tensor(3), math.inf)
    >>> print(x.dtype.name, limit.dtype.name)
    float64 float64
    """
    if type(x) is EagerTensor:
        if type(y) is EagerTensor:
            return x, y
        if type(y) in PLAIN_NUMBERS and getattr(x._a, "dtype", dtypes.string).kind == "f":
            return x, y
    if type(y) is int and 0 <= y <= _SMALLEST_MAX and not _is_truth(x):
        return x, y
    if type(y) in (int, float) and _is_truth(x):
        x = _in(x, dtypes.int32)  # True is 1
    elif type(x) in (int, float) and _is_truth(y):
        y = _in(y, dtypes.int32)
    if {weakness(x), weakness(y)} in ({False}, {True}):
        return x, y
    first, second = _dtype(x), _dtype(y)
    if first is None or second is None:
        return x, y
    if first.is_integer and second.is_integer:
        if _meet(first, x, second, y):
            return x, y
        return _in(x, dtypes.int64), _in(y, dtypes.int64)
    if first.is_integer:
        return _with_float(x, y)
    return _with_float(y, x)[::-1] if second.is_integer else (x, y)


def _is_truth(value: TensorLike) -> TypeGuard[Tensor]:
    return isinstance(value, Tensor) and value.dtype is dtypes.bool


def _dtype(value: TensorLike) -> DType | None:
    """Return a dtype that holds a real number; None for other values."""
    if isinstance(value, Tensor):
        return value.dtype if value.dtype.kind in "iuf" else None
    if type(value) is int and -_INT64_LIMIT <= value < _INT64_LIMIT:
        return dtypes.int32 if -INT32_LIMIT <= value < INT32_LIMIT else dtypes.int64
    return dtypes.float64 if type(value) in (int, float) else None


def _meet(first: DType, x: TensorLike, second: DType, y: TensorLike) -> bool:
    """Return whether two ints are compared in the dtype of one of them."""
    if first is second or dtypes.uint64 in (first, second):
        return True
    for dtype, number in ((first, y), (second, x)):
        if type(number) is int and dtype.min <= number <= dtype.max:
            return True
    return False


def _with_float(integer: TensorLike, number: TensorLike) -> tuple[TensorLike, TensorLike]:
    """Return an int, and a float or an int of more than 64 bits, as doubles."""
    if not isinstance(integer, Tensor) or is_weak(integer):
        return integer, number  # which adopts the dtype of the float
    if type(number) is int:
        number = math.copysign(math.inf, number)
    is_exact = type(number) is float and not _FLOAT64_LIMIT <= abs(number) < math.inf
    if integer.dtype.size > 4 and not is_exact:
        return integer, number
    return _in(integer, dtypes.float64), _in(number, dtypes.float64)


def _in(value: TensorLike, dtype: DType) -> Tensor:
    tensor = convert_to_tensor(value, dtype_hint=dtype)
    return weakened(cast_to(tensor, dtype), weakness(value))
