"""The elements of a tensor at other places: padded, reversed, rolled, repeated."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dispatch import bracketed
from runtime.core.errors import IncompatibleShapesError
from runtime.core.opdef import ANY, INDEX, NOT_DIFFERENTIABLE, NUMERIC, DTypes, sample
from runtime.core.shapes import Dims, compatible
from runtime.core.spec import TensorSpec
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.array.dimensions import shape
from runtime.ops.array.identity import identity
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import broadcast_to, expand_dims, reshape
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_ints
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call, define_op
from runtime.ops.base.sample_values import MATRIX
from runtime.ops.items.indexing import getitem
from runtime.ops.math.casting import cast

_AXIS = DTypes("int32 or int64", *INDEX.members)


def _padded(x: Tensor, paddings: Tensor, *rest: Tensor, **attrs: Any) -> TensorSpec:
    dims, amounts = x.spec.dims, static_value(paddings)
    count = paddings.spec.dims[0] if paddings.spec.dims else None
    _require_pairs(paddings.spec.dims, dims)
    if dims is None:
        return x.spec.with_dims(None if count is None else (None,) * count)
    if amounts is None:
        return x.spec.with_dims((None,) * len(dims))
    _amounts(amounts)
    return x.spec.with_dims(
        tuple(
            None if dim is None else dim + int(before) + int(after)
            for dim, (before, after) in zip(dims, amounts, strict=True)
        )
    )


def _require_pairs(paddings: Dims, dims: Dims) -> None:
    """Raise ValueError if paddings of this shape are not one pair for each dimension."""
    if not compatible(paddings, (None, 2)):
        raise ValueError(f"paddings must be a matrix with 2 columns: {bracketed(paddings)}")
    if paddings is not None and dims is not None and not compatible(paddings[:1], (len(dims),)):
        raise ValueError(
            "The first dimension of paddings must be the rank of inputs"
            f"{bracketed(paddings)} {bracketed(dims)}"
        )


def _amounts(paddings: Any) -> list[tuple[int, int]]:
    amounts = [(int(before), int(after)) for before, after in paddings]
    for before, after in amounts:
        if before < 0 or after < 0:
            raise ValueError(f"Paddings must be non-negative: {before} {after}")
    return amounts


def _pad(xp: Any, x: Any, paddings: Any, value: Any = 0) -> Any:
    _require_pairs(np.shape(paddings), x.shape)
    amounts = _amounts(paddings)
    blank = b"" if x.dtype == object and np.ndim(value) == 0 and value == 0 else value
    dims = [n + before + after for n, (before, after) in zip(x.shape, amounts, strict=True)]
    result = xp.full(dims, blank, x.dtype)
    inside = zip(x.shape, amounts, strict=True)
    result[tuple(slice(before, before + n) for n, (before, _) in inside)] = x
    return result


def _unpadded(g: Tensor, y: Tensor, x: Tensor, paddings: Tensor, *value: Tensor) -> Any:
    begin = getitem(paddings, (slice(None), 0))
    part = call("Slice", g, begin, shape(x, paddings.dtype))
    return (part, None, *(_sum(g) - _sum(part) for _ in value))


def _sum(x: Tensor) -> Tensor:
    return call("Sum", x, axis=None, keepdims=False)


_PADS = (
    sample([1, 2], [[1, 2]]),
    sample(MATRIX, [[1, 0], [0, 2]]),
)
_PAD = define_op(
    "Pad", {"input": ANY, "paddings": INDEX}, _padded, _pad, grad=_unpadded, samples=_PADS
)
_PAD_WITH = define_op(
    "PadV2",
    {"input": ANY, "paddings": INDEX, "constant_values": ANY},
    _padded,
    _pad,
    grad=_unpadded,
    samples=(sample([1, 2], [[1, 2]], 7), sample(MATRIX, [[1, 0], [0, 2]], 7.0)),
)


def _mirror(xp: Any, x: Any, paddings: Any, mode: str) -> Any:
    _require_pairs(np.shape(paddings), x.shape)
    border = 1 if mode == "REFLECT" else 0
    for length, pair in zip(x.shape, _amounts(paddings), strict=True):
        if max(pair) > length - border:
            raise ValueError(
                f"paddings must be no greater than the dimension size: {pair[0]}, {pair[1]} "
                f"greater than {length - border}"
            )
    return xp.pad(x, _amounts(paddings), mode=mode.lower()) if x.ndim else x.copy()


def _mirror_back(xp: Any, g: Any, paddings: Any, mode: str) -> Any:
    """Adds each element of the border to the one that it mirrors, one axis after the other."""
    offset = 1 if mode == "REFLECT" else 0
    for axis, (before, after) in enumerate(_amounts(paddings)):
        front = xp.moveaxis(g, axis, 0)
        length = len(front) - before - after
        total = front[before : before + length].copy()
        total[offset : offset + before] += front[:before][::-1]
        total[length - offset - after : length - offset] += front[len(front) - after :][::-1]
        g = xp.moveaxis(total, 0, axis)
    return g


def _cut_spec(g: Tensor, paddings: Tensor, mode: str) -> TensorSpec:
    amounts, dims = static_value(paddings), g.spec.dims
    if dims is None or amounts is None:
        return g.spec.with_dims(None if dims is None else (None,) * len(dims))
    return g.spec.with_dims(
        tuple(
            None if dim is None else dim - int(before) - int(after)
            for dim, (before, after) in zip(dims, amounts, strict=True)
        )
    )


_MIRROR = define_op(
    "MirrorPad",
    {"input": ANY, "paddings": INDEX},
    _padded,
    _mirror,
    grad=lambda g, y, x, paddings, mode: (call("MirrorPadGrad", g, paddings, mode=mode), None),
    samples=(
        sample(MATRIX, [[1, 0], [2, 1]], mode="REFLECT"),
        sample(MATRIX, [[1, 2], [3, 1]], mode="SYMMETRIC"),
    ),
)
define_op(
    "MirrorPadGrad",
    {"input": NUMERIC, "paddings": INDEX},
    _cut_spec,
    _mirror_back,
    grad=lambda g, y, x, paddings, mode: (call("MirrorPad", g, paddings, mode=mode), None),
    samples=(
        sample(MATRIX, [[0, 0], [1, 0]], mode="REFLECT"),
        sample(MATRIX, [[0, 1], [1, 0]], mode="SYMMETRIC"),
    ),
)


def pad(
    tensor: TensorLike,
    paddings: TensorLike,
    mode: str = "CONSTANT",
    constant_values: TensorLike = 0,
    name: str | None = None,
) -> Tensor:
    """The tensor with `paddings[i] == [before, after]` elements more along dimension `i`.

    Args:
      tensor: any tensor.
      paddings: int32 or int64 [rank, 2].
      mode: "CONSTANT", "REFLECT" (mirrored without the border) or "SYMMETRIC" (with it).
      constant_values: the scalar with which "CONSTANT" fills.
      name: the name of the operation.

    Raises: ValueError for another mode; InvalidArgumentError for paddings that do not fit.

    >>> print(pad([1, 2], [[1, 0]]))
    tf.Tensor([0 1 2], shape=(3,), dtype=int32)
    >>> print(pad([1, 2, 3], [[2, 0]], "REFLECT"))
    tf.Tensor([3 2 1 2 3], shape=(5,), dtype=int32)
    """
    kind = mode.upper()
    if kind in ("REFLECT", "SYMMETRIC"):
        return _MIRROR(tensor, paddings, mode=kind, name=name)
    if kind != "CONSTANT":
        raise ValueError(
            "Value of argument `mode` expected to be one of 'CONSTANT', 'REFLECT', or 'SYMMETRIC'. "
            f"Received `mode` = {mode}"
        )
    if isinstance(constant_values, (int, float)) and constant_values == 0:
        return _PAD(tensor, paddings, name=name)
    return _PAD_WITH(tensor, paddings, constant_values, name=name)


def _reversed_spec(x: Tensor, axis: tuple[int, ...]) -> TensorSpec:
    if x.shape.rank is not None:
        positions = [rules.normal_axis(entry, x.shape.rank) for entry in axis]
        if len(set(positions)) < len(positions):
            raise ValueError(f"axis {axis} specified more than once")
    return x.spec


_REVERSE = define_op(
    "ReverseV2",
    {"tensor": ANY},
    _reversed_spec,
    lambda xp, x, axis: xp.flip(x, axis).copy(),
    grad=lambda g, y, x, axis: (call("ReverseV2", g, axis=axis),),
    samples=(sample([1, 2, 3], axis=(0,)), sample(MATRIX, axis=(0, 1))),
)


def reverse(tensor: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """The elements in reverse order along each axis of the list `axis`.

    Raises: InvalidArgumentError if `axis` is no list, or there is no such axis.

    >>> print(reverse([1, 2, 3], [0]))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    if np.ndim(axis) != 1:
        raise IncompatibleShapesError.of(
            f"'dims' must be 1-dimension, not {np.ndim(axis)}: Shape must be rank 1 but is rank "
            f"{np.ndim(axis)}",
        )
    return _REVERSE(tensor, axis=static_ints("axis", axis), name=name)


