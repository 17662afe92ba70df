"""Functions that give the elements of a tensor another shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, Axes, AxisLike, Namespace, ShapeLike
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, INDEX, Emit, Failure, Storage, sample
from runtime.core.operation import Operation
from runtime.core.shapes import Dims, TensorShape, as_dims, bracketed, element_count, known
from runtime.core.spec import TensorSpec
from runtime.core.static import static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.arguments import shape_argument, static_axes, static_numbers
from runtime.ops.base.define import op, shape_of
from runtime.ops.base.node_forms import Place, moved_index
from runtime.ops.base.samples import MATRIX

Entries = Sequence[int | None]
"""The entries of a vector of integers; None: not known while the graph is recorded."""


def _reshaped_like(g: Tensor, y: Tensor, x: Tensor, *rest: Tensor, **attrs: object) -> Any:
    """Give the gradient the shape of the input."""
    return (reshape(g, shape_of(x)), *(None for _ in rest))


def check_vector(rank: int | None, rule: str) -> None:
    """Raise ValueError, with the rule that is broken, for a rank other than 1."""
    if rank is not None and rank != 1:
        raise ValueError(f"{rule}, not {rank}-D: Shape must be rank 1 but is rank {rank}")


def _reshape_spec(x: Tensor, shape: Tensor) -> TensorSpec:
    if shape.shape.rank:
        check_vector(shape.shape.rank, "sizes input must be 1-D")
    entries = static_entries(shape)
    return x.spec.with_dims(None if entries is None else _reshaped_dims(x.spec.dims, entries))


def _reshaped_dims(own: Dims, entries: Entries) -> tuple[int | None, ...]:
    """Return the shape that `entries` mean; raises ValueError if the elements do not fit."""
    _check_sizes(entries)
    dims = tuple(None if entry == -1 else entry for entry in entries)
    count = element_count(own)
    if dims == (None,):
        return (count,)
    if own is None or count is None or entries.count(None):
        return dims
    if None in dims:
        return _with_missing(known(own), dims)
    size = element_count(dims)
    if size != count:
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {bracketed(dims)} ({size} "
            f"elements): Input to reshape is a tensor with {count} values, but the requested shape "
            f"has {size}"
        )
    return dims


def _check_sizes(entries: Entries) -> None:
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


def _with_missing(own: Sequence[int], dims: Entries) -> tuple[int, ...]:
    """Replace the None of a new shape by a length; next to a 0, lengths of 0 do not count."""
    skips = 0 in dims
    count = math.prod(length for length in own if length or not skips)
    rest = math.prod(dim for dim in dims if dim)
    if count % rest and not (skips and 0 in own):
        target = bracketed(tuple(-1 if dim is None else dim for dim in dims))
        raise ValueError(
            f"Cannot reshape a tensor with {count} elements to shape {target}: Input to reshape is "
            f"a tensor with {count} values, but the requested shape requires a multiple of {rest}: "
            f"Dimension size must be evenly divisible by {rest} but is {count}"
        )
    return tuple(count // rest if dim is None else dim for dim in dims)


def _reshape(xp: Namespace, x: Array, shape: Array) -> Array:
    rank = shape.ndim
    if rank > 1:
        check_vector(rank, "sizes input must be 1-D")
    entries = shape.tolist() if rank else [int(shape)]
    if entries and min(entries) < -1:
        _check_sizes(entries)
    try:
        return x.reshape(entries)
    except ValueError:
        return x.reshape(_reshaped_dims(x.shape, entries))


def _fits(reshape: Operation) -> bool:
    """Return whether the shape is static, and right for the number of elements."""
    x, shape = reshape.inputs
    entries = static_entries(shape)
    counts = [element_count(tensor.spec.dims) for tensor in (x, reshape.outputs[0])]
    return entries is not None and None not in entries and counts[0] == counts[1] is not None


@op(
    "Reshape",
    {"tensor": ANY, "shape": INDEX},
    infer=_reshape_spec,
    kernel=_reshape,
    grad=_reshaped_like,
    storage=Storage.VIEW,
    emit=Emit.RESHAPE,
    safe=_fits,
    samples=(
        sample(MATRIX, [3, 2]),
        sample(MATRIX, [-1]),
        sample(5, [1, 1]),
        sample(np.zeros((0, 3)), [0, -1]),
    ),
)
def reshape(tensor: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Give the elements another shape; their order stays.

    Args:
      tensor: any tensor.
      shape: int32 or int64 vector; one entry may be -1: the length that is left.

    Returns: Tensor of that shape and the dtype of `tensor`.
    Raises: InvalidArgumentError if the number of elements does not fit.

    >>> print(reshape([1, 2, 3, 4], [2, -1]).numpy())
    [[1 2]
     [3 4]]
    """
    return reshape.op.apply((tensor, shape_argument(shape)), name)


