"""Ops that give the elements of a tensor another shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import bracketed
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import ANY, INDEX, sample
from runtime.core.shapes import Dims, TensorShape, broadcast, compatible, element_count
from runtime.core.spec import TensorSpec
from runtime.core.static import static_dims, static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.arguments import shape_argument, static_ints
from runtime.ops.define import call, define_op
from runtime.ops.sample_values import MATRIX


def _reshaped_like(g: Tensor, x: Tensor) -> Tensor:
    return call("Reshape", g, call("Shape", x, out_type=dtypes.int32))


def _reshape_spec(x: Tensor, target: Tensor) -> TensorSpec:
    entries = static_entries(target)
    if entries is None:
        return x.spec.with_dims(None)
    if entries.count(-1) > 1:
        raise ValueError("only one dimension of the new shape can be -1")
    dims = tuple(None if entry == -1 else entry for entry in entries)
    count = element_count(x.spec.dims)
    if dims == (None,):
        return x.spec.with_dims((count,))
    if count is None or None in [e for e in entries if e != -1]:
        return x.spec.with_dims(dims)
    rest = element_count(tuple(dim for dim in dims if dim is not None)) or 0
    if None not in dims and rest != count:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {bracketed(dims)} "
            f"({rest} elements)"
        )
    if None in dims and (count % rest if rest else count):
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {bracketed(tuple(entries))}: "
            f"Dimension size must be evenly divisible by {rest} but is {count}"
        )
    missing = count // rest if rest else 0
    return x.spec.with_dims(tuple(missing if dim is None else dim for dim in dims))


def _reshaped(xp: Any, x: Any, shape: Any) -> Any:
    dims = tuple(int(dim) for dim in shape)
    try:
        return xp.reshape(x, dims)
    except ValueError as error:
        known = math.prod(dim for dim in dims if dim != -1)
        if min(dims, default=0) < -1 or dims.count(-1) > 1 or known < 0:
            raise
        wanted = f"requires a multiple of {known}" if -1 in dims else f"has {known}"
        raise ValueError(
            f"Input to reshape is a tensor with {x.size} values, but the requested shape {wanted}"
        ) from error


_RESHAPE = define_op(
    "Reshape",
    {"tensor": ANY, "shape": INDEX},
    _reshape_spec,
    _reshaped,
    grad=lambda g, y, x, shape: (_reshaped_like(g, x), None),
    samples=(sample(MATRIX, [3, 2]), sample(MATRIX, [-1]), sample(5, [1, 1])),
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
    if sorted(order) != list(range(len(dims))):
        raise ValueError(f"perm {order} is no order of {len(dims)} dimensions")
    return x.spec.with_dims(tuple(dims[axis] for axis in order))


def _transpose(xp: Any, x: Any, perm: tuple[int, ...] | None, conjugate: bool) -> Any:
    moved = xp.transpose(x, perm)
    return xp.conj(moved) if conjugate else moved


def _transpose_grad(
    g: Tensor, y: Tensor, x: Tensor, perm: tuple[int, ...] | None, conjugate: bool
) -> tuple[Tensor]:
    back = None if perm is None else tuple(int(axis) for axis in np.argsort(perm))
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
    position = rules.normal_axis(axis, len(dims) + 1)
    return x.spec.with_dims((*dims[:position], 1, *dims[position:]))


_EXPAND = define_op(
    "ExpandDims",
    {"input": ANY},
    _expanded,
    lambda xp, x, axis: xp.expand_dims(x, axis),
    grad=lambda g, y, x, axis: (_reshaped_like(g, x),),
    samples=(sample([1, 2], axis=0), sample(MATRIX, axis=-1), sample(3, axis=0)),
)


def expand_dims(input: TensorLike, axis: int, name: str | None = None) -> Tensor:
    """A dimension of length 1 more, at `axis`.

    >>> print(expand_dims([1, 2], 0))
    tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)
    """
    return _EXPAND(input, axis=static_ints("axis", axis)[0], name=name)


def _squeezed(x: Tensor, axis: tuple[int, ...] | None) -> TensorSpec:
    dims = x.spec.dims
    if dims is None or (axis is None and None in dims):
        return x.spec.with_dims(None)
    gone = (
        {i for i, dim in enumerate(dims) if dim == 1}
        if axis is None
        else {rules.normal_axis(a, len(dims)) for a in axis}
    )
    for position in gone:
        if dims[position] not in (1, None):
            raise ValueError(f"dimension {position} has length {dims[position]}, not 1")
    return x.spec.with_dims(tuple(dim for i, dim in enumerate(dims) if i not in gone))


_SQUEEZE = define_op(
    "Squeeze",
    {"input": ANY},
    _squeezed,
    lambda xp, x, axis: xp.squeeze(x, axis),
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
    if dims is None:
        return x.spec.with_dims(None if counts is None else tuple(c and None for c in counts))
    if counts is None:
        return x.spec.with_dims((None,) * len(dims))
    if len(dims) != len(counts):
        raise ValueError(f"{len(counts)} multiples for {len(dims)} dimensions")
    return x.spec.with_dims(
        tuple(0 if c == 0 else _times(d, c) for d, c in zip(dims, counts, strict=True))
    )


def _times(length: int | None, count: int | None) -> int | None:
    return None if length is None or count is None else length * count


def _tile(xp: Any, x: Any, multiples: Any) -> Any:
    if len(multiples) != x.ndim:
        raise ValueError(
            "Expected multiples argument to be a vector of length "
            f"{x.ndim} but got length {len(multiples)}"
        )
    return xp.tile(x, tuple(int(count) for count in multiples))


def _tile_grad(g: Tensor, y: Tensor, x: Tensor, multiples: Tensor) -> tuple[Tensor, None]:
    rank = x.shape.rank if x.shape.rank is not None else y.shape.rank
    if rank is None:
        raise UnimplementedError(
            None, None, "the gradient of tile needs to know how many dimensions there are"
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

    >>> print(tile([1, 2], [2]))
    tf.Tensor([1 2 1 2], shape=(4,), dtype=int32)
    """
    return _TILE(input, multiples, name=name)


