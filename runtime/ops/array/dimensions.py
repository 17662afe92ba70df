"""Shapes as tensors, and the joint shape of two tensors that broadcast."""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.opdef import MIXED, Emit, Failure, Reads, sample
from runtime.core.spec import spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import op
from runtime.ops.base.samples import MATRIX

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
    entries=lambda read, x, out_type: x.spec.dims,
    emit=Emit.SHAPE,
    samples=_SAMPLES,
)
def shape(input: TensorLike, out_type: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Return the shape as a tensor, also where only the running graph knows it.

    Args:
      input: any tensor.
      out_type: int32 or int64; None: int32.

    Returns: Vector with one entry for each dimension.

    >>> print(shape([[1, 2, 3]]).numpy())
    [1 3]
    """
    return shape.op.apply((input,), name, {"out_type": _count_dtype(out_type)})


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
    """Return the number of elements, a scalar.

    Args:
      input, out_type, name: as in `shape`.

    >>> print(size([[1, 2, 3]]).numpy())
    3
    """
    return size.op.apply((input,), name, {"out_type": _count_dtype(out_type)})


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

    Args:
      input: any tensor.

    >>> print(rank([[1, 2, 3]]).numpy())
    2
    """
    return rank.op.apply((input,), name)
