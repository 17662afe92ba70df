"""Tensors from values and shapes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, DTypeLike, Namespace, ShapeLike
from runtime.core.dtypes import DType
from runtime.core.errors import IncompatibleShapesError, ResourceExhaustedError
from runtime.core.node_form import NodeForm, Ref
from runtime.core.opdef import INDEX, MIXED, NOT_DIFFERENTIABLE, Emit, Failure, Reads, sample
from runtime.core.shapes import TensorShape, element_count
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_dims, static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.arguments import whole_number
from runtime.ops.base.convert import cast_to, constant_of, convert_to_tensor, in_default_dtype
from runtime.ops.base.define import OpFunction, call, define_op, op, publish
from runtime.ops.base.node_forms import Place, dtype_zero
from runtime.ops.base.values import INT32_LIMIT, known_dims, to_array


def constant(
    value: object,
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

    Returns: The tensor.
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
        return constant_of(_allocated(np.full, dims, array.ravel()[0], array.dtype), name)
    if array.size != element_count(dims):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape. Tensor {array} has "
            f"{array.size} elements, but got `shape` {dims} with {element_count(dims)} elements."
        )
    return constant_of(array.reshape(dims), name)


def _allocated(make: Callable[..., Any], *args: object) -> Any:
    """Return what a function of NumPy makes. Raises ResourceExhaustedError for a lack of memory."""
    try:
        return make(*args)
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error


def _fill_spec(dims: Tensor, value: Tensor) -> TensorSpec:
    _check_scalar(value.shape.rank, value.shape)
    _check_vector(dims.shape.rank, dims.shape)
    return spec_of(value.spec.dtype, static_dims(dims))


def _check_scalar(rank: int | None, shape: Any) -> None:
    if rank:
        raise ValueError(f"value must represent a scalar, got shape {list(shape)}")


def _check_vector(rank: int | None, shape: Any) -> None:
    if rank not in (1, None):
        raise IncompatibleShapesError.of(f"dims must be a vector, got shape {list(shape)}")


def _fill(xp: Namespace, dims: Array, value: Array) -> Array:
    _check_scalar(value.ndim, value.shape)
    _check_vector(dims.ndim, dims.shape)
    return xp.full(tuple(dims.tolist()), value)


def shape_operand(shape: ShapeLike) -> Any:
    """Return a shape as a tuple of ints where it is known, else as a tensor."""
    if isinstance(shape, TensorShape):
        return tuple(known_dims(shape))
    if isinstance(shape, (int, np.integer)):
        shape = (shape,)
    if isinstance(shape, (tuple, list)):
        plain = set(map(type, shape)) <= {int}
        if plain and 0 <= min(shape, default=0) <= max(shape, default=0) < INT32_LIMIT:
            return tuple(shape)
        if plain or all(isinstance(dim, (int, np.integer)) for dim in shape):
            return _possible_dims(shape)
    parts = shape if isinstance(shape, (tuple, list)) else ()
    wide = any(isinstance(dim, Tensor) and dim.dtype is dtypes.int64 for dim in parts)
    tensor = convert_to_tensor(shape, dtype_hint=dtypes.int64 if wide else dtypes.int32)
    if not tensor.dtype.is_integer:
        raise TypeError(f"Cannot convert {shape!r} to EagerTensor of dtype int32")
    value = static_value(tensor)
    if value is None:
        # A single length is the shape of a vector.
        return tensor if tensor.shape.rank else call("Reshape", tensor, [-1])
    value = np.atleast_1d(value)
    _check_vector(value.ndim, value.shape)
    return _possible_dims(value.tolist())


def _possible_dims(dims: Sequence[int]) -> tuple[int, ...]:
    for dim in dims:
        if not 0 <= dim < 1 << 63:
            reason = "must be >= 0" if dim < 0 else "does not fit into int64"
            raise IncompatibleShapesError.of(f"Dimension {dim} {reason}")
    return tuple(map(int, dims))


@op(
    "Fill",
    {"dims": INDEX, "value": MIXED},
    infer=_fill_spec,
    kernel=_fill,
    grad=lambda g, y, dims, value: (None, call("Sum", g, axis=None, keepdims=False)),
    emit=Emit.FILL,
    samples=(sample([2, 3], 7.0), sample(np.array([2]), True)),
)
def fill(dims: ShapeLike, value: TensorLike, name: str | None = None) -> Tensor:
    """Make a tensor all of whose elements are one value.

    Args:
      dims: the shape, int32 or int64 vector.
      value: scalar of any dtype.

    Returns: Tensor of shape `dims` and the dtype of `value`.
    Raises: InvalidArgumentError if `value` is not a scalar.

    >>> print(fill([2], 5).numpy())
    [5 5]
    """
    return fill.op.apply((shape_operand(dims), value), name)


def _filled(shape: ShapeLike, number: int, dtype: DTypeLike, name: str) -> Tensor:
    wanted = dtype if type(dtype) is DType else dtypes.as_dtype(dtype)
    element = _element(number, wanted) if wanted is dtypes.string else number
    operand = shape_operand(shape)
    if not isinstance(operand, tuple):
        return fill.op(operand, np.full((), element, wanted.numpy_dtype), name=name)
    try:
        if element == 0:  # memory of the system is zero already
            return constant_of(np.zeros(operand, wanted.numpy_dtype), name)
        array = np.empty(operand, wanted.numpy_dtype)
    except MemoryError as error:
        raise ResourceExhaustedError.of(str(error)) from error
    array.fill(element)
    return constant_of(array, name)


def _element(number: int, dtype: DType) -> Any:
    if dtype is not dtypes.string:
        return dtype.as_numpy_dtype(number)
    if number:
        raise TypeError(
            f"Cannot convert {number} to EagerTensor of dtype string: Expected string, but got "
            f"{number} of type 'int'."
        )
    return b""


def zeros(shape: ShapeLike, dtype: DTypeLike = dtypes.float32, name: str | None = None) -> Tensor:
    """Make a tensor of zeros; False for bool, empty strings for string.

    Args:
      shape: the shape.
      dtype: the dtype.

    Returns: Tensor of that shape and dtype.

    >>> print(zeros([2, 1]).numpy().tolist())
    [[0.0], [0.0]]
    """
    return _filled(shape, 0, dtype, name or "zeros")


def ones(shape: ShapeLike, dtype: DTypeLike = dtypes.float32, name: str | None = None) -> Tensor:
    """Make a tensor of ones; True for bool.

    Args:
      shape, dtype, name: as in `zeros`.

    Returns: Tensor of that shape and dtype.
    Raises: TypeError for strings.

    >>> print(ones([2], dtype="int32").numpy())
    [1 1]
    """
    return _filled(shape, 1, dtype, name or "ones")


def _like_form(op_type: str, number: int) -> NodeForm:
    """Return the form of an op type whose result has the dtype of its input in TensorFlow."""

    def write(place: Place) -> list[Ref]:
        dtype = place.op.attrs["dtype"]
        if dtype is place.inputs[0].dtype:
            return place.main(op_type, place.inputs)
        shape = place.part("Shape", place.inputs, "Shape", out_type=dtypes.int32)
        value = np.array(number, dtype.numpy_dtype) if number else dtype_zero(dtype)
        return place.main("Fill", [*shape, place.constant(value, "Const")])

    return NodeForm(write=write)


def _like(
    name: str, op: str, number: int, emit: Emit, about: str, example: str
) -> OpFunction[..., Tensor]:
    """Define the function that makes a number in the shape of another tensor."""

    def kernel(xp: Namespace, x: Array, dtype: DType) -> Array:
        if not number and dtype is not dtypes.string:
            return xp.zeros(x.shape, dtype.numpy_dtype)
        return xp.full(x.shape, _element(number, dtype), dtype.numpy_dtype)

    defined = define_op(
        op,
        {"x": MIXED},
        lambda x, dtype: x.spec.with_dtype(dtype),
        kernel,
        grad=NOT_DIFFERENTIABLE,
        failure=Failure.NEVER,
        reads=Reads.SHAPE,
        emit=emit,
        node=_like_form(op, number),
        samples=(sample([1, 2], dtype=dtypes.int32), sample(2.0, dtype=dtypes.bool)),
    )
    label, apply = name, defined.apply

    def function(
        input: TensorLike, dtype: DTypeLike | None = None, name: str | None = None
    ) -> Tensor:
        x = in_default_dtype(convert_to_tensor(input))
        wanted = x.dtype if dtype is None else dtypes.as_dtype(dtype)
        return apply((x,), name or label, {"dtype": wanted})

    rest = """
        Args:
          input: any tensor.
          dtype: the dtype; None: that of `input`.

        Returns: Tensor of the shape of `input`.
        Raises: TypeError for ones of strings.
        """
    return publish(function, __name__, name, defined, about, rest, example)


zeros_like = _like(
    "zeros_like",
    "ZerosLike",
    0,
    Emit.ZEROS,
    "Make zeros in the shape of another tensor.",
    '[1.5, 2.5], dtype="int32" -> [0 0]',
)
ones_like = _like(
    "ones_like",
    "OnesLike",
    1,
    Emit.ONES,
    "Make ones in the shape of another tensor.",
    "[3.0, 2.0] -> [1. 1.]",
)


def eye(
    num_rows: TensorLike,
    num_columns: TensorLike | None = None,
    *,
    dtype: DTypeLike = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Make an identity matrix: ones on the diagonal, zeros elsewhere.

    Args:
      num_rows: integer scalar.
      num_columns: integer scalar; None: `num_rows`.
      dtype: the dtype.

    Returns: Tensor of shape [num_rows, num_columns].
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
        down, across = (call("Range", 0, length, 1) for length in (rows, columns))
        across = cast_to(across, down.dtype)
        return cast_to(call("Equal", call("ExpandDims", down, axis=-1), across), wanted)
    _element(1, wanted)
    for number in known:
        if int(number) < 0:
            raise IncompatibleShapesError.of(f"Dimension {number} must be >= 0")
    array = _allocated(np.eye, int(known[0]), int(known[1]), 0, wanted.numpy_dtype)
    return constant_of(array, name or "eye")
