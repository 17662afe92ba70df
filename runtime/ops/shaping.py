"""Other shapes for the same elements; joining and splitting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import ANY, INDEX, MIXED, sample
from runtime.core.shapes import Dims, TensorShape, broadcast, compatible, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_entries
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.convert import convert_to_tensor, is_weak
from runtime.ops.define import Op, call, define_op
from runtime.ops.structural import CAST, IDENTITY, PACK

_identity = Op(IDENTITY)
_pack = Op(PACK)
_cast = Op(CAST)

_MATRIX = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
_ABOUT_SHAPE = (
    sample(_MATRIX, out_type=dtypes.int32),
    sample(5, out_type=dtypes.int64),
)


def identity(input: TensorLike, name: str | None = None) -> Tensor:
    """The same value as another tensor.

    >>> print(identity(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _identity(input, name=name)


def cast(x: TensorLike, dtype: Any, name: str | None = None) -> Tensor:
    """The elements in another dtype; floats lose their fraction on the way to integers.

    Raises: TypeError if `dtype` stands for none.

    >>> print(cast([1.8, -1.8], "int32"))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
    """
    tensor, wanted = convert_to_tensor(x), dtypes.as_dtype(dtype)
    if tensor.dtype is wanted and not is_weak(tensor):
        return tensor
    if dtypes.string in (tensor.dtype, wanted) and tensor.dtype is not wanted:
        raise InvalidArgumentError(
            None,
            None,
            f"Cast {tensor.dtype.name} to {wanted.name} is not supported; use "
            "runtime.strings.as_string or runtime.strings.to_number",
        )
    return _cast(tensor, dtype=wanted, name=name)


_SHAPE = define_op(
    "Shape",
    {"input": MIXED},
    lambda x, out_type: spec_of(out_type, (x.shape.rank,)),
    lambda xp, x, out_type: xp.array(x.shape, dtype=out_type.numpy_dtype),
    samples=_ABOUT_SHAPE,
)
_SIZE = define_op(
    "Size",
    {"input": MIXED},
    lambda x, out_type: spec_of(out_type, ()),
    lambda xp, x, out_type: xp.array(x.size, dtype=out_type.numpy_dtype),
    samples=_ABOUT_SHAPE,
)
_RANK = define_op(
    "Rank",
    {"input": MIXED},
    lambda x: spec_of(dtypes.int32, ()),
    lambda xp, x: xp.array(x.ndim, dtype="int32"),
    samples=(sample(_MATRIX), sample(5)),
)


def shape(input: TensorLike, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The shape as a tensor, also where it is known only when the graph runs.

    >>> print(shape([[1, 2, 3]]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return _SHAPE(input, out_type=dtypes.as_dtype(out_type), name=name)


def size(input: TensorLike, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The number of elements.

    >>> print(size([[1, 2, 3]]))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _SIZE(input, out_type=dtypes.as_dtype(out_type), name=name)


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of dimensions.

    >>> print(rank([[1, 2, 3]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _RANK(input, name=name)


def _reshape_spec(x: Tensor, target: Tensor) -> TensorSpec:
    entries = static_entries(target)
    if entries is None:
        return x.spec.with_dims(None)
    if entries.count(-1) > 1:
        raise ValueError("only one dimension of the new shape can be -1")
    dims = tuple(None if entry == -1 else entry for entry in entries)
    count = element_count(x.spec.dims)
    if count is None or None in [e for e in entries if e != -1]:
        return x.spec.with_dims(dims)
    rest = element_count(tuple(dim for dim in dims if dim is not None)) or 0
    if None not in dims and rest != count:
        raise ValueError(f"{count} elements do not fit into shape {dims}")
    if None in dims and (count % rest if rest else count):
        raise ValueError(f"{count} elements do not fit into shape {tuple(entries)}")
    missing = count // rest if rest else 0
    return x.spec.with_dims(tuple(missing if dim is None else dim for dim in dims))


_RESHAPE = define_op(
    "Reshape",
    {"tensor": ANY, "shape": INDEX},
    _reshape_spec,
    lambda xp, x, shape: xp.reshape(x, tuple(int(dim) for dim in shape)),
    grad=lambda g, y, x, shape: (
        call("Reshape", g, call("Shape", x, out_type=dtypes.int32)),
        None,
    ),
    samples=(sample(_MATRIX, [3, 2]), sample(_MATRIX, [-1]), sample(5, [1, 1])),
)


def reshape(tensor: TensorLike, shape: Any, name: str | None = None) -> Tensor:
    """The elements in another shape; one dimension may be -1, which means what is left.

    Raises: InvalidArgumentError if the number of elements does not fit.

    >>> print(reshape([1, 2, 3, 4], [2, -1]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int32)
    """
    return _RESHAPE(tensor, _vector(shape), name=name)


def _vector(shape: Any) -> Any:
    if isinstance(shape, TensorShape):
        shape = [-1 if dim is None else dim for dim in shape]
    if isinstance(shape, (list, tuple)) and not shape:
        return np.zeros((0,), np.int32)
    if isinstance(shape, (int, np.integer)):
        return [shape]
    return shape


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


_TRANSPOSE = define_op(
    "Transpose",
    {"x": ANY},
    _transpose_spec,
    _transpose,
    samples=(
        sample(_MATRIX, perm=None, conjugate=False),
        sample([[[1, 2]]], perm=(2, 0, 1), conjugate=False),
    ),
)


def transpose(
    a: TensorLike, perm: Any = None, conjugate: bool = False, name: str | None = "transpose"
) -> Tensor:
    """The dimensions in another order; without `perm` in reverse.

    >>> print(transpose([[1, 2], [3, 4]]))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    order = None if perm is None else tuple(int(axis) for axis in perm)
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
    grad=lambda g, y, x, axis: (call("Reshape", g, call("Shape", x, out_type=dtypes.int32)),),
    samples=(sample([1, 2], axis=0), sample(_MATRIX, axis=-1), sample(3, axis=0)),
)


def expand_dims(input: TensorLike, axis: int, name: str | None = None) -> Tensor:
    """A dimension of length 1 more, at `axis`.

    >>> print(expand_dims([1, 2], 0))
    tf.Tensor([[1 2]], shape=(1, 2), dtype=int32)
    """
    return _EXPAND(input, axis=int(axis), name=name)


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
    samples=(sample([[1], [2]], axis=None), sample([[[1, 2]]], axis=(0, 1))),
)


def squeeze(input: TensorLike, axis: Any = None, name: str | None = None) -> Tensor:
    """Without the dimensions of length 1; with `axis`, without those.

    Raises: InvalidArgumentError if a dimension of `axis` has another length.

    >>> print(squeeze([[1], [2]]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    axes = None if axis is None else tuple(int(entry) for entry in np.ravel(axis))
    return _SQUEEZE(input, axis=axes or None, name=name)


def _tiled(x: Tensor, multiples: Tensor) -> TensorSpec:
    dims, counts = x.spec.dims, static_entries(multiples)
    if dims is None or counts is None:
        return x.spec.with_dims(None if counts is None else (None,) * len(counts))
    if len(dims) != len(counts):
        raise ValueError(f"{len(counts)} multiples for {len(dims)} dimensions")
    return x.spec.with_dims(
        tuple(None if d is None or c is None else d * c for d, c in zip(dims, counts, strict=True))
    )


_TILE = define_op(
    "Tile",
    {"input": ANY, "multiples": INDEX},
    _tiled,
    lambda xp, x, multiples: xp.tile(x, tuple(int(count) for count in multiples)),
    samples=(sample([1, 2], [2]), sample(_MATRIX, [2, 1])),
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
    return _BROADCAST(input, _vector(shape), name=name)


def _concat_spec(*values: Tensor, axis: int) -> TensorSpec:
    dims: Dims = values[0].spec.dims
    if dims is None:
        return values[0].spec
    position = rules.normal_axis(axis, len(dims))
    total: int | None = 0
    for value in values:
        own = value.spec.dims
        if own is None:
            return spec_of(values[0].spec.dtype, (None,) * len(dims))
        if len(own) != len(dims) or not _same_but(own, dims, position):
            raise ValueError(f"shapes {dims} and {own} differ besides axis {axis}")
        length = own[position]
        total = None if total is None or length is None else total + length
        dims = tuple(y if x is None else x for x, y in zip(dims, own, strict=True))
    return spec_of(values[0].spec.dtype, (*dims[:position], total, *dims[position + 1 :]))


def _same_but(a: Sequence[int | None], b: Sequence[int | None], axis: int) -> bool:
    return all(
        i == axis or x is None or y is None or x == y
        for i, (x, y) in enumerate(zip(a, b, strict=True))
    )


_CONCAT = define_op(
    "ConcatV2",
    {"*values": ANY},
    _concat_spec,
    lambda xp, *values, axis: xp.concatenate(values, axis=axis),
    samples=(sample([1, 2], [3], axis=0), sample(_MATRIX, _MATRIX, axis=-1)),
)


def concat(values: Any, axis: int, name: str | None = "concat") -> Tensor:
    """Tensors one after the other along an axis that they have.

    Raises: InvalidArgumentError if their other dimensions differ.

    >>> print(concat([[1, 2], [3]], axis=0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Tensor):
        values = [values]
    return _CONCAT(*values, axis=int(axis), name=name)


def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """Tensors of one shape side by side along a new axis.

    Raises: InvalidArgumentError if their shapes differ.

    >>> print(stack([[1, 2], [3, 4]], axis=1))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    if not isinstance(values, (list, tuple)):
        rows = convert_to_tensor(values)
        if axis == 0:
            return rows
        values = unstack(rows)
    return _pack(*values, axis=int(axis), name=name)


def _unstacked(x: Tensor, num: int, axis: int) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return (x.spec,) * num
    position = rules.normal_axis(axis, len(dims))
    if dims[position] not in (num, None):
        raise ValueError(f"axis {axis} has length {dims[position]}, not {num}")
    return (x.spec.with_dims((*dims[:position], *dims[position + 1 :])),) * num


def _unstack(xp: Any, x: Any, num: int, axis: int) -> Any:
    if x.shape[axis] != num:
        raise ValueError(f"axis {axis} has length {x.shape[axis]}, not {num}")
    return tuple(xp.moveaxis(x, axis, 0)[i] for i in range(num))


_UNPACK = define_op(
    "Unpack",
    {"value": ANY},
    _unstacked,
    _unstack,
    outputs=None,
    samples=(sample([1, 2], num=2, axis=0), sample(_MATRIX, num=3, axis=-1)),
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
        num = None if dims is None else dims[rules.normal_axis(axis, len(dims))]
    if num is None:
        raise ValueError(
            f"unstack needs `num`: the length of axis {axis} of {tensor.spec} is not known yet"
        )
    return list(_UNPACK.outputs(tensor, num=num, axis=int(axis), name=name))


def _split_sizes(length: int | None, parts: int | tuple[int, ...]) -> list[int | None]:
    if isinstance(parts, tuple):
        return list(parts)
    if length is None:
        return [None] * parts
    if length % parts:
        raise ValueError(f"length {length} cannot be split into {parts} equal parts")
    return [length // parts] * parts


def _split_spec(x: Tensor, parts: int | tuple[int, ...], axis: int) -> tuple[TensorSpec, ...]:
    dims = x.spec.dims
    if dims is None:
        return (x.spec,) * (parts if isinstance(parts, int) else len(parts))
    position = rules.normal_axis(axis, len(dims))
    return tuple(
        x.spec.with_dims((*dims[:position], length, *dims[position + 1 :]))
        for length in _split_sizes(dims[position], parts)
    )


def _split(xp: Any, x: Any, parts: int | tuple[int, ...], axis: int) -> Any:
    at = parts if isinstance(parts, int) else list(np.cumsum(parts)[:-1])
    if not isinstance(parts, int) and sum(parts) != x.shape[axis]:
        raise ValueError(f"parts {parts} do not make up length {x.shape[axis]}")
    return tuple(xp.split(x, at, axis=axis))


_SPLIT = define_op(
    "SplitV",
    {"value": ANY},
    _split_spec,
    _split,
    outputs=None,
    samples=(sample([1, 2, 3, 4], parts=2, axis=0), sample(_MATRIX, parts=(1, 2), axis=1)),
)


def split(
    value: TensorLike, num_or_size_splits: Any, axis: int = 0, name: str | None = "split"
) -> list[Tensor]:
    """The tensor cut along an axis: into equal parts, or into parts of the lengths given.

    >>> [len(part) for part in split([1, 2, 3], [1, 2])]
    [1, 2]
    """
    given = num_or_size_splits
    parts = int(given) if np.ndim(given) == 0 else tuple(int(part) for part in given)
    return list(_SPLIT.outputs(value, parts=parts, axis=int(axis), name=name))


def _padded(x: Tensor, paddings: tuple[tuple[int, int], ...], value: Any) -> TensorSpec:
    dims = x.spec.dims
    if dims is None:
        return x.spec
    if len(paddings) != len(dims):
        raise ValueError(f"{len(paddings)} paddings for {len(dims)} dimensions")
    return x.spec.with_dims(
        tuple(
            None if dim is None else dim + before + after
            for dim, (before, after) in zip(dims, paddings, strict=True)
        )
    )


_PAD = define_op(
    "PadV2",
    {"input": ANY},
    _padded,
    lambda xp, x, paddings, value: xp.pad(x, paddings, constant_values=value),
    samples=(sample([1, 2], paddings=((1, 2),), value=0),),
)


def pad(
    tensor: TensorLike,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """The tensor with `paddings[i] == (before, after)` elements more along dimension `i`.

    Raises: ValueError for a mode besides "CONSTANT".

    >>> print(pad([1, 2], [[1, 0]]))
    tf.Tensor([0 1 2], shape=(3,), dtype=int32)
    """
    if mode.upper() != "CONSTANT":
        raise ValueError(f"pad knows the mode 'CONSTANT', not {mode!r}")
    amounts = tuple((int(before), int(after)) for before, after in np.asarray(paddings))
    return _PAD(tensor, paddings=amounts, value=constant_values, name=name)


_REVERSE = define_op(
    "ReverseV2",
    {"tensor": ANY},
    lambda x, axis: x.spec,
    lambda xp, x, axis: xp.flip(x, axis).copy(),
    samples=(sample([1, 2, 3], axis=(0,)), sample(_MATRIX, axis=(0, 1))),
)


def reverse(tensor: TensorLike, axis: Any, name: str | None = None) -> Tensor:
    """The elements in reverse order along each axis given.

    >>> print(reverse([1, 2, 3], [0]))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    axes = tuple(int(entry) for entry in np.ravel(axis))
    return _REVERSE(tensor, axis=axes, name=name)


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
    "EnsureShape", {"input": ANY}, _ensured, _ensure, samples=(sample([1, 2], shape=(None,)),)
)
