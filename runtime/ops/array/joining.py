"""Functions that join tensors along an axis, and split them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.aliases import Array, AxisLike, Namespace
from runtime.core.errors import IncompatibleShapesError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import ANY, INDEX, Emit, Entries, Failure, sample
from runtime.core.shapes import Dims, bracketed
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Operators, Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.identity import identity
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, static_numbers
from runtime.ops.base.convert import PACK, convert_to_tensor, rows_in_graph
from runtime.ops.base.define import Op, call, define_op, op
from runtime.ops.base.node_forms import Place, moved_index
from runtime.ops.base.samples import MATRIX

_pack = Op(PACK)


def _concat_spec(*values: Tensor, axis: int) -> TensorSpec:
    shapes = [value.spec.dims for value in values]
    return spec_of(values[0].spec.dtype, _joined_dims(shapes, axis))


def _joined_dims(shapes: Sequence[Dims], axis: int) -> Dims:
    """Return the shape of joined tensors; raises ValueError if the shapes do not fit."""
    dims = next((own for own in shapes if own is not None), None)
    if dims is None:
        return None
    position = _joint_axis(axis, len(dims))
    total: int | None = 0
    for number, own in enumerate(shapes):
        if own is None:
            total = None
            continue
        if len(own) != len(dims) or not _same_but(own, dims, position):
            raise ValueError(_difference(dims, own, number, position))
        length = own[position]
        total = None if total is None or length is None else total + length
        dims = tuple(y if x is None else x for x, y in zip(dims, own, strict=True))
    return (*dims[:position], total, *dims[position + 1 :])


def _joint_axis(axis: int, rank: int) -> int:
    if not rank:
        raise ValueError("ConcatOp : Can't concatenate scalars (use tf.stack instead)")
    if not -rank <= axis < rank:
        raise ValueError(
            f"ConcatOp : Expected concatenating dimensions in the range [{-rank}, {rank}), but got "
            f"{axis}. Shape must be at least rank {axis + 1 if axis >= 0 else -axis} but is rank "
            f"{rank}"
        )
    return axis % rank


def _same_but(a: Sequence[int | None], b: Sequence[int | None], axis: int) -> bool:
    return all(
        i == axis or x is None or y is None or x == y
        for i, (x, y) in enumerate(zip(a, b, strict=True))
    )


def _difference(first: Sequence[Any], other: Sequence[Any], number: int, axis: int) -> str:
    """Describe where a shape differs from the first one in other axes than the joined one."""
    shown = f"shape[0] = {bracketed(tuple(first))} vs. shape[{number}] = {bracketed(tuple(other))}"
    if len(first) != len(other):
        return f"ConcatOp : Ranks of all input tensors should match: {shown}"
    place = next(
        i
        for i, (x, y) in enumerate(zip(first, other, strict=True))
        if i != axis and None not in (x, y) and x != y
    )
    return (
        f"ConcatOp : Dimension {place} in both shapes must be equal: {shown}. They are "
        f"{first[place]} and {other[place]}"
    )


def _concat(xp: Namespace, *values: Array, axis: int) -> Array:
    try:
        return xp.concatenate(values, axis=axis)
    except ValueError:
        _joined_dims([value.shape for value in values], axis)
        raise


def _offsets(xp: Namespace, *shapes: Array, axis: int) -> Array:
    begin = xp.zeros_like(shapes[0])
    offsets = []
    for dims in shapes:
        offsets.append(begin.copy())
        begin[axis] += dims[axis]
    return tuple(offsets)


_OFFSETS = define_op(
    "ConcatOffset",
    {"*shape": INDEX},
    lambda *shapes, axis: tuple(dims.spec for dims in shapes),
    _offsets,
    outputs=None,
    node=NodeForm(moved=(moved_index(0, "concat_dim"),)),
    samples=(sample([2, 3], [1, 3], axis=0),),
)
"""Offset of each tensor in the joined one, a vector for each."""


def _concat_grad(g: Tensor, y: Tensor, *values: Tensor, axis: int) -> list[Tensor]:
    shapes = [shape(value) for value in values]
    begins = _OFFSETS.outputs(*shapes, axis=axis)
    return [call("Slice", g, begin, dims) for begin, dims in zip(begins, shapes, strict=True)]


def _one_axis(axis: AxisLike) -> int:
    if type(axis) is int:
        return axis
    positions = static_numbers(axis)
    if len(positions) != 1:
        raise IncompatibleShapesError.of(
            f"`axis` must be a scalar: Shape must be rank 0, got {list(positions)}"
        )
    return positions[0]


def _concat_entries(read: Entries, *values: Tensor, axis: int) -> list[Any] | None:
    entries: list[Any] = []
    for value in values:
        part = read(value)
        if part is None:
            return None
        entries += part
    return entries


@op(
    "ConcatV2",
    {"*values": ANY},
    infer=_concat_spec,
    kernel=_concat,
    failure=Failure.SHAPES,
    grad=_concat_grad,
    entries=_concat_entries,
    emit=Emit.JOINED,
    node=NodeForm(moved=(moved_index(-1, "axis"),)),
    samples=(sample([1, 2], [3], axis=0), sample(MATRIX, MATRIX, axis=-1)),
)
def concat(values: TensorLike, axis: AxisLike, name: str | None = "concat") -> Tensor:
    """Concatenate tensors along an axis that they have.

    Args:
      values: list of tensors of one dtype whose shapes differ in `axis` alone, or one tensor.
      axis: the axis.

    Returns: Tensor of that dtype.
    Raises: InvalidArgumentError if other dimensions differ, there is no such axis, or no tensor;
      ValueError for two tensors in place of a list and an axis.

    >>> print(concat([[[1, 2]], [[3, 4]]], axis=1).numpy())
    [[1 2 3 4]]
    """
    is_one = isinstance(values, (Operators, np.ndarray))
    if is_one and np.ndim(axis):
        raise ValueError(
            f"Shape {np.shape(axis)} of `axis` must have rank 0. concat takes several tensors as a "
            "list: concat([a, b], axis)."
        )
    position = _one_axis(axis)
    if (rows := rows_in_graph(values)) is not None:
        return identity(_merged(rows, position), name=name)
    values = (values,) if is_one else tuple(values)
    if not values:
        raise IncompatibleShapesError.of(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2."
        )
    if len(values) == 1:
        return identity(values[0], name=name)
    return concat.op.apply(values, name, {"axis": position})


def _merged(rows: Tensor, axis: int) -> Tensor:
    """Return the rows of a tensor, concatenated along an axis that they have."""
    dims = rows.spec.dims
    position = axis if dims is None else _joint_axis(axis, len(dims) - 1)
    if position:
        rows = _with_first_axis_at(rows, position)
    lengths = shape(rows)
    joint = lengths[position : position + 1] * lengths[position + 1 : position + 2]
    joined = concat([lengths[:position], joint, lengths[position + 2 :]], 0)
    return call("Reshape", rows, joined)


def _with_first_axis_at(x: Tensor, position: int) -> Tensor:
    """Return a tensor whose first axis moves to a position, counted among its own axes."""
    if x.spec.dims is None:
        raise ValueError(
            "the rank of the elements is not known yet, so only their first axis can be used"
        )
    others = range(1, len(x.spec.dims))
    perm = (*others[:position], 0, *others[position:])
    return call("Transpose", x, perm=perm, conjugate=False)


def stack(values: object, axis: int = 0, name: str | None = "stack") -> Tensor:
    """Stack tensors of one shape along a new axis.

    Args:
      values: list of tensors of one dtype and shape; an empty one gives an empty float32 vector.
      axis: position of the new axis in the result.

    Returns: Tensor of that dtype with one dimension more.
    Raises: InvalidArgumentError if the shapes differ, or `axis` is out of range.

    >>> print(stack([[1, 2], [3, 4]], axis=1).numpy())
    [[1 3]
     [2 4]]
    """
    if isinstance(values, (list, tuple)) and not values:
        return convert_to_tensor([], name=name)
    if not isinstance(values, (list, tuple)):
        rows = convert_to_tensor(values)
        if axis == 0:
            return rows
        dims = rows.spec.dims
        if dims == ():
            raise ValueError(
                "Argument `values` of stack is a scalar. Pass several tensors as a list: "
                "stack([a, b], axis)."
            )
        if dims is not None and dims[:1] == (None,):
            position = rules.normalize_axis(static_int("axis", axis), len(dims))
            return _with_first_axis_at(rows, position)
        values = unstack(rows)
    attrs = {"axis": static_int("axis", axis)}
    return _pack.apply(tuple(values), name, attrs)


def _unstacked_spec(x: Tensor, num: int, axis: int) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return (x.spec,) * num
    position = _check_count(dims, num, axis)
    return (x.spec.with_dims((*dims[:position], *dims[position + 1 :])),) * num


def _check_count(dims: Sequence[int | None], num: int, axis: int) -> int:
    """Return the normalized axis; raises ValueError unless its length is `num`."""
    position = rules.normalize_axis(axis, len(dims))
    if dims[position] not in (num, None):
        raise ValueError(
            f"Input shape axis {axis} must equal {num}, got shape {bracketed(tuple(dims))}: "
            f"Dimension must be {num}"
        )
    return position


def _unstack(xp: Namespace, x: Array, num: int, axis: int) -> Array:
    position = _check_count(x.shape, num, axis)
    return tuple(xp.moveaxis(x, position, 0) if position else x)


@op(
    "Unpack",
    {"value": ANY},
    infer=_unstacked_spec,
    kernel=_unstack,
    outputs=None,
    grad=lambda g, y, x, num, axis: (_pack(*g, axis=axis),),
    emit=Emit.ROWS,
    failure=Failure.SHAPES,
    samples=(sample([1, 2], num=2, axis=0), sample(MATRIX, num=3, axis=-1)),
)
def unstack(
    value: TensorLike, num: int | None = None, axis: int = 0, name: str | None = "unstack"
) -> list[Tensor]:
    """Split a tensor into slices of length 1 along an axis, and remove the axis.

    Args:
      value: any tensor.
      num: the length of the axis; needed where it is not known while recording.
      axis: the axis.

    Returns: List of tensors with one dimension less.
    Raises: ValueError if the length is not known, or there is no such axis.

    >>> [part.numpy().tolist() for part in unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]
    """
    tensor = convert_to_tensor(value)
    if num is None:
        dims = tensor.spec.dims
        if dims is not None and not -len(dims) <= axis < len(dims):
            raise ValueError(f"Argument `axis` = {axis} not in range [{-len(dims)}, {len(dims)})")
        num = None if dims is None else dims[axis]
    if num is None:
        raise ValueError(
            f"Cannot infer argument `num` from shape {tensor.shape}: the length of axis {axis} is "
            "not known yet, so unstack needs `num`"
        )
    position = axis if type(axis) is int else static_int("axis", axis)
    return list(unstack.op.outputs(tensor, num=num, axis=position, name=name))


def _complete(length: int | None, parts: tuple[int, ...]) -> tuple[int | None, ...]:
    """Replace -1 by the length that is left; raises ValueError if the parts do not fit."""
    if parts.count(-1) > 1:
        raise ValueError("There can only be one -1 in the input: size_splits can only have one -1")
    for index, part in enumerate(parts):
        if part < -1:
            raise ValueError(f"Split size at index {index} must be >= 0. Got: {part}")
    fixed = sum(part for part in parts if part != -1)
    if length is not None and (fixed != length if -1 not in parts else fixed > length):
        raise ValueError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified. Got: {fixed}: can't split axis of size {length} into pieces of size "
            f"[{','.join(map(str, parts))}]"
        )
    rest = None if length is None else length - fixed
    return tuple(rest if part == -1 else part for part in parts)


def _split_sizes(length: int | None, parts: int | tuple[int, ...]) -> list[int | None]:
    if isinstance(parts, tuple):
        return list(_complete(length, parts))
    if length is None:
        return [None] * parts
    if length % parts:
        raise ValueError(
            "Number of ways to split should evenly divide the split dimension, but got split_dim "
            f"with size {length} and num_split {parts}: Dimension size must be evenly divisible by "
            f"{parts} but is {length}"
        )
    return [length // parts] * parts


def _split_axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise ValueError(
            f"-input rank(-{rank}) <= split_dim < input rank ({rank}), but got {axis}: it must be "
            f"in range [-{rank}, {rank})"
        )
    return axis % rank


def _split_spec(x: Tensor, parts: int | tuple[int, ...], axis: int) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return (x.spec,) * (parts if isinstance(parts, int) else len(parts))
    position = _split_axis(axis, len(dims))
    return tuple(
        x.spec.with_dims((*dims[:position], length, *dims[position + 1 :]))
        for length in _split_sizes(dims[position], parts)
    )


def _split(xp: Namespace, x: Array, parts: int | tuple[int, ...], axis: int) -> Array:
    position = _split_axis(axis, x.ndim)
    lengths = [length or 0 for length in _split_sizes(x.shape[position], parts)]
    return tuple(xp.split(x, np.cumsum(lengths)[:-1], axis=position))


def _write_split(place: Place) -> list[Ref]:
    axis, parts = place.op.attrs["axis"], place.op.attrs["parts"]
    where = place.constant(np.int32(axis), "split_dim")
    if isinstance(parts, int):
        return place.main("Split", [where, *place.inputs], num_split=parts)
    sizes = place.constant(np.array(parts, np.int32), "size_splits")
    return place.main("SplitV", [*place.inputs, sizes, where], num_split=len(parts))


@op(
    "SplitV",
    {"value": ANY},
    infer=_split_spec,
    kernel=_split,
    outputs=None,
    grad=lambda g, y, x, parts, axis: (concat.op(*g, axis=axis),),
    emit=Emit.PARTS,
    node=NodeForm(write=_write_split),
    samples=(
        sample([1.0, 2.0, 3.0, 4.0], parts=2, axis=0),
        sample([1.0, 2.0, 3.0], parts=(-1, 1), axis=0),
        sample([1, 2, 3, 4], parts=2, axis=0),
        sample(MATRIX, parts=(1, 2), axis=1),
    ),
)
def split(
    value: TensorLike,
    num_or_size_splits: TensorLike,
    axis: AxisLike = 0,
    *,
    name: str | None = "split",
) -> list[Tensor]:
    """Split a tensor along an axis, into equal parts or parts of given lengths.

    Args:
      value: any tensor.
      num_or_size_splits: the number of parts, or the length of each; one may be -1: what is left.
      axis: the axis.

    Returns: List of tensors.
    Raises:
      InvalidArgumentError: if the parts do not make up the tensor.
      ValueError: if the lengths are not known while recording.

    >>> [part.numpy().tolist() for part in split([1, 2, 3, 4, 5], [2, -1])]
    [[1, 2], [3, 4, 5]]
    """
    tensor, position = convert_to_tensor(value), axis if type(axis) is int else _one_axis(axis)
    sizes = num_or_size_splits
    if isinstance(sizes, Tensor):
        known = static_value(sizes)
        if known is None:
            raise ValueError(
                "the number and lengths of parts have to be known while the graph is recorded; "
                "runtime.slice takes a part of any length"
            )
        sizes = known
    parts: Any
    if isinstance(sizes, (list, tuple)) and set(map(type, sizes)) <= {int}:
        parts = tuple(sizes)
    elif isinstance(sizes, (list, tuple)) and any(isinstance(part, Tensor) for part in sizes):
        return split(tensor, convert_to_tensor(sizes), position, name=name)
    elif type(sizes) is int or np.ndim(sizes) == 0:
        parts = _check_number_of_parts(sizes)
    else:
        parts = tuple(map(int, sizes))
    return list(split.op.outputs(tensor, parts=parts, axis=position, name=name))


def _check_number_of_parts(number: Any) -> int:
    is_array = isinstance(number, np.ndarray) and number.dtype.kind in "iu"
    if not isinstance(number, (int, np.integer)) and not is_array:
        raise ValueError(
            "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
            f"Argument provided: {number}"
        )
    if int(number) < 1:
        raise IncompatibleShapesError.of(
            f"Number of ways to split should be > 0, but got {number}: Attr 'num_split' of "
            f"'Split' Op passed {number} less than minimum 1"
        )
    return int(number)
