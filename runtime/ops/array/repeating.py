"""Repetition along axes: tiling and broadcasting."""

from __future__ import annotations

from runtime.core.aliases import Array, Namespace, ShapeLike
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import ANY, INDEX, Emit, sample
from runtime.core.operation import Operation
from runtime.core.shapes import bracketed, broadcast, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape as shape_
from runtime.ops.array.shaping import Entries, check_vector, reshape
from runtime.ops.base.arguments import shape_argument
from runtime.ops.base.define import call, op, shape_of
from runtime.ops.base.samples import MATRIX
from runtime.ops.base.unbroadcasting import UNBROADCAST_TO


def _tiled_spec(x: Tensor, multiples: Tensor) -> TensorSpec:
    dims, counts = x.spec.dims, static_entries(multiples)
    check_vector(multiples.shape.rank, "Expected multiples to be 1-D")
    if dims is None:
        return x.spec.with_dims(None if counts is None else tuple(c and None for c in counts))
    if counts is None:
        return x.spec.with_dims((None,) * len(dims))
    return x.spec.with_dims(_tiled_dims(dims, counts))


def _tiled_dims(dims: Entries, counts: Entries) -> tuple[int | None, ...]:
    """Return the shape of `tile`; raises ValueError if the multiples do not fit."""
    if len(dims) != len(counts):
        raise ValueError(
            f"Expected multiples argument to be a vector of length {len(dims)} but got length "
            f"{len(counts)}: Dimension must be {len(dims)} but is {len(counts)}"
        )
    for place, count in enumerate(counts):
        if count is not None and count < 0:
            raise ValueError(f"Expected multiples[{place}] >= 0, but got {count}")
    return tuple(
        0 if count == 0 else None if dim is None or count is None else dim * count
        for dim, count in zip(dims, counts, strict=True)
    )


def _tile(xp: Namespace, x: Array, multiples: Array) -> Array:
    check_vector(multiples.ndim, "Expected multiples to be 1-D")
    counts = multiples.tolist()
    if len(counts) != x.ndim or min(counts, default=0) < 0:
        _tiled_dims(x.shape, counts)
    return xp.tile(x, counts)


def _tile_grad(g: Tensor, y: Tensor, x: Tensor, multiples: Tensor) -> tuple[Tensor, None]:
    """Sum over the copies: each dimension splits into (copies, length)."""
    rank = x.shape.rank if x.shape.rank is not None else y.shape.rank
    if rank is None:
        raise UnimplementedError.of("the gradient of tile needs a tensor of known rank")
    pairs = call("Pack", multiples, shape_.op(x, out_type=multiples.dtype), axis=1)
    copies = tuple(range(0, 2 * rank, 2))
    return call("Sum", reshape(g, reshape(pairs, [-1])), axis=copies, keepdims=False), None


@op(
    "Tile",
    {"input": ANY, "multiples": INDEX},
    infer=_tiled_spec,
    kernel=_tile,
    grad=_tile_grad,
    samples=(sample([1, 2], [2]), sample(MATRIX, [2, 1]), sample(MATRIX, [2, 3])),
)
def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """Repeat a tensor along its dimensions.

    Args:
      input: any tensor.
      multiples: int32 or int64 vector, the number of copies along each dimension, >= 0.

    Returns:
      Tensor of the dtype of `input`; dimension `i` has length `input.shape[i] * multiples[i]`.

    Raises: InvalidArgumentError if there is not one number for each dimension.

    >>> print(tile([[1, 2]], [2, 2]).numpy())
    [[1 2 1 2]
     [1 2 1 2]]
    """
    return tile.op.apply((input, multiples), name)


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
    target = shape.reshape(-1).tolist()
    try:
        return xp.broadcast_to(x, target).copy()
    except ValueError:
        _broadcast_dims(x.shape, target)
        raise


def _fits(broadcast: Operation) -> bool:
    """Return whether the shapes were compared while the graph was recorded."""
    own, target = broadcast.inputs[0].spec.dims, static_entries(broadcast.inputs[1])
    return own is not None and target is not None and None not in (*own, *target)


@op(
    "BroadcastTo",
    {"input": ANY, "shape": INDEX},
    infer=_broadcast_spec,
    kernel=_broadcast,
    grad=lambda g, y, x, shape: (UNBROADCAST_TO(g, shape_of(x)), None),
    emit=Emit.BROADCAST,
    safe=_fits,
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
    return broadcast_to.op.apply((input, shape_argument(shape)), name)