def _rolled_spec(x: Tensor, shift: Tensor, axis: Tensor) -> TensorSpec:
    if x.shape.rank == 0:
        raise ValueError("Shape must be at least rank 1 but is rank 0")
    if not shift.shape.is_compatible_with(axis.shape):
        raise ValueError(
            "shift and axis must have the same size: Dimension 0 in both shapes must be equal. "
            f"Shapes are {bracketed(shift.spec.dims)} and {bracketed(axis.spec.dims)}"
        )
    return x.spec


def _rolled(xp: Any, x: Any, shift: Any, axis: Any) -> Any:
    if not x.ndim:
        raise ValueError("input must be 1-D or higher")
    if np.shape(shift) != np.shape(axis):
        raise ValueError("shift and axis must have the same size")
    axes = [rules.normal_axis(int(entry), x.ndim) for entry in np.ravel(axis)]
    return xp.roll(x, [int(entry) for entry in np.ravel(shift)], axes)


_ROLL = define_op(
    "Roll",
    {"input": ANY, "shift": INDEX, "axis": _AXIS},
    _rolled_spec,
    _rolled,
    grad=lambda g, y, x, shift, axis: (call("Roll", g, -shift, axis), None, None),
    samples=(sample(MATRIX, 1, 0), sample(MATRIX, [1, -2], [0, 1])),
)


