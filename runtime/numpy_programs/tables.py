"""Axes and operands of NumPy's functions, for the tables of functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import AxisLike, DTypeLike
from runtime.core.tensor import Tensor, TensorLike
from runtime.numpy_programs.creation import array
from runtime.numpy_programs.dispatch import refuse, ufunc_result
from runtime.numpy_programs.promotion import NumPyDType, as_dtype, result_dtype
from runtime.numpy_programs.values import Array, operand, shape_tuple
from runtime.ops.array import shaping
from runtime.ops.effects.output import raise_when
from runtime.ops.reduce import reduction

Implementation = Callable[..., Any]


def axes_of(axis: AxisLike, rank: int) -> tuple[int, ...] | None:
    """Return the axes of an argument `axis`, from 0; None: all."""
    if axis is None:
        return None
    if rank == 0 and axis in (0, -1):
        return ()
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    return tuple(axis_of(each, rank) for each in axes)


def axis_of(axis: AxisLike, rank: int) -> int:
    """Return an axis from 0. Raises NumPy's AxisError if there is none of that number."""
    if not isinstance(axis, (int, np.integer)):
        raise refuse("an axis is a traced value.", "Use a Python int.")
    if not -rank <= axis < rank:
        raise np.exceptions.AxisError(int(axis), rank)
    return int(axis) % rank


def along(a: TensorLike, axis: AxisLike) -> tuple[Tensor, int]:
    """Return an operand and an axis of it from 0; without an axis, all elements as a vector."""
    tensor = operand(a)
    if axis is None:
        return shaping.reshape(tensor, [-1]), 0
    return tensor, axis_of(axis, rank_of(tensor))


def rank_of(tensor: Tensor) -> int:
    """Return the number of dimensions. Raises StagingError if it is unknown."""
    rank = tensor.shape.rank
    if rank is None:
        raise refuse("an array has an unknown number of dimensions.", "Reshape it before.")
    return rank


def refuse_out(out: object) -> None:
    """Raise StagingError for an argument `out`."""
    if out is not None:
        raise refuse("a function of NumPy gets `out=`.", "Assign the result: `a[...] = f(b)`.")


def dtype_of(tensor: Tensor) -> NumPyDType:
    """Return NumPy's dtype of a tensor."""
    return tensor.spec.dtype.numpy_dtype


def widened(tensor: Tensor, dtype: DTypeLike) -> Tensor:
    """Return the operand of a sum or product: small integers get 64 bits."""
    own = dtype_of(tensor)
    wanted = np.dtype(dtype) if dtype is not None else own
    if dtype is None and own.kind in "bi" and own.itemsize <= 8:
        wanted = np.dtype(np.int64)
    if dtype is None and own.kind == "u":
        wanted = np.dtype(np.uint64)
    return as_dtype(tensor, wanted)


def truths(a: TensorLike) -> Tensor:
    """Return the truth of each element."""
    return (
        operand(ufunc_result(np.not_equal, a, 0))
        if operand(a).dtype is not dtypes.bool
        else operand(a)
    )


def raise_if_any(test: Any, error: BaseException) -> None:
    """Raise an exception of the program when the graph runs, if any element of `test` is true."""
    raise_when(reduction.reduce_any(truths(test)), error)


def count_of(tensor: Tensor, axes: Sequence[int] | None) -> Any:
    """Return the number of elements that a reduction combines."""
    total: Any = 1
    for axis, length in enumerate(shape_tuple(tensor)):
        total = total * length if axes is None or axis in axes else total
    return total


def in_dtype(number: Any, dtype: NumPyDType) -> Any:
    """Return a Python number in a dtype; a traced one too."""
    real_dtype = np.empty(0, dtype).real.dtype
    return as_dtype(number, real_dtype)


def as_array(a: TensorLike) -> Array:
    """Return an array as it is; a new one for other values."""
    return a if isinstance(a, Array) else array(a)


def for_numpy(value: TensorLike) -> Any:
    """Return an array as `as_array` does; NumPy's functions are not typed for its class."""
    return as_array(value)


def together(arrays: TensorLike) -> list[Tensor]:
    """Return several arrays as tensors of the dtype that they have in common."""
    tensors = [operand(each) for each in arrays]
    dtype = result_dtype(*map(dtype_of, tensors))
    return [as_dtype(tensor, dtype) for tensor in tensors]
