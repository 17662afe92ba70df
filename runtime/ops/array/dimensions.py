"""Shapes as tensors, and the joint shape of two tensors that broadcast."""

from __future__ import annotations

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.opdef import INDEX, MIXED, Emit, Failure, Reads, sample
from runtime.core.shapes import TensorShape, as_dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.ops.base.arguments import shape_argument
from runtime.ops.base.define import op
from runtime.ops.base.sample_values import MATRIX

_SAMPLES = (sample(MATRIX, out_type=dtypes.int32), sample(5, out_type=dtypes.int64))


def _count_dtype(out_type: DTypeLike | None) -> DType:
    return dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)


@op(
    "Shape",
    {"input": MIXED},
    infer=lambda x, out_type: spec_of(out_type, (x.shape.rank,)),
    kernel=lambda xp, x, out_type: xp.array(x.shape, dtype=out_type.numpy_dtype),
    failure=Failure.NEVER,
    reads=Reads.SHAPE,
    entries=lambda x, out_type: x.spec.dims,
    emit=Emit.SHAPE,
    samples=_SAMPLES,
)
def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the shape as a tensor, also where only the running graph knows it.

    Args:
      input: any tensor.
      out_type: int32 or int64; None: int32.
      name: name for the operation.

    Returns:
      Vector with one entry for each dimension.

    >>> print(shape([[1, 2, 3]]).numpy())
    [1 3]
    """
    return shape.op(input, out_type=_count_dtype(out_type), name=name)


@op(
    "Size",
    {"input": MIXED},
    infer=lambda x, out_type: spec_of(out_type, ()),
    kernel=lambda xp, x, out_type: xp.array(x.size, dtype=out_type.numpy_dtype),
    failure=Failure.NEVER,
    reads=Reads.SHAPE,
    emit=Emit.SIZE,
    samples=_SAMPLES,
)
def size(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the number of elements, a scalar; arguments as in `shape`.

    >>> print(size([[1, 2, 3]]).numpy())
    3
    """
    return size.op(input, out_type=_count_dtype(out_type), name=name)


@op(
    "Rank",
    {"input": MIXED},
    infer=lambda x: spec_of(dtypes.int32, ()),
    kernel=lambda xp, x: xp.array(x.ndim, dtype="int32"),
    failure=Failure.NEVER,
    reads=Reads.RANK,
    samples=(sample(MATRIX), sample(5)),
)
def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """Return the number of dimensions, an int32 scalar.

    >>> print(rank([[1, 2, 3]]).numpy())
    2
    """
    return rank.op(input, name=name)


def broadcast_static_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> TensorShape:
    """Return the shape to which two static shapes broadcast, as far as it is known.

    Raises:
      ValueError: if they do not broadcast.

    >>> broadcast_static_shape([1, 3], [2, None])
    TensorShape([2, 3])
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    try:
        return TensorShape(broadcast(as_dims(x), as_dims(y)))
    except ValueError as error:
        raise ValueError(f"Incompatible shapes for broadcasting: {x} and {y}") from error


def _joint_shape(xp: Namespace, x: Array, y: Array) -> Array:
    return xp.array(np.broadcast_shapes(tuple(x.tolist()), tuple(y.tolist())), x.dtype)


def _joint_shape_spec(x: Tensor, y: Tensor) -> TensorSpec:
    lengths = [tensor.spec.dims[0] if tensor.spec.dims else None for tensor in (x, y)]
    if lengths[0] is None or lengths[1] is None:
        return x.spec.with_dims((None,))
    return x.spec.with_dims((max(lengths[0], lengths[1]),))


@op(
    "BroadcastArgs",
    {"s0": INDEX, "s1": INDEX},
    infer=_joint_shape_spec,
    kernel=_joint_shape,
    samples=(sample([1, 3], [2, 3]), sample([3], [2, 1])),
)
def broadcast_dynamic_shape(shape_x: ShapeLike, shape_y: ShapeLike) -> Tensor:
    """Return the shape to which two shapes broadcast, as a tensor.

    Args:
      shape_x: int32 or int64 vector.
      shape_y: vector of the same dtype.

    Returns:
      Vector of that dtype.

    Raises:
      InvalidArgumentError: if the shapes do not broadcast.

    >>> print(broadcast_dynamic_shape([1, 3], [2, 1]).numpy())
    [2 3]
    """
    return broadcast_dynamic_shape.op(shape_argument(shape_x), shape_argument(shape_y))