def roll(input: TensorLike, shift: TensorLike, axis: TensorLike, name: str | None = None) -> Tensor:
    """The elements moved along axes; those moved out at one end come in at the other.

    Args:
      input: any tensor.
      shift: how far, towards larger positions; a scalar, or one number for each axis.
      axis: the axes; shifts along one axis that is named twice add up.
      name: the name of the operation.

    Raises: InvalidArgumentError if there is not one shift for each axis, or no such axis.

    >>> print(roll([1, 2, 3, 4], shift=1, axis=0))
    tf.Tensor([4 1 2 3], shape=(4,), dtype=int32)
    """
    return _ROLL(input, shift, axis, name=name)


def _reverse_sequence(xp: Any, x: Any, lengths: Any, seq_dim: int, batch_dim: int) -> Any:
    _refuse_dimensions(x.ndim, seq_dim, batch_dim)
    sequence, batch = seq_dim, batch_dim
    if np.ndim(lengths) != 1:
        raise ValueError(f"seq_lengths must be 1-dim, not {np.ndim(lengths)}")
    if len(lengths) != x.shape[batch]:
        raise ValueError(
            f"Length of seq_lengths != input.dims({batch}), ({len(lengths)} vs. {x.shape[batch]})"
        )
    if ((lengths < 0) | (lengths > x.shape[sequence])).any():
        raise ValueError(f"seq_lengths must be in [0, {x.shape[sequence]}], got {lengths}")
    places = xp.arange(x.shape[sequence])
    limits = xp.asarray(lengths)[:, None]
    order = xp.where(places < limits, limits - 1 - places, places)
    form = [1] * x.ndim
    form[batch], form[sequence] = order.shape
    order = order.reshape(form) if batch < sequence else order.T.reshape(form)
    return xp.take_along_axis(x, order, axis=sequence)


