"""Tensors from values, shapes and ranges of numbers."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.errors import IncompatibleShapesError, ResourceExhaustedError
from runtime.core.opdef import (
    FLOATING,
    INDEX,
    INT32,
    MIXED,
    NOT_DIFFERENTIABLE,
    REAL,
    Failure,
    Sample,
    sample,
)
from runtime.core.shapes import TensorShape, broadcast, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.base import rules
from runtime.ops.base.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.ops.base.arguments import static_int, whole_number
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor, one_dtype, settled
from runtime.ops.base.define import call, op
from runtime.ops.base.values import to_array


def constant(
    value: Any,
    dtype: DTypeLike | None = None,
    shape: ShapeLike | None = None,
    name: str | None = "Const",
) -> Tensor:
    """Make a tensor of Python numbers, strings, nested lists or an array.

    Args:
      value: the value; Python ints become int32 or int64, floats float32, arrays keep their dtype.
      dtype: another dtype.
      shape: the shape; a single value fills it.
      name: name for the constant in a graph.

    Returns:
      The tensor.

    Raises:
      TypeError: if `value` does not fit dtype or shape.
      ValueError: likewise, where TensorFlow raises it.

    >>> constant([1, 2])
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    >>> print(constant(0.5, shape=(2,)).numpy())
    [0.5 0.5]
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) or shape is None:
        return convert_to_tensor(value, wanted, name=name)
    array = to_array(value, wanted)
    dims = tuple(TensorShape(shape).as_list())
    if array.size == 1:
        return constant_of(_full(dims, array.ravel()[0], array.dtype), name)
    if array.size != element_count(dims):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor {array} has "
            f"{array.size} elements, but got `shape` {dims} with {element_count(dims)} elements."
        )
    return constant_of(array.reshape(dims), name)


def _full(dims: Any, element: Any, dtype: Any) -> Any:
    try:
        return np.full(dims, element, dtype)
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error


def _fill_spec(dims: Tensor, value: Tensor) -> TensorSpec:
    _check_scalar(value.shape.rank, value.shape)
    return spec_of(value.spec.dtype, static_dims(dims))


def _check_scalar(rank: int | None, shape: Any) -> None:
    if rank:
        raise ValueError(f"value must represent a scalar, got shape {list(shape)}")


def _fill(xp: Namespace, dims: Array, value: Array) -> Array:
    _check_scalar(value.ndim, value.shape)
    return xp.full(tuple(dims.tolist()), value)


def shape_operand(shape: ShapeLike) -> Any:
    """Return a shape as a tuple of ints where it is known, else as a tensor."""
    if isinstance(shape, TensorShape):
        return tuple(shape.as_list())
    if isinstance(shape, (int, np.integer)):
        return (int(shape),)
    if isinstance(shape, (tuple, list)) and all(
        isinstance(dim, (int, np.integer)) for dim in shape
    ):
        return tuple(int(dim) for dim in shape)
    parts = shape if isinstance(shape, (tuple, list)) else ()
    wide = any(isinstance(dim, Tensor) and dim.dtype is dtypes.int64 for dim in parts)
    tensor = convert_to_tensor(shape, dtype_hint=dtypes.int64 if wide else dtypes.int32)
    if not tensor.dtype.is_integer:
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    value = static_value(tensor)
    return tensor if value is None else tuple(np.atleast_1d(value).tolist())


def _shape_vector(operand: Any) -> Tensor:
    """Return a `shape_operand` as a vector."""
    if not isinstance(operand, tuple):
        return convert_to_tensor(operand)
    fits = max(operand, default=0) <= np.iinfo(np.int32).max
    return constant_of(np.array(operand, np.int32 if fits else np.int64))


@op(
    "Fill",
    {"dims": INDEX, "value": MIXED},
    infer=_fill_spec,
    kernel=_fill,
    grad=lambda g, y, dims, value: (None, call("Sum", g, axis=None, keepdims=False)),
    samples=(sample([2, 3], 7.0), sample(np.array([2]), True)),
)
def fill(
    dims: ShapeLike, value: TensorLike, name: str | None = None, layout: None = None
) -> Tensor:
    """Make a tensor all of whose elements are one value.

    Args:
      dims: the shape, int32 or int64 vector.
      value: scalar of any dtype.
      name: name for the operation.
      layout: has no effect.

    Returns:
      Tensor of shape `dims` and the dtype of `value`.

    Raises:
      InvalidArgumentError: if `value` is not a scalar.

    >>> print(fill([2], 5).numpy())
    [5 5]
    """
    return fill.op(_shape_vector(shape_operand(dims)), value, name=name)


