"""Other shapes for the same elements; joining and splitting."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import ANY, INDEX, MIXED, NOT_DIFFERENTIABLE, NUMERIC, sample
from runtime.core.shapes import Dims, TensorShape, broadcast, compatible, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_entries, static_value
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

    Raises: TypeError if `dtype` stands for none; UnimplementedError from or to strings.

    >>> print(cast([1.8, -1.8], "int32"))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
    """
    tensor, wanted = convert_to_tensor(x), dtypes.as_dtype(dtype)
    if tensor.dtype is wanted and not is_weak(tensor):
        return tensor
    if dtypes.string in (tensor.dtype, wanted) and tensor.dtype is not wanted:
        raise UnimplementedError(
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


def _counting(out_type: Any) -> dtypes.DType:
    return dtypes.int32 if out_type is None else dtypes.as_dtype(out_type)


def shape(input: TensorLike, out_type: Any = None, name: str | None = None) -> Tensor:
    """The shape as a tensor, also where it is known only when the graph runs.

    >>> print(shape([[1, 2, 3]]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return _SHAPE(input, out_type=_counting(out_type), name=name)


def size(input: TensorLike, out_type: Any = None, name: str | None = None) -> Tensor:
    """The number of elements.

    >>> print(size([[1, 2, 3]]))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    return _SIZE(input, out_type=_counting(out_type), name=name)


def rank(input: TensorLike, name: str | None = None) -> Tensor:
    """The number of dimensions.

    >>> print(rank([[1, 2, 3]]))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _RANK(input, name=name)


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
    grad=lambda g, y, x, shape: (_reshaped_like(g, x), None),
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


def static_ints(name: str, value: Any) -> tuple[int, ...]:
    """An argument as Python ints.

    Raises: ValueError if it is a tensor whose value is known only when the graph runs.
    """
    if not isinstance(value, (int, np.integer)):
        tensor = convert_to_tensor(value)
        known = static_value(tensor)
        if known is None:
            raise ValueError(
                f"`{name}` has to be known while the graph is recorded; got {value}. Pass Python "
                "integers."
            )
        value = known
    return tuple(int(entry) for entry in np.ravel(value))


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
        sample([[_MATRIX]], perm=(2, 0, 3, 1), conjugate=False),
        sample(_MATRIX, perm=None, conjugate=False),
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
    samples=(sample([1, 2], axis=0), sample(_MATRIX, axis=-1), sample(3, axis=0)),
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
    pairs = reshape(stack([multiples, dims], axis=1), [-1])
    copies = tuple(range(0, 2 * rank, 2))
    return call("Sum", reshape(g, pairs), axis=copies, keepdims=False), None


_TILE = define_op(
    "Tile",
    {"input": ANY, "multiples": INDEX},
    _tiled,
    _tile,
    grad=_tile_grad,
    samples=(sample([1, 2], [2]), sample(_MATRIX, [2, 1]), sample(_MATRIX, [2, 3])),
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
    lambda xp, *values, axis: xp.concatenate(values, axis=axis),
    grad=_concat_grad,
    samples=(sample([1, 2], [3], axis=0), sample(_MATRIX, _MATRIX, axis=-1)),
)


def concat(values: Any, axis: TensorLike, name: str | None = "concat") -> Tensor:
    """Tensors one after the other along an axis that they have.

    Raises: InvalidArgumentError if their other dimensions differ.

    >>> print(concat([[1, 2], [3]], axis=0))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    if isinstance(values, Tensor):
        values = [values]
    position = static_ints("axis", axis)[0]
    if len(values) == 1:
        return _identity(values[0], name=name)
    return _CONCAT(*values, axis=position, name=name)


def stack(values: Any, axis: int = 0, name: str | None = "stack") -> Tensor:
    """Tensors of one shape side by side along a new axis.

    Raises: InvalidArgumentError if their shapes differ.

    >>> print(stack([[1, 2], [3, 4]], axis=1))
    tf.Tensor(
    [[1 3]
     [2 4]], shape=(2, 2), dtype=int32)
    """
    if isinstance(values, (list, tuple)) and not values:
        raise ValueError("stack needs at least one tensor")
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


def _complete(length: int | None, parts: tuple[int, ...]) -> tuple[int | None, ...]:
    """The lengths of the parts, with what is left in place of -1."""
    given = sum(part for part in parts if part != -1)
    if length is not None and (given != length if -1 not in parts else given > length):
        raise ValueError(f"parts {parts} do not make up length {length}")
    rest = None if length is None else length - given
    return tuple(rest if part == -1 else part for part in parts)


def _split_sizes(length: int | None, parts: int | tuple[int, ...]) -> list[int | None]:
    if isinstance(parts, tuple):
        return list(_complete(length, parts))
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
    if isinstance(parts, int):
        return tuple(xp.split(x, parts, axis=axis))
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
        sample(_MATRIX, parts=(1, 2), axis=1),
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
        return list(_SPLIT.outputs(tensor, parts=int(given), axis=position, name=name))
    if any(isinstance(part, Tensor) for part in given):
        return split(tensor, convert_to_tensor(given), position, num, name)
    parts = tuple(int(part) for part in given)
    return list(_SPLIT.outputs(tensor, parts=parts, axis=position, name=name))


def _split_later(x: Tensor, sizes: Tensor, axis: int, num: int | None) -> list[Tensor]:
    """Parts whose lengths are known only when the graph runs."""
    dims = sizes.spec.dims
    count = num if num is not None or not dims else dims[0]
    if count is None:
        raise ValueError(
            f"Cannot infer argument `num` from shape {sizes.shape}: split needs `num`, the number "
            "of parts"
        )
    if not dims:
        raise ValueError("the number of parts has to be known while the graph is recorded")
    if x.shape.rank is None:
        raise ValueError("split needs to know how many dimensions the tensor has")
    position = rules.normal_axis(axis, x.shape.rank)
    along = np.arange(x.shape.rank) == position
    total = shape(x, sizes.dtype)
    parts, begin = [], call("ZerosLike", total, dtype=total.dtype)
    for part in unstack(sizes, count):
        size = call("SelectV2", along, part, total)
        parts.append(call("Slice", x, begin, size))
        begin = call("SelectV2", along, begin + part, begin)
    return parts


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


def identity_n(input: Sequence[TensorLike], name: str | None = None) -> list[Tensor]:
    """The same values as several tensors.

    >>> [int(x) for x in identity_n([1, 2])]
    [1, 2]
    """
    return list(_IDENTITY_N.outputs(*input, name=name))


_IDENTITY_N = define_op(
    "IdentityN",
    {"*input": MIXED},
    lambda *values: tuple(value.spec for value in values),
    lambda xp, *values: values,
    outputs=None,
    grad=lambda g, y, *values: g,
    samples=(sample([1.0, 2.0], 3.0), sample("text", True)),
)
_STOP = define_op(
    "StopGradient",
    {"input": MIXED},
    rules.same,
    lambda xp, x: x,
    grad=NOT_DIFFERENTIABLE,
    samples=(sample([1.0, 2.0]),),
)


def stop_gradient(input: TensorLike, name: str | None = None) -> Tensor:
    """The same value, which counts as a constant where gradients are taken.

    >>> print(stop_gradient(2.0))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    return _STOP(input, name=name)


def shape_n(
    input: Sequence[TensorLike], out_type: Any = dtypes.int32, name: str | None = None
) -> list[Tensor]:
    """The shapes of several tensors.

    >>> [x.numpy().tolist() for x in shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(value, out_type, name) for value in input]


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape to which two shapes broadcast, as far as they are known.

    Raises: ValueError if they do not fit.

    >>> broadcast_static_shape([1, 3], [2, None])
    TensorShape([2, 3])
    """
    x, y = TensorShape(shape_x), TensorShape(shape_y)
    try:
        return TensorShape(broadcast(x.dims, y.dims))
    except ValueError as error:
        raise ValueError(f"Incompatible shapes for broadcasting: {x} and {y}") from error


def _joint_shape(xp: Any, x: Any, y: Any) -> Any:
    return xp.array(np.broadcast_shapes(tuple(x.tolist()), tuple(y.tolist())), x.dtype)


def _joint_shape_spec(x: Tensor, y: Tensor) -> TensorSpec:
    lengths = [tensor.spec.dims[0] if tensor.spec.dims else None for tensor in (x, y)]
    if lengths[0] is None or lengths[1] is None:
        return x.spec.with_dims((None,))
    return x.spec.with_dims((max(lengths[0], lengths[1]),))


_JOINT_SHAPE = define_op(
    "BroadcastArgs",
    {"s0": INDEX, "s1": INDEX},
    _joint_shape_spec,
    _joint_shape,
    samples=(sample([1, 3], [2, 3]), sample([3], [2, 1])),
)


def broadcast_dynamic_shape(shape_x: TensorLike, shape_y: TensorLike) -> Tensor:
    """The shape to which two shapes broadcast, as a tensor.

    Raises: InvalidArgumentError if they do not fit.

    >>> print(broadcast_dynamic_shape([1, 3], [2, 1]))
    tf.Tensor([2 3], shape=(2,), dtype=int32)
    """
    return _JOINT_SHAPE(_vector(shape_x), _vector(shape_y))


def saturate_cast(value: TensorLike, dtype: Any, name: str | None = None) -> Tensor:
    """The elements in another dtype; what it cannot hold becomes its smallest or largest value.

    >>> print(saturate_cast([-1, 300], "uint8"))
    tf.Tensor([  0 255], shape=(2,), dtype=uint8)
    """
    tensor, wanted = convert_to_tensor(value), dtypes.as_dtype(dtype)
    if tensor.dtype.is_complex:
        if wanted.is_complex:
            return cast(tensor, wanted, name)
        tensor = call("Real", tensor)
    if tensor.dtype.kind in "iuf" and wanted.kind in "iuf":
        low, high = _common_limits(tensor.dtype, wanted)
        tensor = call("Minimum", call("Maximum", tensor, low), high)
    return cast(tensor, wanted, name)


def _common_limits(source: dtypes.DType, wanted: dtypes.DType) -> tuple[Any, Any]:
    """The smallest and the largest number that both dtypes can hold, in the first."""
    as_source = source.as_numpy_dtype
    low = source.min if float(source.min) > float(wanted.min) else wanted.min
    high = source.max if float(source.max) < float(wanted.max) else wanted.max
    low, high = as_source(low), as_source(high)
    if source.is_floating and wanted.is_integer and float(high) > int(wanted.max):
        high = np.nextafter(high, as_source(0))
    return low, high


def _bitcast_spec(x: Tensor, type: dtypes.DType) -> TensorSpec:
    dims, old, new = x.spec.dims, x.dtype.size, type.size
    if dims is None or old == new:
        return spec_of(type, dims)
    if old > new:
        return spec_of(type, (*dims, old // new))
    if not dims or dims[-1] not in (None, new // old):
        raise ValueError(
            f"Cannot bitcast from {x.dtype.name} to {type.name}: shape {list(dims)} does not end "
            f"with {new // old}"
        )
    return spec_of(type, dims[:-1])


def _bitcast(xp: Any, x: Any, type: dtypes.DType) -> Any:
    old, new = x.dtype.itemsize, type.size
    array = xp.ascontiguousarray(x)
    if old > new:
        return array.reshape(*np.shape(x), 1).view(type.numpy_dtype)
    if old < new:
        if np.shape(x)[-1:] != (new // old,):
            raise ValueError(
                f"Cannot bitcast from {x.dtype} to {type.name}: shape {list(np.shape(x))} does not "
                f"end with {new // old}"
            )
        return array.view(type.numpy_dtype).reshape(np.shape(x)[:-1])
    return array.view(type.numpy_dtype).reshape(np.shape(x))


_BITCAST = define_op(
    "Bitcast",
    {"input": NUMERIC},
    _bitcast_spec,
    _bitcast,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        sample([1.0, 2.0], type=dtypes.int32),
        sample([1, 2], type=dtypes.uint8),
        sample([[1, 2], [3, 4]], type=dtypes.int64),
    ),
)


def bitcast(input: TensorLike, type: Any, name: str | None = None) -> Tensor:
    """The same bits, read as another dtype.

    Args:
      input: numbers. If the dtype is shorter, the result has one dimension more; if it is longer,
        the last dimension goes into it.
      type: the dtype.
      name: the name of the operation.

    Raises: InvalidArgumentError if the last dimension does not fit.

    >>> print(bitcast(1.0, "uint32"))
    tf.Tensor(1065353216, shape=(), dtype=uint32)
    """
    return _BITCAST(input, type=dtypes.as_dtype(type), name=name)


def parallel_stack(values: Sequence[TensorLike], name: str | None = "parallel_stack") -> Tensor:
    """The same as `stack` along the first axis, for tensors of known shapes.

    >>> print(parallel_stack([1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    tensors = [convert_to_tensor(value) for value in values]
    if not tensors[0].shape.is_fully_defined():
        raise ValueError(f"parallel_stack needs tensors of known shapes, not {tensors[0].spec}")
    return stack(tensors, name=name)