def _reverse_sequence_spec(x: Tensor, lengths: Tensor, seq_dim: int, batch_dim: int) -> TensorSpec:
    rank = x.shape.rank
    if lengths.shape.rank not in (1, None):
        raise ValueError(f"Shape must be rank 1 but is rank {lengths.shape.rank}")
    if rank is not None:
        _refuse_dimensions(rank, seq_dim, batch_dim)
        count, own = lengths.spec.dims, x.spec.dims
        if count and own and None not in (count[0], own[batch_dim]) and count[0] != own[batch_dim]:
            raise ValueError(
                f"Length of seq_lengths != input.dims({batch_dim}): Dimensions must be equal, but "
                f"are {own[batch_dim]} and {count[0]}"
            )
    return x.spec


def _refuse_dimensions(rank: int, seq_dim: int, batch_dim: int) -> None:
    for name, axis in (("seq_dim", seq_dim), ("batch_dim", batch_dim)):
        if axis < 0:
            raise ValueError(f"Invalid {name} {axis}")
        if axis >= rank:
            raise ValueError(
                f"{name} must be < input rank ({axis} vs. {rank}): {name} must be < input.dims()"
            )
    if seq_dim == batch_dim:
        raise ValueError(f"batch_dim == seq_dim {seq_dim}")


_REVERSE_SEQUENCE = define_op(
    "ReverseSequence",
    {"input": ANY, "seq_lengths": INDEX},
    _reverse_sequence_spec,
    _reverse_sequence,
    grad=lambda g, y, x, lengths, **attrs: (call("ReverseSequence", g, lengths, **attrs), None),
    samples=(
        sample(MATRIX, [2, 3], seq_dim=1, batch_dim=0),
        sample(MATRIX, [1, 2, 0], seq_dim=0, batch_dim=1),
    ),
)


def reverse_sequence(
    input: TensorLike,
    seq_lengths: TensorLike,
    seq_axis: int | None = None,
    batch_axis: int | None = None,
    name: str | None = None,
) -> Tensor:
    """The first `seq_lengths[i]` elements of each sequence in reverse order.

    Args:
      input: any tensor of at least two dimensions.
      seq_lengths: int32 or int64, one for each sequence.
      seq_axis: the axis along which a sequence runs, counted from 0.
      batch_axis: the axis that counts the sequences; None: 0.
      name: the name of the operation.

    Raises: TypeError without `seq_axis`; InvalidArgumentError if the lengths do not fit.

    >>> print(reverse_sequence([[1, 2, 3], [4, 5, 6]], [2, 3], seq_axis=1))
    tf.Tensor(
    [[2 1 3]
     [6 5 4]], shape=(2, 3), dtype=int32)
    """
    if seq_axis is None:
        raise TypeError("Expected int for argument 'seq_dim' not None.")
    return _REVERSE_SEQUENCE(
        input, seq_lengths, seq_dim=int(seq_axis), batch_dim=int(batch_axis or 0), name=name
    )


def sequence_mask(
    lengths: TensorLike,
    maxlen: TensorLike | None = None,
    dtype: Any = dtypes.bool,
    name: str | None = None,
) -> Tensor:
    """For each length a row that begins with so many times True.

    Args:
      lengths: integers of any shape.
      maxlen: the length of the rows, a scalar; None: the largest of `lengths`.
      dtype: bool, or the dtype of ones and zeros.
      name: the name of the operation.

    Raises: ValueError if `maxlen` is no scalar.

    >>> print(sequence_mask([1, 3], dtype="int32"))
    tf.Tensor(
    [[1 0 0]
     [1 1 1]], shape=(2, 3), dtype=int32)
    """
    counts = convert_to_tensor(lengths)
    if maxlen is None:
        limit = call("Maximum", call("Max", counts, axis=None, keepdims=False), 0)
    else:
        limit = cast(maxlen, counts.dtype)
        if limit.shape.rank not in (0, None):
            raise ValueError(
                f"Argument `maxlen` must be scalar for sequence_mask, received `maxlen` = {maxlen}"
            )
    zero, one = (convert_to_tensor(n, counts.dtype) for n in (0, 1))
    places = call("Range", zero, limit, one)
    mask = call("Less", places, expand_dims(counts, -1))
    return cast(mask, dtype, name)


