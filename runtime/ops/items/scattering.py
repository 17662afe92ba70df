"""Scattering: tensors with updates at index tuples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime.core.aliases import Array, Namespace, ShapeLike
from runtime.core.opdef import ANY, INDEX, NUMERIC, REAL, DTypes, Emit, Grad, sample
from runtime.core.shapes import Dims, compatible
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.creation import zeros_like
from runtime.ops.base.convert import cast_to
from runtime.ops.base.define import OpFunction, define_op, op, publish
from runtime.ops.base.samples import MATRIX
from runtime.ops.base.values import holds_objects
from runtime.ops.items.gathering import gather_nd, tuple_index
from runtime.ops.math.logic import equal


def check_updates(dims: Dims, indices: Dims, updates: Dims) -> None:
    """Raise ValueError if updates of this shape cannot be the slices at these indices."""
    if dims is None or not indices or updates is None or indices[-1] is None:
        return
    depth = indices[-1]
    if depth > len(dims):
        raise ValueError(
            f"Inner dimensions of output shape must match: index tuples of length {depth} for "
            f"{len(dims)} dimensions"
        )
    wanted = (*indices[:-1], *dims[depth:])
    if not compatible(wanted, tuple(updates)):
        raise ValueError(
            f"Dimensions of indices {list(indices)} and shape {list(dims)} ask for updates of "
            f"shape {list(wanted)}, but got updates.shape {list(updates)}"
        )


def _scatter_nd_spec(indices: Tensor, updates: Tensor, shape: Tensor) -> TensorSpec:
    dims = static_dims(shape)
    check_updates(dims, indices.spec.dims, updates.spec.dims)
    return spec_of(updates.spec.dtype, dims)


def _scatter_nd(xp: Namespace, indices: Array, updates: Array, shape: Array) -> Array:
    dims = tuple(shape.tolist())
    check_updates(dims, indices.shape, updates.shape)
    result = xp.zeros(dims, updates.dtype)
    xp.add.at(result, tuple_index(xp, indices, dims), updates)
    return result


@op(
    "ScatterNd",
    {"indices": INDEX, "updates": NUMERIC, "shape": INDEX},
    infer=_scatter_nd_spec,
    kernel=_scatter_nd,
    emit=Emit.SCATTERED,
    grad=lambda g, y, indices, updates, shape: (None, gather_nd.op(g, indices), None),
    samples=(
        sample([[0], [2], [0]], [1.0, 2.0, 3.0], [4]),
        sample([[1]], [[1.0, 2.0]], [2, 2]),
        sample([[0]], [5], [2]),
    ),
)
def scatter_nd(
    indices: TensorLike, updates: TensorLike, shape: ShapeLike, *, name: str | None = None
) -> Tensor:
    """Add updates to zeros at index tuples; updates of repeated tuples add up.

    Args:
      indices: int32 or int64 of shape [..., d]: tuples that index the first d dimensions.
      updates: numeric, an element or slice for each tuple.
      shape: the shape of the result.

    Returns: Tensor of that shape and the dtype of `updates`.
    Raises: InvalidArgumentError if an index is out of range, or the shapes do not fit.

    >>> print(scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy())
    [ 0 12  0  6]
    """
    return scatter_nd.op.apply((indices, updates, shape), name)


def _updated_spec(x: Tensor, indices: Tensor, updates: Tensor) -> TensorSpec:
    check_updates(x.spec.dims, indices.spec.dims, updates.spec.dims)
    return x.spec


Put = Callable[[Any, Any, Any, Any], None]
"""Puts updates at index tuples of an array, with the functions of an array namespace."""


def put_checked(put: Put, xp: Namespace, x: Array, indices: Array, updates: Array) -> None:
    """Put updates at index tuples of an array, after checking that they fit."""
    check_updates(x.shape, indices.shape, updates.shape)
    put(xp, x, tuple_index(xp, indices, x.shape), updates)


def replace(xp: Namespace, result: Array, index: Array, updates: Array) -> None:
    """Put updates in place of elements."""
    result[index] = updates[()] if holds_objects(result) else updates


def at_once(function: str) -> Put:
    """Combine elements and updates by a ufunc; updates of repeated tuples one after the other."""

    def put(xp: Namespace, result: Array, index: Array, updates: Array) -> None:
        combine = getattr(xp, function)
        if len(index) == 1 and index[0].ndim == 1 and _are_distinct(xp, index[0]):
            # 8 times as fast as `ufunc.at` for 512 rows of 64 numbers.
            result[index] = combine(result[index], updates)
        else:
            combine.at(result, index, updates)

    return put


def _are_distinct(xp: Namespace, positions: Array) -> bool:
    return len(xp.unique(positions)) == len(positions)


def _update_grad(
    g: Tensor, y: Tensor, x: Tensor, indices: Tensor, updates: Tensor
) -> tuple[Tensor, None, Tensor]:
    zeros = zeros_like.op(updates, dtype=updates.dtype)
    return tensor_scatter_nd_update(g, indices, zeros), None, gather_nd.op(g, indices)


def _extreme_grad(
    g: Tensor, y: Tensor, x: Tensor, indices: Tensor, updates: Tensor
) -> tuple[Tensor, None, Tensor]:
    """Divide the gradient among the element and the updates that are equal to the result."""
    kept = cast_to(equal.op(x, y), g.dtype)
    won = cast_to(equal.op(updates, gather_nd.op(y, indices)), g.dtype)
    shared = g / tensor_scatter_nd_add(kept, indices, won)
    return shared * kept, None, gather_nd.op(shared, indices) * won


_ARGUMENTS = """
Args:
  tensor: Tensor.
  indices: int32 or int64 of shape [..., d]: tuples that index the first d dimensions.
  updates: Tensor of the dtype of `tensor`, an element or slice for each tuple.

