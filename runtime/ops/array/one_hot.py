"""Indices as vectors with one entry that differs."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import ANY, INT32, INTEGER, NOT_DIFFERENTIABLE, sample
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, whole_number
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op


def one_hot(
    indices: TensorLike,
    depth: TensorLike,
    on_value: Any = None,
    off_value: Any = None,
    axis: int | None = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """A new dimension of length `depth` with `on_value` at the index, `off_value` elsewhere.

    Args:
      indices: integers; one that is negative or not below `depth` is nowhere.
      depth: the length, a scalar.
      on_value, off_value: scalars; None: 1 and 0.
      axis: where the new dimension stands; None or -1: last.
      dtype: the dtype; None: that of the values, or float32.
      name: the name of the operation.

    Raises: TypeError if `dtype` is not that of the values.

    >>> print(one_hot([1], 3))
    tf.Tensor([[0. 1. 0.]], shape=(1, 3), dtype=float32)
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    given = [value for value in (on_value, off_value) if value is not None]
    if wanted is None and given:
        wanted = convert_to_tensor(given[0]).dtype
    wanted = wanted or dtypes.float32
    pair = [
        convert_to_tensor(number if value is None else value, dtype_hint=wanted)
        for value, number in ((on_value, 1), (off_value, 0))
    ]
    for label, value in zip(("on_value", "off_value"), pair, strict=True):
        if value.dtype is not wanted:
            raise TypeError(
                f"dtype {value.dtype.name} of {label} does not match dtype parameter {wanted.name}"
            )
    at = -1 if axis is None else static_int("axis", axis)
    count = int32_count("depth", whole_number("depth", depth))
    return _ONE_HOT(indices, count, *pair, axis=at, name=name or "one_hot")


def _one_hot(xp: Any, indices: Any, depth: Any, on: Any, off: Any, axis: int) -> Any:
    if np.ndim(depth):
        raise ValueError(f"depth must be a scalar, but got: {list(np.shape(depth))}")
    if int(depth) < 0:
        raise ValueError(f"depth must be non-negative, got: {int(depth)}")
    for what, value in (("on_value", on), ("off_value", off)):
        if np.ndim(value):
            raise ValueError(f"{what} must be a scalar, but got: {list(np.shape(value))}")
    places = np.ravel(indices)
    result = np.full((places.size, int(depth)), off, on.dtype)
    rows = np.flatnonzero((places >= 0) & (places < int(depth)))
    result[rows, places[rows]] = on
    return xp.asarray(np.moveaxis(result.reshape(*indices.shape, int(depth)), -1, axis))


def _one_hot_spec(indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, axis: int) -> TensorSpec:
    if depth.shape.rank not in (0, None):
        raise ValueError(f"Input must be scalar but has rank {depth.shape.rank}")
    dims, length = indices.spec.dims, static_value(depth)
    if dims is None:
        return spec_of(on.spec.dtype, None)
    position = rules.normal_axis(axis, len(dims) + 1)
    new = None if length is None else int(length)
    return spec_of(on.spec.dtype, (*dims[:position], new, *dims[position:]))


_ONE_HOT = define_op(
    "OneHot",
    {"indices": INTEGER, "depth": INT32, "on_value": ANY, "off_value": ANY},
    _one_hot_spec,
    _one_hot,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([0, 2], 3, 1.0, 0.0, axis=-1), sample([[0, 2]], 3, 5, 6, axis=0)),
)
