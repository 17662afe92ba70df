"""Functions that reverse, roll and repeat the elements of a tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm
from runtime.core.opdef import ANY, INDEX, NOT_DIFFERENTIABLE, DTypes, Emit, Failure, sample
from runtime.core.shapes import Dims, bracketed
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import concat
from runtime.ops.array.ranges import int32_count
from runtime.ops.array.repeating import broadcast_to
from runtime.ops.array.shaping import expand_dims, reshape
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_numbers
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import define_op, op
from runtime.ops.base.node_forms import moved_ints
from runtime.ops.base.samples import MATRIX
from runtime.ops.items.gathering import gather
from runtime.ops.items.indexing import getitem, lengths

_AXIS = DTypes("int32 or int64", *INDEX.members)
"""A group of its own: shifts and axes may have different dtypes."""


def _reversed_dims(dims: Dims, axis: tuple[int, ...]) -> Dims:
    positions = {rules.normalize_axis(entry, len(dims or ())) for entry in axis}
    if len(positions) < len(axis):
        raise ValueError(f"axis {axis} specified more than once")
    return dims


def _reverse(xp: Namespace, x: Array, axis: tuple[int, ...]) -> Array:
    _reversed_dims(x.shape, axis)
    return xp.flip(x, axis).copy() if axis else x.copy()


def _reverse_grad(g: Tensor, y: Tensor, x: Tensor, axis: tuple[int, ...]) -> tuple[Tensor]:
    return (reverse.op(g, axis=axis),)


@op(
    "ReverseV2",
    {"tensor": ANY},
    infer=rules.shaped(_reversed_dims),
    kernel=_reverse,
    failure=Failure.SHAPES,
    grad=_reverse_grad,
    node=NodeForm(moved=(moved_ints("axis", "axis"),)),
    samples=(sample([1, 2, 3], axis=(0,)), sample(MATRIX, axis=(0, 1))),
)
def reverse(tensor: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Reverse the order of the elements along axes.

    Args:
      tensor: any tensor.
      axis: list of axes.

    Returns: Tensor of the shape and dtype of `tensor`.
    Raises: InvalidArgumentError if `axis` is not a list, or an axis is out of range or repeated.

    >>> print(reverse([[1, 2], [3, 4]], [1]).numpy())
    [[2 1]
     [4 3]]
    """
    flat = isinstance(axis, (list, tuple)) and set(map(type, axis)) <= {int}
    rank = 1 if flat else convert_to_tensor(axis).shape.rank
    if rank not in (1, None):
        raise IncompatibleShapesError.of(
            f"'dims' must be 1-dimension, not {rank}: Shape must be rank 1 but is rank {rank}"
        )
    return reverse.op.apply((tensor,), name, {"axis": static_numbers(axis)})


def _rolled_spec(x: Tensor, shift: Tensor, axis: Tensor) -> TensorSpec:
    _check_roll(x.shape.rank, shift.spec.dims, axis.spec.dims)
    return x.spec


def _check_roll(rank: int | None, shift: Dims, axis: Dims) -> None:
    if rank == 0:
        raise ValueError("input must be 1-D or higher: Shape must be at least rank 1 but is rank 0")
    if shift is None or axis is None or shift == axis:
        return
    if len(shift) != len(axis) or (None not in (*shift, *axis)):
        raise ValueError(
            "shift and axis must have the same size: Dimension 0 in both shapes must be equal. "
            f"Shapes are {bracketed(shift)} and {bracketed(axis)}"
        )


def _roll(xp: Namespace, x: Array, shift: Array, axis: Array) -> Array:
    _check_roll(x.ndim, np.shape(shift), np.shape(axis))
    axes = [rules.normalize_axis(entry, x.ndim) for entry in np.ravel(axis).tolist()]
    return xp.roll(x, np.ravel(shift).tolist(), axes)


def _roll_grad(
    g: Tensor, y: Tensor, x: Tensor, shift: Tensor, axis: Tensor
) -> tuple[Tensor | None, ...]:
    return (roll.op(g, -shift, axis), None, None)


