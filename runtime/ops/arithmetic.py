"""Functions of two numbers, applied to pairs of elements; shapes broadcast."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import (
    FLOATING,
    INTEGER,
    NUMERIC,
    NUMERIC_OR_STRING,
    REAL,
    Grad,
    Kernel,
    Sample,
    Ufunc,
    sample,
)
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.convert import cast_to, convert_to_tensor, is_weak, one_dtype
from runtime.ops.define import Op, define_op

_SAMPLES = (
    sample(3.0, 2.0),
    sample([1, 2, 3], 2),
    sample([[1.0], [2.0]], [3.0, 4.0]),
    sample(np.int64(7), np.int64(-2)),
    sample([-7, 7], [2, -2]),
)
_FLOATS = (sample(3.0, 2.0), sample([1.0, 2.0], [[3.0], [4.0]]))
_INTS = (sample(6, 3), sample([5, 1], [4, 2]))


def _binary(
    name: str,
    kernel: Kernel,
    group: Any = NUMERIC,
    samples: tuple[Sample, ...] = _SAMPLES,
    grad: Grad | None = None,
) -> Op:
    return define_op(
        name,
        {"x": group, "y": group},
        rules.broadcasted,
        kernel,
        elementwise=True,
        grad=grad,
        samples=samples,
    )


def _checked(op: Op, exactly: Callable[[Any, Any], Any]) -> Op:
    """The op with a sibling that refuses where the op wraps around.

    `exactly` is Python's operator, which computes the same without limits.
    """
    definition = op.definition

    def kernel(xp: Any, x: Any, y: Any) -> Any:
        result = definition.kernel(xp, x, y)
        if x.ndim or y.ndim:
            exact = exactly(x.astype(object), y.astype(object))
            fits = bool(xp.all(exact == result))
        else:
            exact = exactly(x.item(), y.item())
            fits = exact == result.item()
        if not fits:
            raise InvalidArgumentError(
                None,
                None,
                f"{definition.name} of {x} and {y} is {exact}, which does not fit into {x.dtype}. "
                "A Python int becomes a tensor of that dtype in a staged loop or branch; start "
                "with a tensor of a wider one, for instance runtime.constant(1, runtime.int64).",
            )
        return result

    sibling = define_op(
        f"Checked{definition.name}",
        {"x": INTEGER, "y": INTEGER},
        rules.broadcasted,
        kernel,
        elementwise=True,
        samples=_INTS,
    )
    return Op(definition, sibling.definition)


def _refuse_zero(xp: Any, y: Any) -> None:
    if y.dtype.kind in "iu" and xp.any(y == 0):
        raise InvalidArgumentError(None, None, "Integer division by zero")


def _floor_divide(xp: Any, x: Any, y: Any) -> Any:
    _refuse_zero(xp, y)
    return xp.floor_divide(x, y)


def _floor_mod(xp: Any, x: Any, y: Any) -> Any:
    _refuse_zero(xp, y)
    return xp.mod(x, y)


def _no_nan(xp: Any, x: Any, y: Any) -> Any:
    return xp.where(y == 0, x.dtype.type(0), x / xp.where(y == 0, y.dtype.type(1), y))


_ADD = _checked(
    _binary(
        "AddV2",
        Ufunc("add"),
        NUMERIC_OR_STRING,
        (*_SAMPLES, sample(["a", "b"], "c")),
        grad=lambda g, z, x, y: (g, g),
    ),
    operator.add,
)
_SUB = _checked(_binary("Sub", Ufunc("subtract")), operator.sub)
_MUL = _checked(
    _binary("Mul", Ufunc("multiply"), grad=lambda g, z, x, y: (g * y, g * x)), operator.mul
)
_REAL_DIV = _binary("RealDiv", Ufunc("true_divide"), FLOATING, _FLOATS)
_NO_NAN = _binary("DivNoNan", _no_nan, FLOATING, (*_FLOATS, sample([1.0, 2.0], [0.0, 4.0])))
_FLOOR_DIV = _binary("FloorDiv", _floor_divide, REAL)
_FLOOR_MOD = _binary("FloorMod", _floor_mod, REAL)
_POW = _checked(
    _binary("Pow", Ufunc("power"), samples=(sample(3.0, 2.0), sample([1, 2, 3], 2))), operator.pow
)
_MAXIMUM = _binary("Maximum", Ufunc("maximum"), REAL)
_MINIMUM = _binary("Minimum", Ufunc("minimum"), REAL)
_ATAN2 = _binary("Atan2", Ufunc("arctan2"), FLOATING, _FLOATS)
_SQUARED_DIFFERENCE = _binary("SquaredDifference", lambda xp, x, y: xp.square(x - y))
_BITWISE_AND = _binary("BitwiseAnd", Ufunc("bitwise_and"), INTEGER, _INTS)
_BITWISE_OR = _binary("BitwiseOr", Ufunc("bitwise_or"), INTEGER, _INTS)
_BITWISE_XOR = _binary("BitwiseXor", Ufunc("bitwise_xor"), INTEGER, _INTS)
_INVERT = define_op(
    "Invert", {"x": INTEGER}, rules.same, Ufunc("invert"), elementwise=True, samples=(sample(5),)
)


def add(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x + y`; strings are joined.

    >>> print(add([1, 2], 3))
    tf.Tensor([4 5], shape=(2,), dtype=int32)
    """
    return _ADD(x, y, name=name or "Add")