def _transpose_spec(x: Tensor, perm: Axes, conjugate: bool) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return x.spec.with_dims(None if perm is None else (None,) * len(perm))
    if perm is None:
        return x.spec.with_dims(dims[::-1])
    _check_permutation(perm, len(dims))
    return x.spec.with_dims(tuple(dims[axis] for axis in perm))


def _check_permutation(perm: tuple[int, ...], rank: int) -> None:
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


def _transpose(xp: Namespace, x: Array, perm: Axes, conjugate: bool) -> Array:
    try:
        moved = x.transpose(perm)
    except ValueError:
        _check_permutation(perm or (), x.ndim)
        raise
    return xp.conj(moved) if conjugate else moved


def _transpose_grad(g: Tensor, y: Tensor, x: Tensor, perm: Axes, conjugate: bool) -> tuple[Tensor]:
    back = None if perm is None else np.argsort([axis % len(perm) for axis in perm]).tolist()
    return (transpose(g, back, conjugate),)


def _write_transpose(place: Place) -> list[Ref]:
    perm = place.op.attrs["perm"]
    (x,) = place.inputs
    order = (
        _reversed(place, x) if perm is None else place.constant(np.array(perm, np.int32), "perm")
    )
    kind = "ConjugateTranspose" if place.op.attrs["conjugate"] else "Transpose"
    return place.main(kind, [x, order])


def _reversed(place: Place, x: Ref) -> Ref:
    """Return the axes from last to first."""
    rank = place.op.inputs[0].shape.rank
    if rank is not None:
        return place.constant(np.arange(rank, dtype=np.int32)[::-1], "perm")
    one, minus, none = (
        place.constant(np.int32(number), label)
        for number, label in ((1, "one"), (-1, "delta"), (0, "zero"))
    )
    (count,) = place.part("Rank", [x], "Rank")
    (last,) = place.part("Sub", [count, one], "sub")
    (below,) = place.part("Sub", [none, one], "sub")
    return place.part("Range", [last, below, minus], "range")[0]


@op(
    "Transpose",
    {"x": ANY},
    infer=_transpose_spec,
    kernel=_transpose,
    grad=_transpose_grad,
    failure=Failure.SHAPES,
    storage=Storage.VIEW,
    emit=Emit.TRANSPOSE,
    node=NodeForm(write=_write_transpose),
    samples=(
        sample([[MATRIX]], perm=(2, 0, 3, 1), conjugate=False),
        sample(MATRIX, perm=None, conjugate=False),
        sample([[[1, 2]]], perm=(2, 0, 1), conjugate=False),
        sample([[[1.0, 2.0]]], perm=(-1, 0, -2), conjugate=False),
    ),
)
def transpose(
    a: TensorLike, perm: AxisLike = None, conjugate: bool = False, name: str | None = "transpose"
) -> Tensor:
    """Permute the dimensions.

    Args:
      a: any tensor.
      perm: for each dimension of the result, that of `a`; None: in reverse order.
      conjugate: whether to conjugate complex elements.

    Returns: Tensor of the dtype of `a` whose dimension `i` is dimension `perm[i]` of `a`.
    Raises: InvalidArgumentError if `perm` is not a permutation of the dimensions.

    >>> print(transpose([[1, 2], [3, 4]]).numpy())
    [[1 3]
     [2 4]]
    """
    attrs = {"perm": static_axes(perm), "conjugate": conjugate}
    return transpose.op.apply((a,), name, attrs)


def _expanded_dims(dims: Entries, axis: int) -> tuple[int | None, ...]:
    rank = len(dims)
    if not -rank - 1 <= axis <= rank:
        raise ValueError(
            f"Tried to expand dim index {axis} for tensor with {rank} dimensions: dim {axis} not "
            f"in the interval [{-rank - 1}, {rank}]."
        )
    position = axis % (rank + 1)
    return (*dims[:position], 1, *dims[position:])