def _filled(shape: ShapeLike, number: int, dtype: DTypeLike, name: str) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    element = _element(number, wanted)
    operand = shape_operand(shape)
    if isinstance(operand, tuple):
        return constant_of(_full(operand, element, wanted.numpy_dtype), name)
    return fill.op(operand, np.full((), element, wanted.numpy_dtype), name=name)


def _element(number: int, dtype: DType) -> Any:
    if dtype is not dtypes.string:
        return dtype.as_numpy_dtype(number)
    if number:
        raise TypeError(
            f"Cannot convert {number} to EagerTensor of dtype string: Expected string, but got "
            f"{number} of type 'int'."
        )
    return b""


def zeros(
    shape: ShapeLike,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: None = None,
) -> Tensor:
    """Make a tensor of zeros; False for bool, empty strings for string.

    Args:
      shape: the shape.
      dtype: the dtype.
      name: name for the operation.
      layout: has no effect.

    Returns:
      Tensor of that shape and dtype.

    >>> print(zeros([2, 1]).numpy().tolist())
    [[0.0], [0.0]]
    """
    return _filled(shape, 0, dtype, name or "zeros")


def ones(
    shape: ShapeLike,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
    layout: None = None,
) -> Tensor:
    """Make a tensor of ones; True for bool. Arguments as in `zeros`.

    Raises:
      TypeError: for strings.

    >>> print(ones([2], dtype="int32").numpy())
    [1 1]
    """
    return _filled(shape, 1, dtype, name or "ones")


def _like_spec(x: Tensor, dtype: DType) -> TensorSpec:
    return x.spec.with_dtype(dtype)


def _zeros_like(xp: Namespace, x: Array, dtype: DType) -> Array:
    if dtype is dtypes.string:
        return xp.full(x.shape, b"", dtype.numpy_dtype)
    return xp.zeros(x.shape, dtype.numpy_dtype)


def _ones_like(xp: Namespace, x: Array, dtype: DType) -> Array:
    _element(1, dtype)
    return xp.ones(x.shape, dtype.numpy_dtype)


def _like_dtype(input: TensorLike, dtype: DTypeLike | None) -> tuple[Tensor, DType]:
    x = settled(convert_to_tensor(input))
    return x, x.dtype if dtype is None else dtypes.as_dtype(dtype)


_LIKE = (sample([1, 2], dtype=dtypes.int32), sample(2.0, dtype=dtypes.bool))


@op(
    "ZerosLike",
    {"x": MIXED},
    infer=_like_spec,
    kernel=_zeros_like,
    grad=NOT_DIFFERENTIABLE,
    failure=Failure.NEVER,
    shape_only=True,
    samples=_LIKE,
)
def zeros_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: None = None,
) -> Tensor:
    """Make zeros in the shape of another tensor.

    Args:
      input: any tensor.
      dtype: the dtype; None: that of `input`.
      name: name for the operation.
      layout: has no effect.

    Returns:
      Tensor of the shape of `input`.

    >>> print(zeros_like([1.5, 2.5], dtype="int32").numpy())
    [0 0]
    """
    x, wanted = _like_dtype(input, dtype)
    return zeros_like.op(x, dtype=wanted, name=name or "zeros_like")


@op(
    "OnesLike",
    {"x": MIXED},
    infer=_like_spec,
    kernel=_ones_like,
    grad=NOT_DIFFERENTIABLE,
    failure=Failure.NEVER,
    shape_only=True,
    samples=_LIKE,
)
def ones_like(
    input: TensorLike,
    dtype: DTypeLike | None = None,
    name: str | None = None,
    layout: None = None,
) -> Tensor:
    """Make ones in the shape of another tensor; arguments as in `zeros_like`.

    Raises:
      TypeError: for strings.

    >>> print(ones_like([3.0, 2.0]).numpy())
    [1. 1.]
    """
    x, wanted = _like_dtype(input, dtype)
    return ones_like.op(x, dtype=wanted, name=name or "ones_like")


def eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    batch_shape: ShapeLike | None = None,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Make identity matrices: ones on the diagonal, zeros elsewhere.

    Args:
      num_rows: integer scalar.
      num_columns: integer scalar; None: `num_rows`.
      batch_shape: leading dimensions of a stack of such matrices; None: one matrix.
      dtype: the dtype.
      name: name for the operation.

    Returns:
      Tensor of shape `[*batch_shape, num_rows, num_columns]`.

    Raises:
      TypeError: if a number of rows or columns is not an integer.
      InvalidArgumentError: if it is negative.

    >>> print(eye(2, 3).numpy())
    [[1. 0. 0.]
     [0. 1. 0.]]
    """
    wanted = dtypes.as_dtype(dtype)
    rows = whole_number("num_rows", num_rows)
    columns = rows if num_columns is None else whole_number("num_columns", num_columns)
    known = static_value(rows), static_value(columns)
    if known[0] is None or known[1] is None:
        diagonal = call("Equal", call("ExpandDims", range(rows), axis=-1), range(columns))
        identity = call("Cast", diagonal, dtype=wanted)
    else:
        _element(1, wanted)
        for number in known:
            if int(number) < 0:
                raise IncompatibleShapesError.of(f"Dimension {number} must be >= 0")
        array = np.eye(int(known[0]), int(known[1]), dtype=wanted.numpy_dtype)
        identity = constant_of(array, None if batch_shape is not None else name or "eye")
    if batch_shape is None:
        return identity
    front = _shape_vector(shape_operand(batch_shape))
    inner = call("Shape", identity, out_type=front.dtype)
    return call("BroadcastTo", identity, call("ConcatV2", front, inner, axis=0))


def _range_length(start: Any, limit: Any, delta: Any) -> int:
    if delta == 0:
        raise ValueError("the step of a range cannot be 0")
    if (limit < start) if delta > 0 else (limit > start):
        sign, word = ("<=", ">") if delta > 0 else (">=", "<")
        raise ValueError(f"Requires start {sign} limit when delta {word} 0: {start}/{limit}")
    if isinstance(delta, int):
        return len(builtins.range(start, limit, delta))
    steps: float = (limit - start) / delta
    return math.ceil(steps)


def _range_spec(start: Tensor, limit: Tensor, delta: Tensor) -> TensorSpec:
    values = [static_value(tensor) for tensor in (start, limit, delta)]
    if any(value is None for value in values):
        return spec_of(start.spec.dtype, (None,))
    return spec_of(start.spec.dtype, (_range_length(*(value.item() for value in values)),))


def _range(xp: Namespace, start: Array, limit: Array, delta: Array) -> Array:
    first, step = start.item(), delta.item()
    count = _range_length(first, limit.item(), step)
    if isinstance(step, int):
        return xp.arange(first, first + count * step, step, dtype=start.dtype)
    return (first + step * xp.arange(count)).astype(start.dtype)


_BOUNDS = {"start": REAL, "limit": REAL, "delta": REAL}
_RANGES = (sample(0, 5, 2), sample(5, 0, -1), sample(0.0, 1.0, 0.25), sample(3, 3, 1))


def _range_size(
    xp: Namespace, start: Array, limit: Array, delta: Array, dtype: DType, python: bool
) -> Array:
    bounds = start.item(), limit.item(), delta.item()
    count = len(builtins.range(*bounds)) if python else _range_length(*bounds)
    return xp.asarray(count, dtype.numpy_dtype)


@op(
    "RangeSize",
    _BOUNDS,
    infer=lambda start, limit, delta, dtype, python: spec_of(dtype, ()),
    kernel=_range_size,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        *(Sample(each.args, {"dtype": dtypes.int64, "python": False}) for each in _RANGES),
        sample(5, 0, 1, dtype=dtypes.int32, python=True),
    ),
)
def range_size(
    start: Tensor, limit: Tensor, delta: Tensor, dtype: DType, python: bool = False
) -> Tensor:
    """Return the number of elements of `range(start, limit, delta)` without making them.

    Args:
      start: scalar.
      limit: scalar of the same dtype.
      delta: scalar of the same dtype.
      dtype: int32 or int64, the dtype of the result.
      python: whether it is Python's `range`, which is empty where the step leads away from the
        limit; TensorFlow's raises.

    Returns:
      Scalar.

    Raises:
      InvalidArgumentError: where `range` raises it.

    >>> print(range_size(*map(convert_to_tensor, (0, 7, 2)), dtypes.int32).numpy())
    4
    """
    return range_size.op(start, limit, delta, dtype=dtype, python=python)


@op("Range", _BOUNDS, infer=_range_spec, kernel=_range, grad=NOT_DIFFERENTIABLE, samples=_RANGES)
def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: DTypeLike | None = None,
    name: str | None = "range",
) -> Tensor:
    """Make the numbers `start`, `start + delta`, ... before `limit`.

    Args:
      start: real scalar; the limit if it is the only argument, and the range starts at 0.
      limit: real scalar, exclusive.
      delta: real scalar, the step; may be negative.
      dtype: the dtype; None: that of the arguments.
      name: name for the operation.

    Returns:
      Vector.

    Raises:
      InvalidArgumentError: if `delta` is 0 or leads away from `limit`.

    >>> print(range(3).numpy(), range(6, 0, -2).numpy())
    [0 1 2] [6 4 2]
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    entries = [("start", start), ("limit", limit), ("delta", delta)]
    kinds = {value.dtype for _, value in entries if isinstance(value, Tensor)}
    if wanted is None and len(kinds) > 1:
        wanted = max(kinds, key=lambda dtype: (dtype.is_floating, dtype.size))
    if wanted is not None:
        return range.op(*(_as_bound(value, wanted) for _, value in entries), name=name)
    operands, _ = one_dtype("Range", entries)
    return range.op(*operands, name=name)


