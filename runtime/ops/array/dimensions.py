"""Ops that tell the shape of a tensor, and the joint shape of two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.opdef import INDEX, MIXED, sample
from runtime.core.shapes import TensorShape, as_dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import shape_argument
from runtime.ops.base.define import define_op
from runtime.ops.base.sample_values import MATRIX

_ABOUT_SHAPE = (
    sample(MATRIX, out_type=dtypes.int32),
    sample(5, out_type=dtypes.int64),
)

_SHAPE = define_op(
    "Shape",
    {"input": MIXED},
    lambda x, out_type: spec_of(out_type, (x.shape.rank,)),
    lambda xp, x, out_type: xp.array(x.shape, dtype=out_type.numpy_dtype),
    samples=_ABOUT_SHAPE,
)
_SIZE = define_op(
    "Size",
    {"input": MIXED},
    lambda x, out_type: spec_of(out_type, ()),
    lambda xp, x, out_type: xp.array(x.size, dtype=out_type.numpy_dtype),
    samples=_ABOUT_SHAPE,
)
_RANK = define_op(
    "Rank",
    {"input": MIXED},
    lambda x: spec_of(dtypes.int32, ()),
    lambda xp, x: xp.array(x.ndim, dtype="int32"),
    samples=(sample(MATRIX), sample(5)),
)


def _counting(out_type: Any) -> dtypes.DType:
    return dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)


def shape(input: TensorLike, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape as a tensor, also where it is known only when the graph runs.

    >>> print(shape([[1, 2, 3]]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return _SHAPE(input, out_type=_counting(out_type), name=name)


def size(input: TensorLike, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements.

    >>> print(size([[1, 2, 3]]))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _SIZE(input, out_type=_counting(out_type), name=name)


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of dimensions.

    >>> print(rank([[1, 2, 3]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _RANK(input, name=name)


def shape_n(
    input: Sequence[TensorLike], out_type: Any = dtypes.int32, name: str | None = None
) -> list[Tensor]:
    """The shapes of several tensors.

    >>> [x.numpy().tolist() for x in shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(value, out_type, name) for value in input]


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape to which two shapes broadcast, as far as they are known.

    Raises: ValueError if they do not fit.

    >>> broadcast_static_shape([1, 3], [2, None])
    TensorShape([2, 3])
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    try:
        return TensorShape(broadcast(as_dims(x), as_dims(y)))
    except ValueError as error:
        raise ValueError(f"Incompatible shapes for broadcasting: {x} and {y}") from error


def _joint_shape(xp: Any, x: Any, y: Any) -> Any:
    return xp.array(np.broadcast_shapes(tuple(x.tolist()), tuple(y.tolist())), x.dtype)


def _joint_shape_spec(x: Tensor, y: Tensor) -> TensorSpec:
    lengths = [tensor.spec.dims[0] if tensor.spec.dims else None for tensor in (x, y)]
    if lengths[0] is None or lengths[1] is None:
        return x.spec.with_dims((None,))
    return x.spec.with_dims((max(lengths[0], lengths[1]),))


_JOINT_SHAPE = define_op(
    "BroadcastArgs",
    {"s0": INDEX, "s1": INDEX},
    _joint_shape_spec,
    _joint_shape,
    samples=(sample([1, 3], [2, 3]), sample([3], [2, 1])),
)


def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """The shape to which two shapes broadcast, as a tensor.

    Raises: InvalidArgumentError if they do not fit.

    >>> print(broadcast_dynamic_shape([1, 3], [2, 1]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    return _JOINT_SHAPE(shape_argument(shape_x), shape_argument(shape_y))
