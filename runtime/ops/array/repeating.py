"""Broadcasting to a shape."""

from __future__ import annotations

import numpy as np

from runtime.core.opdef import ANY, INDEX, Emit, Failure, sample
from runtime.core.shapes import bracketed, broadcast, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import Entries, check_vector
from runtime.ops.base.aliases import Array, Namespace, ShapeLike
from runtime.ops.base.arguments import shape_argument
from runtime.ops.base.define import op, shape_of
from runtime.ops.base.unbroadcasting import UNBROADCAST_TO


def _broadcast_spec(x: Tensor, shape: Tensor) -> TensorSpec:
    entries, own = static_entries(shape), x.spec.dims
    if shape.shape.rank:
        check_vector(shape.shape.rank, "shape must be 1-D")
    if entries is None:
        return x.spec.with_dims(None)
    return x.spec.with_dims(tuple(entries) if own is None else _broadcast_dims(own, entries))


def _broadcast_dims(own: Entries, target: Entries) -> tuple[int | None, ...]:
    """Complete the target of a broadcast; raises ValueError if the shape does not broadcast."""
    for entry in target:
        if entry is not None and entry < 0:
            raise ValueError(f"Dimension {entry} must be >= 0")
    if len(own) > len(target):
        raise ValueError(
            f"Rank of input ({len(own)}) must be no greater than rank of output shape "
            f"({len(target)}): Shape must be at most rank {len(target)} but is rank {len(own)}"
        )
    shapes = bracketed(tuple(own)), bracketed(tuple(target))
    try:
        joint = broadcast(tuple(own), tuple(target)) or ()
    except ValueError as error:
        raise ValueError(f"Incompatible shapes: {shapes[0]} vs. {shapes[1]}: {error}") from error
    if not compatible(joint, tuple(target)):
        pairs = zip(reversed(own), reversed(target), strict=False)
        a, b = next((a, b) for a, b in pairs if b == 1 != a)
        raise ValueError(
            f"Unable to broadcast tensor of shape {shapes[0]} to tensor of shape {shapes[1]}: "
            f"Dimensions must be equal, but are {a} and {b}"
        )
    return tuple(
        length if wanted is None and length != 1 else wanted
        for length, wanted in zip(joint, target, strict=True)
    )


def _broadcast(xp: Namespace, x: Array, shape: Array) -> Array:
    target = np.atleast_1d(shape).tolist()
    try:
        return xp.broadcast_to(x, target).copy()
    except ValueError:
        _broadcast_dims(x.shape, target)
        raise


@op(
    "BroadcastTo",
    {"input": ANY, "shape": INDEX},
    infer=_broadcast_spec,
    kernel=_broadcast,
    grad=lambda g, y, x, shape: (UNBROADCAST_TO(g, shape_of(x)), None),
    failure=Failure.SHAPES,
    emit=Emit.BROADCAST,
    samples=(sample([1, 2], [3, 2]), sample(4.0, [2])),
)
def broadcast_to(input: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Repeat a tensor along dimensions of length 1 and new leading ones, to fill a shape.

    Args:
      input: any tensor.
      shape: int32 or int64 vector to which the shape of `input` broadcasts.

    Returns: Tensor of that shape and the dtype of `input`.
    Raises: InvalidArgumentError if the shape of `input` does not broadcast to `shape`.

    >>> print(broadcast_to([[1], [2]], [2, 3]).numpy())
    [[1 1 1]
     [2 2 2]]
    """
    return broadcast_to.op(input, shape_argument(shape), name=name)