@op(
    "ExpandDims",
    {"input": ANY},
    infer=rules.shaped(_expanded_dims),
    kernel=lambda xp, x, axis: x.reshape(_expanded_dims(x.shape, axis)),
    grad=_reshaped_like,
    failure=Failure.SHAPES,
    storage=Storage.VIEW,
    emit=Emit.NEW_AXIS,
    node=NodeForm(moved=(moved_index(1, "dim"),)),
    samples=(sample([1, 2], axis=0), sample(MATRIX, axis=-1), sample(3, axis=0)),
)
def expand_dims(input: TensorLike, axis: AxisLike, name: str | None = None) -> Tensor:
    """Insert a dimension of length 1.

    Args:
      input: any tensor.
      axis: position of the new dimension in the result, -rank - 1 <= axis <= rank.

    Returns: Tensor with the elements of `input` and one dimension more.
    Raises: InvalidArgumentError if `axis` is out of range or not one number.

    >>> print(expand_dims([1, 2], -1).numpy().tolist())
    [[1], [2]]
    """
    axes = static_numbers(axis)
    if len(axes) != 1:
        raise IncompatibleShapesError.of(
            "'dim' must be a tensor with a single value: 'dim' input must be a tensor with a "
            f"single value, got {list(axes)}"
        )
    return expand_dims.op.apply((input,), name, {"axis": axes[0]})


def _squeezed_dims(dims: Entries, axis: Axes) -> Dims:
    """Return a shape without the axes of length 1; raises ValueError if `axis` has others."""
    rank = len(dims)
    for place, entry in enumerate(axis or ()):
        if not -rank <= entry < rank:
            raise ValueError(
                f"Tried to squeeze dim index {entry} for tensor with {rank} dimensions. "
                f"squeeze_dims[{place}] not in [{-rank},{rank})."
            )
    if axis is None:
        return None if None in dims else tuple(dim for dim in dims if dim != 1)
    gone = {entry % rank for entry in axis}
    for position in sorted(gone):
        if dims[position] not in (1, None):
            raise ValueError(
                f"Can not squeeze dim[{position}], expected a dimension of 1, got {dims[position]}"
            )
    return tuple(dim for i, dim in enumerate(dims) if i not in gone)


def _squeeze(xp: Namespace, x: Array, axis: Axes) -> Array:
    try:
        return x.squeeze(axis)
    except ValueError:  # also where an axis is repeated
        return x.reshape(_squeezed_dims(x.shape, axis))


@op(
    "Squeeze",
    {"input": ANY},
    infer=rules.shaped(_squeezed_dims),
    kernel=_squeeze,
    grad=_reshaped_like,
    failure=Failure.SHAPES,
    storage=Storage.VIEW,
    emit=Emit.SQUEEZE,
    node=NodeForm(
        renamed={"axis": "squeeze_dims"},
        encode={"axis": lambda axis: axis or ()},
    ),
    samples=(sample([[1], [2]], axis=None), sample([[[1, 2]]], axis=(0, 1))),
)
def squeeze(input: TensorLike, axis: AxisLike = None, name: str | None = None) -> Tensor:
    """Remove dimensions of length 1.

    Args:
      input: any tensor.
      axis: the dimensions to remove; None or empty: all of length 1.

    Returns: Tensor with the elements of `input`.
    Raises: InvalidArgumentError if a dimension in `axis` has another length.

    >>> print(squeeze([[[1], [2]]], axis=0).numpy().tolist())
    [[1], [2]]
    """
    return squeeze.op.apply((input,), name, {"axis": static_axes(axis) or None})


def _ensure(xp: Namespace, x: Array, shape: Dims) -> Array:
    if not TensorShape(x.shape).is_compatible_with(shape):
        raise ValueError(
            f"Shape of tensor {bracketed(x.shape)} is not compatible with expected shape "
            f"{bracketed(shape)}."
        )
    return x


@op(
    "EnsureShape",
    {"input": ANY},
    infer=lambda x, shape: x.spec.with_dims(as_dims(x.shape.merge_with(shape))),
    kernel=_ensure,
    grad=lambda g, y, x, shape: (g,),
    samples=(sample([1, 2], shape=(None,)), sample([1.0, 2.0], shape=(2,))),
)
def ensure_shape(x: TensorLike, shape: ShapeLike, name: str | None = None) -> Tensor:
    """Return the tensor, checked to have a shape when the graph runs.

    Args:
      x: any tensor.
      shape: anything a `TensorShape` can be made of; None: any length.

    Returns: `x`; while a graph is recorded its shape is known as far as `shape` tells.
    Raises: InvalidArgumentError if `x` has another shape.

    >>> print(ensure_shape([1, 2], [None]).numpy())
    [1 2]
    """
    return ensure_shape.op(x, shape=as_dims(shape), name=name)