def subtract(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x - y`.

    >>> print(subtract([1, 2], 3))
    tf.Tensor([-2 -1], shape=(2,), dtype=int32)
    """
    return _SUB(x, y, name=name)


def multiply(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x * y`, element by element.

    >>> print(multiply([1, 2], 3))
    tf.Tensor([3 6], shape=(2,), dtype=int32)
    """
    return _MUL(x, y, name=name)


def divide(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y`: the true quotient. Integers are converted first: to float64, int8 and int16 to
    float32.

    >>> print(divide(1, 2))
    tf.Tensor(0.5, shape=(), dtype=float64)
    """
    weak = (is_weak(x) and is_weak(y)) and (isinstance(x, Tensor) or isinstance(y, Tensor))
    (a, b), _ = one_dtype("RealDiv", [("x", x), ("y", y)])
    if a.dtype.is_integer:
        small = a.dtype in (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16) or weak
        wanted = dtypes.float32 if small else dtypes.float64
        a, b = cast_to(a, wanted), cast_to(b, wanted)
    return _REAL_DIV(a, b, name=name or "truediv")


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y`, and 0 where `y` is 0.

    >>> print(divide_no_nan([1.0, 2.0], [0.0, 4.0]))
    tf.Tensor([0.  0.5], shape=(2,), dtype=float32)
    """
    return _NO_NAN(x, y, name=name)


def floordiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x // y`, rounded down as in Python.

    Raises: InvalidArgumentError for an integer divided by zero.

    >>> print(floordiv([-7, 7], 2))
    tf.Tensor([-4  3], shape=(2,), dtype=int32)
    """
    return _FLOOR_DIV(x, y, name=name or "floordiv")


def floormod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x % y`, with the sign of `y` as in Python.

    Raises: InvalidArgumentError for an integer divided by zero.

    >>> print(floormod([-7, 7], 3))
    tf.Tensor([2 1], shape=(2,), dtype=int32)
    """
    return _FLOOR_MOD(x, y, name=name or "FloorMod")


def pow(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x ** y`.

    Raises: InvalidArgumentError for an integer raised to a negative integer.

    >>> print(pow([2, 3], 2))
    tf.Tensor([4 9], shape=(2,), dtype=int32)
    """
    return _POW(x, y, name=name)


def maximum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The larger of each pair.

    >>> print(maximum(0.0, [1, -1]))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    return _MAXIMUM(x, y, name=name)


def minimum(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The smaller of each pair.

    >>> print(minimum([1, 5], 3))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    return _MINIMUM(x, y, name=name)


def atan2(y: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The angle, in radians, of the point `(x, y)`.

    >>> print(atan2(0.0, 1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ATAN2(y, x, name=name)


def squared_difference(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`(x - y) * (x - y)`.

    >>> print(squared_difference(5, 2))
    tf.Tensor(9, shape=(), dtype=int32)
    """
    return _SQUARED_DIFFERENCE(x, y, name=name)


def bitwise_and(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that both integers have.

    >>> print(bitwise_and(6, 3))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    return _BITWISE_AND(x, y, name=name)


def bitwise_or(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that either integer has.

    >>> print(bitwise_or(6, 3))
    tf.Tensor(7, shape=(), dtype=int32)
    """
    return _BITWISE_OR(x, y, name=name)


def bitwise_xor(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """The bits that one of the integers has.

    >>> print(bitwise_xor(6, 3))
    tf.Tensor(5, shape=(), dtype=int32)
    """
    return _BITWISE_XOR(x, y, name=name)


def invert(x: TensorLike, name: str | None = None) -> Tensor:
    """The integer with all bits flipped.

    >>> print(invert(0))
    tf.Tensor(-1, shape=(), dtype=int32)
    """
    return _INVERT(x, name=name)


def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of a list of tensors.

    Raises: ValueError if there are none.

    >>> print(add_n([1.0, 2.0, 3.0]))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    tensors = list(inputs)
    if not tensors:
        raise ValueError("add_n needs at least one tensor")
    total = convert_to_tensor(tensors[0])
    for tensor in tensors[1:]:
        total = _ADD(total, tensor, name=name or "AddN")
    return total


def clip_by_value(
    t: TensorLike,
    clip_value_min: TensorLike,
    clip_value_max: TensorLike,
    name: str | None = None,
) -> Tensor:
    """Each element, or the limit that it is beyond.

    Args:
      t: real numbers.
      clip_value_min, clip_value_max: the limits; they broadcast to the shape of `t`.

    >>> print(clip_by_value([-1.0, 0.5, 3.0], 0.0, 1.0))
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float32)
    """
    return maximum(minimum(t, clip_value_max), clip_value_min, name=name or "clip_by_value")
