"""Shape rules that many ops share."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.core import dtypes
from runtime.core.shapes import Dims, broadcast
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor


def same(x: Tensor, **attrs: object) -> TensorSpec:
    """Return the spec of the only input."""
    return x.spec


def boolean(x: Tensor, **attrs: object) -> TensorSpec:
    """Return the shape of the only input, with dtype bool."""
    return x.spec.with_dtype(dtypes.bool)


def broadcasted(*inputs: Tensor, **attrs: object) -> TensorSpec:
    """Return the broadcast shape of the inputs, with the dtype of the last."""
    dims: Dims = ()
    for tensor in inputs:
        dims = broadcast(dims, tensor.spec.dims)
    return spec_of(inputs[-1].spec.dtype, dims)


def compared(x: Tensor, y: Tensor) -> TensorSpec:
    """Return the broadcast shape of the inputs, with dtype bool."""
    return spec_of(dtypes.bool, broadcast(x.spec.dims, y.spec.dims))


def shaped(rule: Callable[..., Dims]) -> Callable[..., TensorSpec]:
    """Return the rule of an output with the dtype of the first input and the shape `rule(dims)`.

    `rule(dims, **attrs)` checks what can be known of a shape; its kernel calls it with the shape of
    the array, so that both say the same. An unknown rank stays unknown.
    """

    def infer(x: Tensor, *rest: Tensor, **attrs: object) -> TensorSpec:
        dims = x.spec.dims
        return x.spec if dims is None else x.spec.with_dims(rule(dims, **attrs))

    return infer


def known_int(x: Tensor) -> int | None:
    """Return the static value of an integer scalar; None if it is not known."""
    value = static_value(x)
    return None if value is None else int(value)


def normalize_axis(axis: int, rank: int) -> int:
    """Normalize a possibly negative axis. Raises ValueError if out of range."""
    if not -rank <= axis < rank:
        raise ValueError(f"axis {axis} is not in [{-rank}, {rank})")
    return axis % rank


def normalize_axes(axis: Sequence[int], rank: int) -> set[int]:
    """Normalize axes. Raises ValueError for an axis out of range or repeated."""
    gone: set[int] = set()
    for entry in axis:
        if not -rank <= entry < rank:
            raise ValueError(
                f"Invalid reduction dimension ({entry} for input with {rank} dimension(s)"
            )
        if entry % rank in gone:
            raise ValueError(
                f"Invalid reduction arguments: Axes contains duplicate dimension: {entry % rank}"
            )
        gone.add(entry % rank)
    return gone


def reduced_dims(dims: Dims, axis: Sequence[int] | None, keepdims: bool) -> Dims:
    """Return the shape after a reduction over `axis` (None: all)."""
    if dims is None:
        return None if axis is not None or keepdims else ()
    rank = len(dims)
    gone = set(range(rank)) if axis is None else normalize_axes(axis, rank)
    if keepdims:
        return tuple(1 if i in gone else dim for i, dim in enumerate(dims))
    return tuple(dim for i, dim in enumerate(dims) if i not in gone)