def repeat(
    input: TensorLike, repeats: TensorLike, axis: int | None = None, name: str | None = None
) -> Tensor:
    """Each slice along an axis several times.

    Args:
      input: any tensor.
      repeats: integers: a scalar, or how often for each slice.
      axis: the axis; None: `input` is made flat first.
      name: the name of the operation.

    Raises: InvalidArgumentError for a negative number, or another number of numbers.

    >>> print(repeat([1, 2], repeats=[2, 1]))
    tf.Tensor([1 1 2], shape=(3,), dtype=int32)
    """
    x = convert_to_tensor(input)
    if axis is None:
        x, axis = reshape(x, [-1]), 0
    counts = int32_count("repeats", repeats)
    rank = x.shape.rank
    if rank is None and axis < 0:
        raise ValueError("a negative axis needs to know how many dimensions the tensor has")
    position = axis if rank is None else rules.normal_axis(axis, rank)
    if rank is not None and counts.shape.num_elements() == 1:
        spread = _repeated_alike(x, reshape(counts, []), position)
    else:
        places = _REPEATED(counts, getitem(shape(x), position))
        spread = call("GatherV2", x, places, axis=position)
    return spread if name is None else identity(spread, name)


def _repeated_alike(x: Tensor, count: Tensor, axis: int) -> Tensor:
    """Every slice `count` times: beside each other along a new axis, which then goes away."""
    lengths = _lengths(x)
    known = static_value(count)
    times: Any = count if known is None else int(known)
    wide = broadcast_to(
        expand_dims(x, axis + 1), [*lengths[: axis + 1], times, *lengths[axis + 1 :]]
    )
    return reshape(wide, [*lengths[:axis], lengths[axis] * times, *lengths[axis + 1 :]])


def _lengths(x: Tensor) -> list[Any]:
    """The length of each axis: a number where it is known, else a scalar tensor."""
    known, later = x.spec.dims or (), shape(x)
    return [getitem(later, i) if dim is None else dim for i, dim in enumerate(known)]


def _repeated_spec(counts: Tensor, length: Tensor) -> TensorSpec:
    numbers, known = static_value(counts), static_value(length)
    if numbers is None or known is None:
        return counts.spec.with_dims((None,))
    return counts.spec.with_dims((len(_repeated_places(np, numbers, known)),))


def _repeated_places(xp: Any, counts: Any, length: Any) -> Any:
    if (counts < 0).any():
        raise ValueError(f"repeats must be non-negative, got {counts}")
    return xp.repeat(xp.arange(int(length), dtype=counts.dtype), counts)


_REPEATED = define_op(
    "RepeatedPositions",
    {"repeats": INDEX, "length": INDEX},
    _repeated_spec,
    _repeated_places,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([2, 0, 1], 3),),
)


def meshgrid(*args: TensorLike, indexing: str = "xy", name: str = "meshgrid") -> list[Tensor]:
    """The coordinates of the points of a grid.

    Args:
      args: the coordinates along each axis, vectors.
      indexing: "xy": the first two dimensions of the results are swapped; "ij": they are not.
      name: has no effect.

    Returns: for each argument its coordinate at every point.
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
    lengths: Any = concat(dims, 0) if dims else []
    return [
        broadcast_to(reshape(axis, [-1 if order[i] == n else 1 for i in range(count)]), lengths)
        for n, axis in enumerate(axes)
    ]