def _broadcast_spec(x: Tensor, shape: Tensor) -> TensorSpec:
    target = static_dims(shape)
    joint = broadcast(x.spec.dims, target)
    if joint is not None and not compatible(joint, target):
        raise ValueError(f"shape {x.spec.dims} does not broadcast to {target}")
    if joint is not None and target is not None:
        target = tuple(
            own if wanted is None and own != 1 else wanted
            for own, wanted in zip(joint, target, strict=True)
        )
    return x.spec.with_dims(target)


_BROADCAST = define_op(
    "BroadcastTo",
    {"input": ANY, "shape": INDEX},
    _broadcast_spec,
    lambda xp, x, shape: xp.broadcast_to(x, tuple(int(dim) for dim in shape)).copy(),
    grad=lambda g, y, x, shape: (
        call("UnbroadcastTo", g, call("Shape", x, out_type=dtypes.int32)),
        None,
    ),
    samples=(sample([1, 2], [3, 2]), sample(4.0, [2])),
)


def broadcast_to(input: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """The tensor repeated to fill `shape`.

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
    return _ENSURE(x, shape=TensorShape(shape).dims, name=name)


def _ensured(x: Tensor, shape: Dims) -> TensorSpec:
    return x.spec.with_dims(x.shape.merge_with(shape).dims)


def _ensure(xp: Any, x: Any, shape: Dims) -> Any:
    if not TensorShape(x.shape).is_compatible_with(shape):
        raise ValueError(f"shape {x.shape} is not compatible with {shape}")
    return x


_ENSURE = define_op(
    "EnsureShape",
    {"input": ANY},
    _ensured,
    _ensure,
    grad=lambda g, y, x, shape: (g,),
    samples=(sample([1, 2], shape=(None,)), sample([1.0, 2.0], shape=(2,))),
)
