"""The nearest sequences that only fall, or only rise."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import REAL, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.casting import cast
from runtime.ops.convert import convert_to_tensor
from runtime.ops.creation import range as range_
from runtime.ops.define import define_op
from runtime.ops.elementwise import negative
from runtime.ops.gathering import gather
from runtime.ops.gradient_parts import shape_of
from runtime.ops.joining import concat
from runtime.ops.rules import normal_axis
from runtime.ops.segments import unsorted_segment_mean
from runtime.ops.shaping import expand_dims, reshape, transpose

_KEPT = (dtypes.float16, dtypes.float32)
_SMALL = (dtypes.int8, dtypes.int16)


def _spec(x: Tensor, output_dtype: DType) -> tuple[TensorSpec, TensorSpec]:
    dims = x.spec.dims
    if dims is not None and len(dims) != 2:
        raise ValueError(f"input must be a matrix, got shape {list(dims)}")
    return x.spec.with_dtype(output_dtype), x.spec.with_dtype(dtypes.int32)


def _pooled(row: list[float]) -> list[tuple[float, int]]:
    """Mean and length of parts whose means fall; neighbours that rise are pooled."""
    parts: list[tuple[float, int]] = []
    for value in row:
        total, count = value, 1
        while parts and parts[-1][0] * count < total * parts[-1][1]:
            before, many = parts.pop()
            total, count = total + before, count + many
        parts.append((total, count))
    return [(total / count, count) for total, count in parts]


def _regression(xp: Any, x: Any, output_dtype: DType) -> tuple[Any, Any]:
    values = np.zeros(x.shape)
    segments = np.zeros(x.shape, np.int32)
    for row, own in enumerate(x.astype(np.float64).tolist()):
        parts = _pooled(own)
        counts = [count for _, count in parts]
        values[row] = np.repeat([mean for mean, _ in parts], counts)
        segments[row] = np.repeat(np.arange(len(parts)), counts)
    return values.astype(output_dtype.numpy_dtype), segments


def _regression_grad(g: Any, y: Any, x: Tensor, output_dtype: DType) -> tuple[Tensor | None]:
    """Each element of a part moves the mean of the part."""
    if g[0] is None:
        return (None,)
    rows, columns = shape_of(x)[0], shape_of(x)[1]
    parts = reshape(y[1] + expand_dims(range_(rows) * columns, 1), [-1])
    means = unsorted_segment_mean(reshape(g[0], [-1]), parts, rows * columns)
    return (cast(reshape(gather(means, parts), shape_of(x)), x.dtype),)


_REGRESSION = define_op(
    "IsotonicRegression",
    {"input": REAL},
    _spec,
    _regression,
    outputs=2,
    grad=_regression_grad,
    samples=(
        sample(
            np.array([[3.0, 1.0, 2.0, 4.0], [1.0, 0.5, -1.0, -0.5]]), output_dtype=dtypes.float64
        ),
        sample([[1, 2, 0]], output_dtype=dtypes.float64),
    ),
)


def isotonic_regression(
    inputs: TensorLike, decreasing: bool = True, axis: int = -1
) -> tuple[Tensor, Tensor]:
    """The sequences nearest to those along an axis (the squares count) that do not rise.

    Args:
      inputs: real numbers.
      decreasing: whether they are not to rise; otherwise they are not to fall.
      axis: the axis.

    Returns: float16 for float16, float32 for float32, int8 and int16, otherwise float64; and int32,
      the number of the part of equal elements to which each belongs.

    >>> values, parts = isotonic_regression([3.0, 1.0, 2.0])
    >>> print(values, parts)
    tf.Tensor([3.  1.5 1.5], shape=(3,), dtype=float32) tf.Tensor([0 1 1], shape=(3,), dtype=int32)
    """
    x = convert_to_tensor(inputs)
    rank = x.shape.rank
    if rank is None:
        raise ValueError("isotonic_regression needs a tensor of known rank")
    wanted = x.dtype if x.dtype in _KEPT else dtypes.float64
    wanted = dtypes.float32 if x.dtype in _SMALL else wanted
    order = list(range(rank))
    if rank:
        place = normal_axis(axis, rank)
        order[place], order[-1] = order[-1], order[place]
        x = transpose(x, order)
    shape = shape_of(x)
    matrix = reshape(x, concat([[-1], shape[-1:]], 0) if rank else [1, 1])
    if decreasing:
        values, parts = _REGRESSION.outputs(matrix, output_dtype=wanted)
    else:
        falling, parts = _REGRESSION.outputs(negative(matrix), output_dtype=wanted)
        values = negative(falling)
    values, parts = reshape(values, shape), reshape(parts, shape)
    return (transpose(values, order), transpose(parts, order)) if rank else (values, parts)
