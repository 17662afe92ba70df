"""Tensors from shapes and numbers."""

from __future__ import annotations

import builtins
import math
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import IncompatibleShapesError, ResourceExhaustedError
from runtime.core.opdef import (
    FLOATING,
    INDEX,
    INT32,
    MIXED,
    NOT_DIFFERENTIABLE,
    REAL,
    Sample,
    sample,
)
from runtime.core.shapes import TensorShape, broadcast, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.counts import int32_count
from runtime.ops.base import rules
from runtime.ops.base.arguments import static_int, whole_number
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor, one_dtype, settled
from runtime.ops.base.define import call, define_op
from runtime.ops.base.values import to_array


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const"
) -> Tensor:
    """A tensor with the value of Python numbers, strings, nested lists or an array.

    Args:
      value: what it holds; Python ints become int32, floats float32, arrays keep their dtype.
      dtype: another dtype.
      shape: the shape; a single value fills it.
      name: the name in a graph.

    Raises: TypeError or ValueError if `value` does not fit dtype and shape.

    >>> constant([1, 2])
    <tf.Tensor: shape=(2,), dtype=int32, numpy=array([1, 2], dtype=int32)>
    >>> print(constant(0.5, shape=(2,)))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    if isinstance(value, Tensor) or shape is None:
        return convert_to_tensor(value, wanted, name=name)
    array = to_array(value, wanted)
    dims = tuple(TensorShape(shape).as_list())
    if array.size == 1:
        return constant_of(_array_of(dims, array.ravel()[0], array.dtype), name)
    if array.size != element_count(dims):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor {array} has "
            f"{array.size} elements, but got `shape` {dims} with {element_count(dims)} elements."
        )
    return constant_of(array.reshape(dims), name)


def _array_of(dims: Any, element: Any, dtype: Any) -> Any:
    try:
        return np.full(dims, element, dtype)
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error


def _fill_spec(dims: Tensor, value: Tensor) -> TensorSpec:
    if value.shape.rank not in (0, None):
        raise ValueError(_no_scalar(value.shape.as_list()))
    return spec_of(value.spec.dtype, static_dims(dims))


def _no_scalar(dims: list[int | None]) -> str:
    return f"value must represent a scalar, got shape {dims}"


def _full(xp: Any, dims: Any, value: Any) -> Any:
    if value.ndim:
        raise ValueError(_no_scalar(list(value.shape)))
    return xp.full(tuple(int(dim) for dim in dims), value)


_FILL = define_op(
    "Fill",
    {"dims": INDEX, "value": MIXED},
    _fill_spec,
    _full,
    grad=lambda g, y, dims, value: (None, call("Sum", g, axis=None, keepdims=False)),
    samples=(sample([2, 3], 7.0), sample(np.array([2]), True)),
)


def shape_operand(shape: Any) -> Any:
    """A shape argument: a tuple of ints where it is known, else a tensor."""
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
    return tensor if value is None else tuple(int(dim) for dim in np.atleast_1d(value))


def fill(dims: Any, value: TensorLike, name: str | None = None, layout: None = None) -> Tensor:
    """A tensor of shape `dims`, every element of which is `value`.

    >>> print(fill([2], 5))
    tf.Tensor([5 5], shape=(2,), dtype=int32)
    """
    operand = shape_operand(dims)
    if isinstance(operand, tuple):
        fits = max(operand, default=0) <= np.iinfo(np.int32).max
        operand = constant_of(np.array(operand, np.int32 if fits else np.int64))
    return _FILL(operand, value, name=name)


def _filled(shape: Any, number: int, dtype: Any, name: str) -> Tensor:
    wanted = dtypes.as_dtype(dtype)
    element: Any = _element(number, wanted)
    operand = shape_operand(shape)
    if isinstance(operand, tuple):
        return constant_of(_array_of(operand, element, wanted.numpy_dtype), name)
    return _FILL(operand, np.full((), element, wanted.numpy_dtype), name=name)


def _element(number: int, dtype: dtypes.DType) -> Any:
    if dtype is not dtypes.string:
        return dtype.as_numpy_dtype(number)
    if number:
        raise TypeError(
            f"Cannot convert {number} to EagerTensor of dtype string: Expected string, but got "
            f"{number} of type 'int'."
        )
    return b""


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: None = None
) -> Tensor:
    """Zeros; False for bool, empty strings for string.

    >>> print(zeros([2, 1]))
    tf.Tensor(
    [[0.]
     [0.]], shape=(2, 1), dtype=float32)
    """
    return _filled(shape, 0, dtype, name or "zeros")


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: None = None
) -> Tensor:
    """Ones; True for bool.

    >>> print(ones([2], dtype="int32"))
    tf.Tensor([1 1], shape=(2,), dtype=int32)
    """
    return _filled(shape, 1, dtype, name or "ones")


def _like(xp: Any, x: Any, dtype: dtypes.DType, number: int) -> Any:
    return xp.full(x.shape, _element(number, dtype), dtype.numpy_dtype)


def _like_spec(x: Tensor, dtype: dtypes.DType) -> TensorSpec:
    return x.spec.with_dtype(dtype)


_LIKE = (sample([1, 2], dtype=dtypes.int32), sample(2.0, dtype=dtypes.bool))
_ZEROS_LIKE = define_op(
    "ZerosLike",
    {"x": MIXED},
    _like_spec,
    lambda xp, x, dtype: _like(xp, x, dtype, 0),
    grad=NOT_DIFFERENTIABLE,
    samples=_LIKE,
)
_ONES_LIKE = define_op(
    "OnesLike",
    {"x": MIXED},
    _like_spec,
    lambda xp, x, dtype: _like(xp, x, dtype, 1),
    grad=NOT_DIFFERENTIABLE,
    samples=_LIKE,
)


def zeros_like(
    input: TensorLike, dtype: Any = None, name: str | None = None, layout: None = None
) -> Tensor:
    """Zeros in the shape of `input`, and in its dtype unless another is given.

    >>> print(zeros_like([1, 2]))
    tf.Tensor([0 0], shape=(2,), dtype=int32)
    """
    x = settled(convert_to_tensor(input))
    wanted = x.dtype if dtype is None else dtypes.as_dtype(dtype)
    return _ZEROS_LIKE(x, dtype=wanted, name=name or "zeros_like")


def ones_like(
    input: TensorLike, dtype: Any = None, name: str | None = None, layout: None = None
) -> Tensor:
    """Ones in the shape of `input`, and in its dtype unless another is given.

    >>> print(ones_like([3.0, 2.0]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    x = settled(convert_to_tensor(input))
    wanted = x.dtype if dtype is None else dtypes.as_dtype(dtype)
    return _ONES_LIKE(x, dtype=wanted, name=name or "ones_like")


def eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Ones on the diagonal of a matrix, zeros elsewhere.

    Args:
      num_rows, num_columns: scalars; without columns there are as many as rows.
      batch_shape: the dimensions in front, if there are several such matrices.
      dtype: the dtype.
      name: the name of the operation.

    >>> print(eye(2))
    tf.Tensor(
    [[1. 0.]
     [0. 1.]], shape=(2, 2), dtype=float32)
    """
    wanted = dtypes.as_dtype(dtype)
    rows = whole_number("num_rows", num_rows)
    columns = rows if num_columns is None else whole_number("num_columns", num_columns)
    known = static_value(rows), static_value(columns)
    if known[0] is None or known[1] is None:
        below, beside = (range(count) for count in (rows, columns))
        matrix = call("Equal", call("ExpandDims", below, axis=-1), beside)
        identity = call("Cast", matrix, dtype=wanted)
    else:
        _element(1, wanted)
        for number in known:
            if int(number) < 0:
                raise IncompatibleShapesError.of(f"Dimension {number} must be >= 0")
        array = np.eye(int(known[0]), int(known[1]), dtype=wanted.numpy_dtype)
        identity = constant_of(array, None if batch_shape is not None else name or "eye")
    if batch_shape is None:
        return identity
    front = _index_vector(shape_operand(batch_shape))
    inner = call("Shape", identity, out_type=front.dtype)
    return call("BroadcastTo", identity, call("ConcatV2", front, inner, axis=0))


def _index_vector(operand: Any) -> Tensor:
    if isinstance(operand, tuple):
        return constant_of(np.array(operand, np.int32))
    return convert_to_tensor(operand)


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


def _range(xp: Any, start: Any, limit: Any, delta: Any) -> Any:
    first, step = start.item(), delta.item()
    count = _range_length(first, limit.item(), step)
    if isinstance(step, int):
        return xp.arange(first, first + count * step, step, dtype=start.dtype)
    return (first + step * xp.arange(count)).astype(start.dtype)


_RANGE_SAMPLES = (
    sample(0, 5, 2),
    sample(5, 0, -1),
    sample(0.0, 1.0, 0.25),
    sample(3, 3, 1),
)

_RANGE = define_op(
    "Range",
    {"start": REAL, "limit": REAL, "delta": REAL},
    _range_spec,
    _range,
    grad=NOT_DIFFERENTIABLE,
    samples=_RANGE_SAMPLES,
)


def _range_size(
    xp: Any, start: Any, limit: Any, delta: Any, dtype: dtypes.DType, python: bool
) -> Any:
    bounds = start.item(), limit.item(), delta.item()
    count = len(builtins.range(*bounds)) if python else _range_length(*bounds)
    return xp.asarray(count, dtype.numpy_dtype)


_RANGE_SIZE = define_op(
    "RangeSize",
    {"start": REAL, "limit": REAL, "delta": REAL},
    lambda start, limit, delta, dtype, python: spec_of(dtype, ()),
    _range_size,
    grad=NOT_DIFFERENTIABLE,
    samples=(
        *(Sample(each.args, {"dtype": dtypes.int64, "python": False}) for each in _RANGE_SAMPLES),
        sample(5, 0, 1, dtype=dtypes.int32, python=True),
    ),
)


def range_size(
    start: Tensor, limit: Tensor, delta: Tensor, dtype: dtypes.DType, python: bool = False
) -> Tensor:
    """The number of elements of `range(start, limit, delta)`, without making them.

    Args:
      start, limit, delta: scalars of one dtype.
      dtype: int32 or int64, the dtype of the result.
      python: whether it is Python's `range`, which is empty where the step leads away from the
        limit; TensorFlow's raises.

    Raises: InvalidArgumentError where the range raises.

    >>> print(range_size(*map(convert_to_tensor, (0, 7, 2)), dtypes.int32))
    tf.Tensor(4, shape=(), dtype=int32)
    """
    return _RANGE_SIZE(start, limit, delta, dtype=dtype, python=python)


def range(
    start: TensorLike,
    limit: TensorLike | None = None,
    delta: TensorLike = 1,
    dtype: Any = None,
    name: str | None = "range",
) -> Tensor:
    """The numbers from `start` (0 if only one number is given) up to, not including, `limit`.

    Args:
      start, limit, delta: scalars; `delta` is the step and may be negative.
      dtype: the dtype; None: that of the arguments.

    Raises: InvalidArgumentError if `delta` is 0, or leads away from `limit`.

    >>> print(range(3), range(6, 0, -2))
    tf.Tensor([0 1 2], shape=(3,), dtype=int32) tf.Tensor([6 4 2], shape=(3,), dtype=int32)
    """
    if limit is None:
        start, limit = 0, start
    wanted = None if dtype is None else dtypes.as_dtype(dtype)
    entries = [("start", start), ("limit", limit), ("delta", delta)]
    kinds = {value.dtype for _, value in entries if isinstance(value, Tensor)}
    if wanted is None and len(kinds) > 1:
        wanted = max(kinds, key=lambda dtype: (dtype.is_floating, dtype.size))
    if wanted is not None:
        return _RANGE(*(_as_bound(value, wanted) for _, value in entries), name=name)
    operands, _ = one_dtype("Range", entries)
    return _RANGE(*operands, name=name)


def _as_bound(value: TensorLike, dtype: dtypes.DType) -> Tensor:
    return cast_to(convert_to_tensor(value, dtype_hint=dtype), dtype)


def linspace(
    start: TensorLike, stop: TensorLike, num: TensorLike, name: str | None = None, axis: int = 0
) -> Tensor:
    """`num` numbers at equal distances, the first `start`, the last `stop`.

    Args:
      start, stop: floats, or tensors of floats that broadcast: then there is a row for each pair.
      num: how many, a scalar.
      name: the name of the operation.
      axis: the dimension of the result along which they run.

    Raises: InvalidArgumentError if `num` is negative.

    >>> print(linspace(0.0, 1.0, 3))
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    operands, _ = one_dtype("LinSpace", [("start", start), ("stop", stop)])
    if operands[0].dtype.is_integer:
        wide = dtypes.float32 if operands[0].dtype.size <= 2 else dtypes.float64
        operands = [call("Cast", value, dtype=wide) for value in operands]
    count = int32_count("num", num)
    return _LINSPACE(*operands, count, axis=static_int("axis", axis), name=name)


def _linspace(xp: Any, start: Any, stop: Any, num: Any, axis: int) -> Any:
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
    """Each number lies a fixed part of the way from start to stop."""
    zeros = call("ZerosLike", call("Sub", start, stop), dtype=start.dtype)
    way = _LINSPACE(zeros, call("OnesLike", zeros, dtype=zeros.dtype), num, axis=axis)
    parts = (call("Mul", g, call("Sub", 1, way)), call("Mul", g, way))
    first, last = (call("Sum", part, axis=(axis,), keepdims=False) for part in parts)
    return first, last, None


_LINSPACE = define_op(
    "LinSpace",
    {"start": FLOATING, "stop": FLOATING, "num": INT32},
    _linspace_spec,
    _linspace,
    grad=_linspace_grad,
    samples=(
        sample(0.0, 1.0, 5, axis=0),
        sample([0.0, 1.0], [[2.0], [3.0]], 3, axis=1),
        sample(2.0, 1.0, 1, axis=0),
    ),
)
