"""One-hot encoding."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace
from runtime.core.dtypes import DType
from runtime.core.opdef import ANY, INT32, INTEGER, NOT_DIFFERENTIABLE, Emit, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.ranges import int32_count
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, whole_number
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import op
from runtime.ops.base.values import INT32_LIMIT


def _check_scalars(*shapes: Dims) -> None:
    for name, dims in zip(("depth", "on_value", "off_value"), shapes, strict=True):
        if dims:
            raise ValueError(f"{name} must be a scalar, but got: {list(dims)}")


def _one_hot(
    xp: Namespace, indices: Array, depth: Array, on: Array, off: Array, axis: int
) -> Array:
    _check_scalars(depth.shape, on.shape, off.shape)
    length = int(depth)
    if length < 0:
        raise ValueError(f"depth must be non-negative, got: {length}")
    columns = np.asarray(indices).reshape(-1)
    result = np.full((columns.size, length), off, on.dtype)
    (rows,) = ((columns >= 0) & (columns < length)).nonzero()
    result[rows, columns[rows]] = on
    encoded = result.reshape(*indices.shape, length)
    return xp.asarray(encoded if axis == -1 else np.moveaxis(encoded, -1, axis))


def _one_hot_spec(indices: Tensor, depth: Tensor, on: Tensor, off: Tensor, axis: int) -> TensorSpec:
    _check_scalars(depth.spec.dims, on.spec.dims, off.spec.dims)
    dims = indices.spec.dims
    if dims is None:
        return spec_of(on.spec.dtype, None)
    position = rules.normalize_axis(axis, len(dims) + 1)
    return spec_of(on.spec.dtype, (*dims[:position], rules.known_int(depth), *dims[position:]))


@op(
    "OneHot",
    {"indices": INTEGER, "depth": INT32, "on_value": ANY, "off_value": ANY},
    infer=_one_hot_spec,
    kernel=_one_hot,
    grad=NOT_DIFFERENTIABLE,
    emit=Emit.ONE_HOT,
    samples=(sample([0, 2], 3, 1.0, 0.0, axis=-1), sample([[0, 2]], 3, 5, 6, axis=0)),
)
def one_hot(
    indices: TensorLike,
    depth: TensorLike,
    on_value: object = None,
    off_value: object = None,
    axis: int | None = None,
    dtype: DTypeLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Encode indices as vectors that have `on_value` at the index and `off_value` elsewhere.

    Args:
      indices: integer tensor; the vector of an index outside [0, depth) is all `off_value`.
      depth: integer scalar, the length of the vectors.
      on_value: scalar; None: 1.
      off_value: scalar; None: 0.
      axis: position of the new axis in the result; None or -1: last.
      dtype: the dtype; None: that of the values, or float32.

    Returns: Tensor with one dimension more than `indices`.
    Raises:
      TypeError: if `dtype` is not that of the values.
      InvalidArgumentError: if `depth` is negative or not a scalar.

    >>> print(one_hot([1, 0], 3).numpy())
    [[0. 1. 0.]
     [1. 0. 0.]]
    """
    given = off_value if on_value is None else on_value
    if dtype is not None:
        wanted = dtypes.as_dtype(dtype)
    else:
        wanted = dtypes.float32 if given is None else convert_to_tensor(given).dtype
    values = _NUMBERS.get(wanted) if given is None else None
    on, off = values or _values(on_value, off_value, wanted)
    attrs = {"axis": -1 if axis is None else static_int("axis", axis)}
    if type(depth) is not int or depth >= INT32_LIMIT:
        depth = int32_count("depth", whole_number("depth", depth))
    return one_hot.op.apply((indices, depth, on, off), name or "one_hot", attrs)


_NUMBERS: dict[DType, tuple[object, object]] = {dtypes.float32: (1.0, 0.0), dtypes.int32: (1, 0)}
"""The usual values, by their dtype, as Python numbers: calls convert these fastest."""


def _values(on_value: object, off_value: object, wanted: DType) -> tuple[Tensor, Tensor]:
    on = convert_to_tensor(1 if on_value is None else on_value, dtype_hint=wanted)
    off = convert_to_tensor(0 if off_value is None else off_value, dtype_hint=wanted)
    for label, value in (("on_value", on), ("off_value", off)):
        if value.dtype is not wanted:
            raise TypeError(
                f"dtype {value.dtype.name} of {label} does not match dtype parameter {wanted.name}"
            )
    return on, off
