"""Ops that put tensors together along an axis, and take them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.dispatch import bracketed
from runtime.core.errors import IncompatibleShapesError
from runtime.core.opdef import ANY, INDEX, sample
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.dimensions import shape
from runtime.ops.array.identity import identity
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.base.structural import PACK

_pack = Op(PACK)


def _concat_spec(*values: Tensor, axis: int) -> TensorSpec:
    dims: Dims = next((value.spec.dims for value in values if value.shape.rank is not None), None)
    if dims is None:
        return values[0].spec
    position = _joint_axis(axis, len(dims))
    total: int | None = 0
    for number, value in enumerate(values):
        own = value.spec.dims
        if own is None:
            total = None
            continue
        if len(own) != len(dims) or not _same_but(own, dims, position):
            raise ValueError(_difference(dims, own, number, position))
        length = own[position]
        total = None if total is None or length is None else total + length
        dims = tuple(y if x is None else x for x, y in zip(dims, own, strict=True))
    return spec_of(values[0].spec.dtype, (*dims[:position], total, *dims[position + 1 :]))


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
    """What of a shape does not fit the first one besides the axis along which they are joined."""
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


def _joined(xp: Any, *values: Any, axis: int) -> Any:
    try:
        return xp.concatenate(values, axis=axis)
    except ValueError as error:
        shapes = [value.shape for value in values]
        position = _joint_axis(axis, len(shapes[0]))
        for number, shape in enumerate(shapes):
            if len(shape) != len(shapes[0]) or not _same_but(shapes[0], shape, position):
                raise ValueError(_difference(shapes[0], shape, number, position)) from error
        raise


def _offsets(xp: Any, *shapes: Any, axis: int) -> Any:
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
    samples=(sample([2, 3], [1, 3], axis=0),),
)
"""Where each tensor begins in the one that they are joined to."""


def _concat_grad(g: Tensor, y: Tensor, *values: Tensor, axis: int) -> list[Tensor]:
    shapes = [shape(value) for value in values]
    begins = _OFFSETS.outputs(*shapes, axis=axis)
    return [call("Slice", g, begin, dims) for begin, dims in zip(begins, shapes, strict=True)]


_CONCAT = define_op(
    "ConcatV2",
    {"*values": ANY},
    _concat_spec,
    _joined,
    grad=_concat_grad,
    samples=(sample([1, 2], [3], axis=0), sample(MATRIX, MATRIX, axis=-1)),
)


def _one_axis(axis: TensorLike) -> int:
    positions = static_ints("axis", axis)
    if len(positions) != 1:
        raise IncompatibleShapesError.of(
            f"`axis` must be a scalar: Shape must be rank 0, got {list(positions)}"
        )
    return positions[0]


def concat(values: Any, axis: TensorLike, name: str | None = "concat") -> Tensor:
    """Tensors one after the other along an axis that they have.

    Raises: InvalidArgumentError if their other dimensions differ, or they have no such axis.

    >>> print(concat([[1, 2], [3]], axis=0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Tensor):
        values = [values]
    position = _one_axis(axis)
    if len(values) == 0:
        raise IncompatibleShapesError.of(
            "List argument 'values' to 'ConcatV2' Op with length 0 shorter than minimum length 2.",
        )
    if len(values) == 1:
        return identity(values[0], name=name)
    return _CONCAT(*values, axis=position, name=name)


def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """Tensors of one shape side by side along a new axis; of none an empty vector.

    Raises: InvalidArgumentError if their shapes differ.

    >>> print(stack([[1, 2], [3, 4]], axis=1))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    if isinstance(values, (list, tuple)) and not values:
        return convert_to_tensor([], name=name)
    if not isinstance(values, (list, tuple)):
        rows = convert_to_tensor(values)
        if axis == 0:
            return rows
        values = unstack(rows)
    return _pack(*values, axis=static_int("axis", axis), name=name)


def _unstacked(x: Tensor, num: int, axis: int) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return (x.spec,) * num
    position = rules.normal_axis(axis, len(dims))
    if dims[position] not in (num, None):
        raise ValueError(_uneven(axis, num, dims) + f": Dimension must be {num}")
    return (x.spec.with_dims((*dims[:position], *dims[position + 1 :])),) * num


def _uneven(axis: int, num: int, dims: Sequence[int | None]) -> str:
    return f"Input shape axis {axis} must equal {num}, got shape {bracketed(tuple(dims))}"


def _unstack(xp: Any, x: Any, num: int, axis: int) -> Any:
    if x.shape[axis] != num:
        raise ValueError(_uneven(axis, num, x.shape))
    return tuple(xp.moveaxis(x, axis, 0)[i] for i in range(num))


def _without_gaps(gradients: Sequence[Tensor | None], outputs: Sequence[Tensor]) -> list[Tensor]:
    """The gradients of several outputs, with zeros for those that nothing depends on."""
    return [
        call("ZerosLike", output, dtype=output.dtype) if gradient is None else gradient
        for gradient, output in zip(gradients, outputs, strict=True)
    ]


_UNPACK = define_op(
    "Unpack",
    {"value": ANY},
    _unstacked,
    _unstack,
    outputs=None,
    grad=lambda g, y, x, num, axis: (_pack(*_without_gaps(g, y), axis=axis),),
    samples=(sample([1, 2], num=2, axis=0), sample(MATRIX, num=3, axis=-1)),
)


def unstack(
    value: TensorLike, num: int | None = None, axis: int = 0, name: str | None = "unstack"
) -> list[Tensor]:
    """The parts of a tensor along an axis.

    Args:
      value: the tensor.
      num: how many parts; needed where the dimension is not known while recording.
      axis: the axis.

    Raises: ValueError if the number of parts is not known.

    >>> [int(part) for part in unstack([1, 2])]
    [1, 2]
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
    return list(_UNPACK.outputs(tensor, num=num, axis=static_int("axis", axis), name=name))


def _complete(length: int | None, parts: tuple[int, ...]) -> tuple[int | None, ...]:
    """The lengths of the parts, with what is left in place of -1."""
    if parts.count(-1) > 1:
        raise ValueError("There can only be one -1 in the input: size_splits can only have one -1")
    for index, part in enumerate(parts):
        if part < -1:
            raise ValueError(f"Split size at index {index} must be >= 0. Got: {part}")
    given = sum(part for part in parts if part != -1)
    if length is not None and (given != length if -1 not in parts else given > length):
        raise ValueError(
            "Determined shape must either match input shape along split_dim exactly if fully "
            "specified, or be less than the size of the input along split_dim if not fully "
            f"specified. Got: {given}: can't split axis of size {length} into pieces of size "
            f"[{','.join(map(str, parts))}]"
        )
    rest = None if length is None else length - given
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


def _split(xp: Any, x: Any, parts: int | tuple[int, ...], axis: int) -> Any:
    if isinstance(parts, int):
        _split_sizes(x.shape[_split_axis(axis, x.ndim)], parts)
        return tuple(xp.split(x, parts, axis=axis))
    _split_axis(axis, x.ndim)
    lengths = [length or 0 for length in _complete(x.shape[axis], parts)]
    return tuple(xp.split(x, np.cumsum(lengths)[:-1], axis=axis))


_SPLIT = define_op(
    "SplitV",
    {"value": ANY},
    _split_spec,
    _split,
    outputs=None,
    grad=lambda g, y, x, parts, axis: (_CONCAT(*_without_gaps(g, y), axis=axis),),
    samples=(
        sample([1.0, 2.0, 3.0, 4.0], parts=2, axis=0),
        sample([1.0, 2.0, 3.0], parts=(-1, 1), axis=0),
        sample([1, 2, 3, 4], parts=2, axis=0),
        sample(MATRIX, parts=(1, 2), axis=1),
    ),
)


def split(
    value: TensorLike,
    num_or_size_splits: Any,
    axis: TensorLike = 0,
    num: int | None = None,
    name: str | None = "split",
) -> list[Tensor]:
    """The tensor cut along an axis: into equal parts, or into parts of the lengths given.

    Args:
      value: any tensor.
      num_or_size_splits: the number of parts, or the length of each; one of -1 is what is left.
      axis: the axis.
      num: the number of parts, where that of the lengths is not known while recording.
      name: the name of the operation.

    Raises: InvalidArgumentError if the parts do not make up the tensor; ValueError if their number
      is not known.

    >>> [len(part) for part in split([1, 2, 3], [1, 2])]
    [1, 2]
    """
    tensor, position = convert_to_tensor(value), static_ints("axis", axis)[0]
    given = num_or_size_splits
    if isinstance(given, Tensor):
        known = static_value(given)
        if known is None:
            return _split_later(tensor, given, position, num)
        given = known
    if np.ndim(given) == 0:
        if not isinstance(given, (int, np.integer)) and not _is_whole(given):
            raise ValueError(
                "Rank-0 tensors are not supported as the num_or_size_splits argument to split. "
                f"Argument provided: {given}"
            )
        if int(given) < 1:
            raise IncompatibleShapesError.of(
                f"Number of ways to split should be > 0, but got {given}: Attr 'num_split' of "
                f"'Split' Op passed {given} less than minimum 1",
            )
        return list(_SPLIT.outputs(tensor, parts=int(given), axis=position, name=name))
    if any(isinstance(part, Tensor) for part in given):
        return split(tensor, convert_to_tensor(given), position, num, name)
    parts = tuple(int(part) for part in given)
    return list(_SPLIT.outputs(tensor, parts=parts, axis=position, name=name))


def _is_whole(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind in "iu"


def _split_later(x: Tensor, sizes: Tensor, axis: int, num: int | None) -> list[Tensor]:
    """Parts whose lengths are known only when the graph runs."""
    dims = sizes.spec.dims
    count = num if num is not None or not dims else dims[0]
    if count is None:
        raise ValueError(
            f"Cannot infer argument `num` from shape {sizes.shape}: split needs `num`, the number "
            "of parts"
        )
    if dims == ():
        raise ValueError("the number of parts has to be known while the graph is recorded")
    along = _is_along(x, axis)
    total = shape(x, sizes.dtype)
    parts, begin = [], call("ZerosLike", total, dtype=total.dtype)
    for part in unstack(sizes, count):
        size = call("SelectV2", along, part, total)
        parts.append(call("Slice", x, begin, size))
        begin = call("SelectV2", along, begin + part, begin)
    return parts


def _is_along(x: Tensor, axis: int) -> Any:
    """For each dimension of a tensor whether it is the one that `axis` names."""
    rank = x.shape.rank
    if rank is not None:
        return np.arange(rank) == rules.normal_axis(axis, rank)
    count = call("Rank", x)
    return call("Equal", call("Range", 0, count, 1), axis if axis >= 0 else count + axis)


def parallel_stack(values: Sequence[TensorLike], name: str | None = "parallel_stack") -> Tensor:
    """The same as `stack` along the first axis, for tensors of known shapes.

    >>> print(parallel_stack([1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    tensors = [convert_to_tensor(value) for value in values]
    if not tensors[0].shape.is_fully_defined():
        raise ValueError(f"parallel_stack needs tensors of known shapes, not {tensors[0].spec}")
    return stack(tensors, name=name)