@op(
    "Roll",
    {"input": ANY, "shift": INDEX, "axis": _AXIS},
    infer=_rolled_spec,
    kernel=_roll,
    grad=_roll_grad,
    emit=Emit.ROLLED,
    samples=(sample(MATRIX, 1, 0), sample(MATRIX, [1, -2], [0, 1])),
)
def roll(input: TensorLike, shift: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """Shift the elements along axes; those shifted out at one end come in at the other.

    Args:
      input: tensor of at least one dimension.
      shift: int32 or int64, scalar or one entry for each axis; positive: to higher indices.
      axis: int32 or int64, the axes; shifts along an axis that is repeated add up.

    Returns: Tensor of the shape and dtype of `input`.
    Raises: InvalidArgumentError if there is not one shift for each axis, or no such axis.

    >>> print(roll([1, 2, 3, 4], shift=1, axis=0).numpy())
    [4 1 2 3]
    """
    return roll.op.apply((input, shift, axis), name)


def _repeated_spec(counts: Tensor, length: Tensor) -> TensorSpec:
    numbers, known = static_value(counts), static_value(length)
    if numbers is None or known is None:
        return counts.spec.with_dims((None,))
    return counts.spec.with_dims((len(_repeated(np, numbers, known)),))


def _repeated(xp: Namespace, counts: Array, length: Array) -> Array:
    if (counts < 0).any():
        raise ValueError(f"repeats must be non-negative, got {counts}")
    return xp.repeat(xp.arange(int(length), dtype=counts.dtype), counts)


_REPEATED_POSITIONS = define_op(
    "RepeatedPositions",
    {"repeats": INDEX, "length": INDEX},
    _repeated_spec,
    _repeated,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 0, 1], 3),),
)


def repeat(
    input: TensorLike, repeats: TensorLike, axis: int | None = None, name: str | None = None
) -> Tensor:
    """Repeat each slice along an axis.

    Args:
      input: any tensor.
      repeats: integer scalar, or vector with an entry for each slice.
      axis: the axis; None: flatten `input` first.

    Returns: Tensor of the dtype of `input`.
    Raises: InvalidArgumentError if a number is negative, or there is not one for each slice.

    >>> print(repeat([1, 2], repeats=[2, 1]).numpy())
    [1 1 2]
    """
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    counts = int32_count("repeats", repeats)
    rank = x.shape.rank
    if rank is None and axis < 0:
        raise ValueError("a negative axis needs a tensor of known rank")
    position = axis if rank is None else rules.normalize_axis(axis, rank)
    if rank is not None and counts.shape.num_elements() == 1:
        result = _repeated_alike(x, reshape(counts, []), position)
    else:
        positions = _REPEATED_POSITIONS(counts, getitem(shape(x), position))
        result = gather.op(x, positions, axis=position)
    return result if name is None else identity(result, name)


def _repeated_alike(x: Tensor, count: Tensor, axis: int) -> Tensor:
    """Repeat every slice `count` times: broadcast along a new axis, then merge the two axes."""
    sizes = lengths(x)
    known = static_value(count)
    times: Any = count if known is None else int(known)
    wide = broadcast_to(expand_dims(x, axis + 1), [*sizes[: axis + 1], times, *sizes[axis + 1 :]])
    return reshape(wide, [*sizes[:axis], sizes[axis] * times, *sizes[axis + 1 :]])


def meshgrid(*args: TensorLike, indexing: str = "xy", name: str = "meshgrid") -> list[Tensor]:
    """Return the coordinates of the points of a grid.

    Args:
      args: for each axis of the grid a vector of coordinates.
      indexing: "xy": the first two dimensions of the results are swapped; "ij": they are not.
      name: has no effect.

    Returns: For each argument a tensor with its coordinate at every point.
    Raises: ValueError for another `indexing`.

    >>> x, y = meshgrid([1, 2], [3, 4])
    >>> print(x.numpy().tolist(), y.numpy().tolist())
    [[1, 2], [1, 2]] [[3, 3], [4, 4]]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got '{indexing}'"
        )
    count = len(args)
    order = list(range(count))
    if indexing == "xy" and count > 1:
        order[:2] = [1, 0]
    axes = [reshape(value, [-1]) for value in args]
    dims = [shape(axes[i]) for i in order]
    grid: Any = concat(dims, 0) if dims else []
    return [
        broadcast_to(reshape(axis, [-1 if order[i] == n else 1 for i in range(count)]), grid)
        for n, axis in enumerate(axes)
    ]