Returns: Tensor of the shape and dtype of `tensor`.
Raises: InvalidArgumentError if an index is out of range, or the shapes do not fit.
"""


def _row(
    name: str,
    op: str,
    group: DTypes,
    put: Put,
    grad: Grad,
    about: str,
    example: str,
    emit: Emit | None = None,
) -> OpFunction[..., Tensor]:
    """Define a function that combines elements at index tuples with updates."""

    def kernel(xp: Namespace, x: Array, indices: Array, updates: Array) -> Array:
        result = xp.array(x)
        put_checked(put, xp, result, indices, updates)
        return result

    defined = define_op(
        op,
        {"tensor": group, "indices": INDEX, "updates": group},
        _updated_spec,
        kernel,
        grad=grad,
        emit=emit,
        samples=(
            sample([1, 2, 3], [[0], [2]], [8, 9]),
            sample(MATRIX, [[1]], [[0.5, 7.0, 5.5]]),
            sample([1.0, 2.0, 3.0], [[0], [2]], [8.0, 0.5]),
        ),
    )

    def function(
        tensor: TensorLike, indices: TensorLike, updates: TensorLike, *, name: str | None = None
    ) -> Tensor:
        return defined.apply((tensor, indices, updates), name)

    return publish(function, __name__, name, defined, about, _ARGUMENTS, example)


tensor_scatter_nd_update = _row(
    "tensor_scatter_nd_update",
    "TensorScatterUpdate",
    ANY,
    replace,
    _update_grad,
    "Replace elements at index tuples; of repeated tuples the last update counts.",
    "[1, 2, 3], [[0]], [9] -> [9 2 3]",
    Emit.SCATTER_UPDATE,
)
tensor_scatter_nd_add = _row(
    "tensor_scatter_nd_add",
    "TensorScatterAdd",
    NUMERIC,
    at_once("add"),
    lambda g, y, x, indices, updates: (g, None, gather_nd.op(g, indices)),
    "Add updates to elements at index tuples; updates of repeated tuples add up.",
    "[1, 2], [[0], [0]], [1, 1] -> [3 2]",
    Emit.SCATTER_ADD,
)
tensor_scatter_nd_sub = _row(
    "tensor_scatter_nd_sub",
    "TensorScatterSub",
    NUMERIC,
    at_once("subtract"),
    lambda g, y, x, indices, updates: (g, None, -gather_nd.op(g, indices)),
    "Subtract updates from elements at index tuples, repeated ones too.",
    "[1, 2], [[0], [0]], [1, 1] -> [-1  2]",
    Emit.SCATTER_SUB,
)
tensor_scatter_nd_min = _row(
    "tensor_scatter_nd_min",
    "TensorScatterMin",
    REAL,
    at_once("minimum"),
    _extreme_grad,
    "Take the smaller of element and update at index tuples.",
    "[1, 2], [[0], [1]], [5, 0] -> [1 0]",
    Emit.SCATTER_MIN,
)
tensor_scatter_nd_max = _row(
    "tensor_scatter_nd_max",
    "TensorScatterMax",
    REAL,
    at_once("maximum"),
    _extreme_grad,
    "Take the larger of element and update at index tuples.",
    "[1, 2], [[0], [1]], [5, 2] -> [5 2]",
    Emit.SCATTER_MAX,
)
