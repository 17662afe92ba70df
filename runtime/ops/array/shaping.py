"""Ops that give the elements of a tensor another shape."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import bracketed
from runtime.core.errors import IncompatibleShapesError, UnimplementedError
from runtime.core.opdef import ANY, INDEX, sample
from runtime.core.shapes import (
    Dims,
    TensorShape,
    as_dims,
    broadcast,
    compatible,
    element_count,
    known,
)
from runtime.core.spec import TensorSpec
from runtime.core.static import static_dims, static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import shape_argument, static_ints
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import MATRIX


def _reshaped_like(g: Tensor, x: Tensor) -> Tensor:
    return call("Reshape", g, call("Shape", x, out_type=dtypes.int32))


def _reshape_spec(x: Tensor, target: Tensor) -> TensorSpec:
    if target.shape.rank is not None and target.shape.rank > 1:
        raise ValueError(f"Shape must be rank 1 but is rank {target.shape.rank}")
    entries = static_entries(target)
    if entries is None:
        return x.spec.with_dims(None)
    _refuse_sizes(entries)
    dims = tuple(None if entry == -1 else entry for entry in entries)
    count = element_count(x.spec.dims)
    if dims == (None,):
        return x.spec.with_dims((count,))
    if count is None or None in [e for e in entries if e != -1]:
        return x.spec.with_dims(dims)
    if None in dims:
        return x.spec.with_dims(_with_missing(known(x.spec.dims or ()), dims))
    rest = element_count(dims)
    if rest != count:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {bracketed(dims)} "
            f"({rest} elements)"
        )
    return x.spec.with_dims(dims)


def _refuse_sizes(entries: Sequence[int | None]) -> None:
    unknown = [i for i, entry in enumerate(entries) if entry == -1]
    if len(unknown) > 1:
        raise ValueError(
            f"Only one input size may be -1, not both {unknown[0]} and {unknown[1]}: only one "
            "dimension of the new shape can be -1"
        )
    for i, entry in enumerate(entries):
        if entry is not None and entry < -1:
            raise ValueError(
                f"Size {i} must be non-negative, not {entry}. Invalid value in tensor used for "
                f"shape: {entry}"
            )


def _with_missing(own: Sequence[int], dims: Sequence[int | None]) -> tuple[int, ...]:
    """A new shape with a length for its None; next to a 0, lengths of 0 do not count."""
    skips = 0 in dims
    count = math.prod(length for length in own if length or not skips)
    rest = math.prod(dim for dim in dims if dim)
    if count % rest and not (skips and 0 in own):
        target = bracketed(tuple(-1 if dim is None else dim for dim in dims))
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {target}: "
            f"Dimension size must be evenly divisible by {rest} but is {count}"
        )
    return tuple(count // rest if dim is None else dim for dim in dims)


def _reshaped(xp: Any, x: Any, shape: Any) -> Any:
    if np.ndim(shape) > 1:
        raise ValueError(f"sizes input must be 1-D, not {bracketed(np.shape(shape))}")
    dims = tuple(int(dim) for dim in np.atleast_1d(shape))
    if min(dims, default=0) < 0:
        _refuse_sizes(dims)
    try:
        return xp.reshape(x, dims)
    except ValueError as error:
        rest = math.prod(dim for dim in dims if dim != -1)
        if rest == x.size == 0:
            return xp.reshape(x, _with_missing(x.shape, [None if d == -1 else d for d in dims]))
        wanted = f"requires a multiple of {rest}" if -1 in dims else f"has {rest}"
        raise ValueError(
            f"Input to reshape is a tensor with {x.size} values, but the requested shape {wanted}"
        ) from error


_RESHAPE = define_op(
    "Reshape",
    {"tensor": ANY, "shape": INDEX},
    _reshape_spec,
    _reshaped,
    grad=lambda g, y, x, shape: (_reshaped_like(g, x), None),
    samples=(
        sample(MATRIX, [3, 2]),
        sample(MATRIX, [-1]),
        sample(5, [1, 1]),
        sample(np.zeros((0, 3)), [0, -1]),
    ),
)


def reshape(tensor: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """The elements in another shape; one dimension may be -1, which means what is left.

    Raises: InvalidArgumentError if the number of elements does not fit.

    >>> print(reshape([1, 2, 3, 4], [2, -1]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    return _RESHAPE(tensor, shape_argument(shape), name=name)


def _transpose_spec(x: Tensor, perm: tuple[int, ...] | None, conjugate: bool) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return x.spec.with_dims(None if perm is None else (None,) * len(perm))
    order = tuple(reversed(range(len(dims)))) if perm is None else perm
    _refuse_order(order, len(dims))
    return x.spec.with_dims(tuple(dims[axis] for axis in order))


def _refuse_order(perm: tuple[int, ...], rank: int) -> None:
    """Raises ValueError if `perm` is no order of the dimensions."""
    if len(perm) != rank:
        raise ValueError(
            f"transpose expects a vector of size {rank}. But input(1) is a vector of size "
            f"{len(perm)}. Dimension must be {rank} but is {len(perm)}"
        )
    for axis in perm:
        if not -rank <= axis < rank:
            raise ValueError(
                f"{axis} is out of range [0 .. {rank}): perm dim {axis} is out of range of input "
                f"rank {rank}"
            )
    found = {axis % rank for axis in perm}
    if len(found) < rank:
        missing = next(axis for axis in range(rank) if axis not in found)
        raise ValueError(f"{missing} is missing from {{{','.join(map(str, perm))}}}.")


def _transpose(xp: Any, x: Any, perm: tuple[int, ...] | None, conjugate: bool) -> Any:
    if perm is not None:
        _refuse_order(perm, x.ndim)
    moved = xp.transpose(x, perm)
    return xp.conj(moved) if conjugate else moved


def _transpose_grad(
    g: Tensor, y: Tensor, x: Tensor, perm: tuple[int, ...] | None, conjugate: bool
) -> tuple[Tensor]:
    back = None if perm is None else tuple(map(int, np.argsort([a % len(perm) for a in perm])))
    return (call("Transpose", g, perm=back, conjugate=conjugate),)


_TRANSPOSE = define_op(
    "Transpose",
    {"x": ANY},
    _transpose_spec,
    _transpose,
    grad=_transpose_grad,
    samples=(
        sample([[MATRIX]], perm=(2, 0, 3, 1), conjugate=False),
        sample(MATRIX, perm=None, conjugate=False),
        sample([[[1, 2]]], perm=(2, 0, 1), conjugate=False),
        sample([[[1.0, 2.0]]], perm=(-1, 0, -2), conjugate=False),
    ),
)


def transpose(
    a: TensorLike, perm: Any = None, conjugate: bool = False, name: str | None = "transpose"
) -> Tensor:
    """The dimensions in another order.

    Args:
      a: any tensor.
      perm: which dimension of `a` stands at each place; None: all in reverse.
      conjugate: whether complex elements are conjugated too.
      name: the name of the operation.

    Raises: InvalidArgumentError if `perm` is no order of the dimensions.

    >>> print(transpose([[1, 2], [3, 4]]))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    order = None if perm is None else static_ints("perm", perm)
    return _TRANSPOSE(a, perm=order, conjugate=conjugate, name=name)


def _expanded(x: Tensor, axis: int) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return x.spec
    rank = len(dims)
    if not -rank - 1 <= axis <= rank:
        raise ValueError(f"dim {axis} not in the interval [{-rank - 1}, {rank}].")
    position = axis % (rank + 1)
    return x.spec.with_dims((*dims[:position], 1, *dims[position:]))


def _expand(xp: Any, x: Any, axis: int) -> Any:
    if not -x.ndim - 1 <= axis <= x.ndim:
        raise ValueError(f"Tried to expand dim index {axis} for tensor with {x.ndim} dimensions.")
    return xp.expand_dims(x, axis)


_EXPAND = define_op(
    "ExpandDims",
    {"input": ANY},
    _expanded,
    _expand,
    grad=lambda g, y, x, axis: (_reshaped_like(g, x),),
    samples=(sample([1, 2], axis=0), sample(MATRIX, axis=-1), sample(3, axis=0)),
)


def expand_dims(input: TensorLike, axis: int, name: str | None = None) -> Tensor:
    """A dimension of length 1 more, at `axis`.

    Raises: InvalidArgumentError if `axis` is not one number, or too large.

    >>> print(expand_dims([1, 2], 0))
    tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)
    """
    positions = static_ints("axis", axis)
    if len(positions) != 1:
        raise IncompatibleShapesError.of(
            f"'dim' must be a tensor with a single value: 'dim' input must be a tensor with a "
            f"single value, got {list(positions)}",
        )
    return _EXPAND(input, axis=positions[0], name=name)


def _squeezed(x: Tensor, axis: tuple[int, ...] | None) -> TensorSpec:
    dims = x.spec.dims
    if dims is None or (axis is None and None in dims):
        return x.spec.with_dims(None)
    gone = (
        {i for i, dim in enumerate(dims) if dim == 1}
        if axis is None
        else _positions(axis, len(dims))
    )
    _refuse_lengths(gone, dims)
    return x.spec.with_dims(tuple(dim for i, dim in enumerate(dims) if i not in gone))


def _positions(axis: tuple[int, ...], rank: int) -> set[int]:
    for place, entry in enumerate(axis):
        if not -rank <= entry < rank:
            raise ValueError(
                f"Tried to squeeze dim index {entry} for tensor with {rank} dimensions. "
                f"squeeze_dims[{place}] not in [{-rank},{rank})."
            )
    return {entry % rank for entry in axis}


def _refuse_lengths(gone: Iterable[int], dims: Sequence[int | None]) -> None:
    for position in sorted(gone):
        if dims[position] not in (1, None):
            raise ValueError(
                f"Can not squeeze dim[{position}], expected a dimension of 1, got {dims[position]}"
            )


def _squeeze(xp: Any, x: Any, axis: tuple[int, ...] | None) -> Any:
    if axis is None:
        return xp.squeeze(x)
    gone = _positions(axis, x.ndim)
    _refuse_lengths(gone, x.shape)
    return xp.squeeze(x, tuple(gone))


_SQUEEZE = define_op(
    "Squeeze",
    {"input": ANY},
    _squeezed,
    _squeeze,
    grad=lambda g, y, x, axis: (_reshaped_like(g, x),),
    samples=(sample([[1], [2]], axis=None), sample([[[1, 2]]], axis=(0, 1))),
)


def squeeze(input: TensorLike, axis: Any = None, name: str | None = None) -> Tensor:
    """Without the dimensions of length 1; with `axis`, without those.

    Raises: InvalidArgumentError if a dimension of `axis` has another length.

    >>> print(squeeze([[1], [2]]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    axes = None if axis is None else static_ints("axis", axis)
    return _SQUEEZE(input, axis=axes or None, name=name)


def _tiled(x: Tensor, multiples: Tensor) -> TensorSpec:
    dims, counts = x.spec.dims, static_entries(multiples)
    if multiples.shape.rank not in (1, None):
        raise ValueError(f"Shape must be rank 1 but is rank {multiples.shape.rank}")
    if dims is None:
        return x.spec.with_dims(None if counts is None else tuple(c and None for c in counts))
    if counts is None:
        return x.spec.with_dims((None,) * len(dims))
    if len(dims) != len(counts):
        raise ValueError(
            f"Expected multiples argument to be a vector of length {len(dims)} but got length "
            f"{len(counts)}: Dimension must be {len(dims)} but is {len(counts)}"
        )
    for place, count in enumerate(counts):
        if count is not None and count < 0:
            raise ValueError(f"Expected multiples[{place}] >= 0, but got {count}")
    return x.spec.with_dims(
        tuple(0 if c == 0 else _times(d, c) for d, c in zip(dims, counts, strict=True))
    )


def _times(length: int | None, count: int | None) -> int | None:
    return None if length is None or count is None else length * count


def _tile(xp: Any, x: Any, multiples: Any) -> Any:
    if np.ndim(multiples) != 1:
        raise ValueError(
            f"Expected multiples to be 1-D, but got shape {bracketed(np.shape(multiples))}"
        )
    if len(multiples) != x.ndim:
        raise ValueError(
            "Expected multiples argument to be a vector of length "
            f"{x.ndim} but got length {len(multiples)}"
        )
    for place, count in enumerate(multiples):
        if count < 0:
            raise ValueError(f"Expected multiples[{place}] >= 0, but got {count}")
    return xp.tile(x, tuple(int(count) for count in multiples))


def _tile_grad(g: Tensor, y: Tensor, x: Tensor, multiples: Tensor) -> tuple[Tensor, None]:
    rank = x.shape.rank if x.shape.rank is not None else y.shape.rank
    if rank is None:
        raise UnimplementedError.of(
            "the gradient of tile needs to know how many dimensions there are"
        )
    dims = call("Shape", x, out_type=multiples.dtype)
    pairs = reshape(call("Pack", multiples, dims, axis=1), [-1])
    copies = tuple(range(0, 2 * rank, 2))
    return call("Sum", reshape(g, pairs), axis=copies, keepdims=False), None


_TILE = define_op(
    "Tile",
    {"input": ANY, "multiples": INDEX},
    _tiled,
    _tile,
    grad=_tile_grad,
    samples=(sample([1, 2], [2]), sample(MATRIX, [2, 1]), sample(MATRIX, [2, 3])),
)


def tile(input: TensorLike, multiples: TensorLike, name: str | None = None) -> Tensor:
    """The tensor repeated `multiples[i]` times along each dimension.

    Raises: InvalidArgumentError if there is not one number for each dimension.

    >>> print(tile([1, 2], [2]))
    tf.Tensor([1 2 1 2], shape=(4,), dtype=int32)
    """
    return _TILE(input, multiples, name=name)


def _broadcast_spec(x: Tensor, shape: Tensor) -> TensorSpec:
    target = static_dims(shape)
    own, rank = x.spec.dims, shape.shape.rank
    negative = [entry for entry in static_entries(shape) or () if entry is not None and entry < 0]
    if negative:
        raise ValueError(f"Dimension {negative[0]} must be >= 0")
    if rank is not None and rank > 1:
        raise ValueError(f"Shape must be rank 1 but is rank {rank}")
    if own is not None and target is not None and len(own) > len(target):
        raise ValueError(f"Shape must be at most rank {len(target)} but is rank {len(own)}")
    joint = broadcast(own, target)
    if joint is not None and own is not None and not compatible(joint, target):
        pairs = zip(reversed(own), reversed(target or ()), strict=False)
        a, b = next((a, b) for a, b in pairs if b == 1 != a)
        raise ValueError(f"Dimensions must be equal, but are {a} and {b}")
    if joint is not None and target is not None:
        target = tuple(
            length if wanted is None and length != 1 else wanted
            for length, wanted in zip(joint, target, strict=True)
        )
    return x.spec.with_dims(target)


def _broadcast(xp: Any, x: Any, shape: Any) -> Any:
    target = tuple(int(dim) for dim in shape)
    try:
        return xp.broadcast_to(x, target).copy()
    except ValueError as error:
        raise ValueError(_unfit(x.shape, target)) from error


def _unfit(own: tuple[int, ...], target: tuple[int, ...]) -> str:
    negative = [dim for dim in target if dim < 0]
    if negative:
        return f"Dimension {negative[0]} must be >= 0"
    if len(own) > len(target):
        return (
            f"Rank of input ({len(own)}) must be no greater than rank of output shape "
            f"({len(target)})."
        )
    shapes = bracketed(own), bracketed(target)
    try:
        broadcast(own, target)
    except ValueError:
        return f"Incompatible shapes: {shapes[0]} vs. {shapes[1]}"
    return f"Unable to broadcast tensor of shape {shapes[0]} to tensor of shape {shapes[1]}"


_BROADCAST = define_op(
    "BroadcastTo",
    {"input": ANY, "shape": INDEX},
    _broadcast_spec,
    _broadcast,
    grad=lambda g, y, x, shape: (
        call("UnbroadcastTo", g, call("Shape", x, out_type=dtypes.int32)),
        None,
    ),
    samples=(sample([1, 2], [3, 2]), sample(4.0, [2])),
)


def broadcast_to(input: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """The tensor repeated to fill `shape`.

    Raises: InvalidArgumentError if the shape of the tensor does not broadcast to it.

    >>> print(broadcast_to([1, 2], [2, 2]))
    tf.Tensor(
    [[1 2]
     [1 2]], shape=(2, 2), dtype=int32)
    """
    return _BROADCAST(input, shape_argument(shape), name=name)


def ensure_shape(x: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """The tensor, checked to have a shape when the graph runs and known to have it before.

    Raises: InvalidArgumentError if it has another shape.

    >>> print(ensure_shape([1, 2], [None]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    return _ENSURE(x, shape=as_dims(shape), name=name)


def _ensured(x: Tensor, shape: Dims) -> TensorSpec:
    return x.spec.with_dims(as_dims(x.shape.merge_with(shape)))


def _ensure(xp: Any, x: Any, shape: Dims) -> Any:
    if not TensorShape(x.shape).is_compatible_with(shape):
        raise ValueError(
            f"Shape of tensor {bracketed(x.shape)} is not compatible with expected shape "
            f"{bracketed(shape)}."
        )
    return x


_ENSURE = define_op(
    "EnsureShape",
    {"input": ANY},
    _ensured,
    _ensure,
    grad=lambda g, y, x, shape: (g,),
    samples=(sample([1, 2], shape=(None,)), sample([1.0, 2.0], shape=(2,))),
)