def _as_bound(value: TensorLike, dtype: DType) -> Tensor:
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def _linspace(xp: Namespace, start: Array, stop: Array, num: Array, axis: int) -> Array:
    if int(num) < 0:
        raise ValueError(f"Requires num >= 0: {int(num)}")
    return xp.linspace(start, stop, int(num), axis=axis).astype(start.dtype)


def _linspace_spec(start: Tensor, stop: Tensor, num: Tensor, axis: int) -> TensorSpec:
    dims, count = broadcast(start.spec.dims, stop.spec.dims), static_value(num)
    if dims is None:
        return spec_of(start.spec.dtype, None)
    position = rules.normal_axis(axis, len(dims) + 1)
    length = None if count is None else int(count)
    return spec_of(start.spec.dtype, (*dims[:position], length, *dims[position:]))


def _linspace_grad(
    g: Tensor, y: Tensor, start: Tensor, stop: Tensor, num: Tensor, axis: int
) -> tuple[Tensor, Tensor, None]:
    """Number `i` is `start * (1 - w) + stop * w` with a fixed weight `w`."""
    zeros = zeros_like(start - stop)
    weight = linspace.op(zeros, ones_like(zeros), num, axis=axis)
    parts = (g * (1 - weight), g * weight)
    first, last = (call("Sum", part, axis=(axis,), keepdims=False) for part in parts)
    return first, last, None


@op(
    "LinSpace",
    {"start": FLOATING, "stop": FLOATING, "num": INT32},
    infer=_linspace_spec,
    kernel=_linspace,
    grad=_linspace_grad,
    samples=(
        sample(0.0, 1.0, 5, axis=0),
        sample([0.0, 1.0], [[2.0], [3.0]], 3, axis=1),
        sample(2.0, 1.0, 1, axis=0),
    ),
)
def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """Make `num` evenly spaced numbers from `start` to `stop`, both inclusive.

    Args:
      start: real tensor; int8 and int16 become float32, wider integers float64.
      stop: tensor of the same dtype that broadcasts with `start`.
      num: integer scalar, >= 0.
      name: name for the operation.
      axis: the dimension of the result along which the numbers run.

    Returns:
      Tensor of the broadcast shape with one dimension more.

    Raises:
      InvalidArgumentError: if `num` is negative.

    >>> print(linspace(0.0, 1.0, 3).numpy())
    [0.  0.5 1. ]
    """
    operands, _ = one_dtype("LinSpace", [("start", start), ("stop", stop)])
    if operands[0].dtype.is_integer:
        wide = dtypes.float32 if operands[0].dtype.size <= 2 else dtypes.float64
        operands = [call("Cast", value, dtype=wide) for value in operands]
    count = int32_count("num", num)
    return linspace.op(*operands, count, axis=static_int("axis", axis), name=name)
