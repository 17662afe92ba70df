"""Functions of two numbers, applied to pairs of elements; shapes broadcast."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import (
    FLOAT,
    FLOATING,
    INTEGER,
    NOT_DIFFERENTIABLE,
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
from runtime.ops.base import rules
from runtime.ops.base.convert import cast_to, is_weak, one_dtype, weakened
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import chosen, zeros_of
from runtime.ops.math.complexes import PARTS, conj

_SAMPLES = (
    sample(3.0, 2.0),
    sample([1, 2, 3], 2),
    sample([[1.0], [2.0]], [3.0, 4.0]),
    sample(np.int64(7), np.int64(-2)),
    sample([-7, 7], [2, -2]),
)
_UNEVEN = (sample(7.3, 2.0), sample([5.0, 2.5], [[3.5], [-2.2]]), sample([1, 2, 3], 2))
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


def _truncate_divide(xp: Any, x: Any, y: Any) -> Any:
    _refuse_zero(xp, y)
    if y.dtype.kind == "f":
        return xp.trunc(x / y)
    quotient = xp.floor_divide(x, y)
    return quotient + ((quotient * y != x) & ((x < 0) != (y < 0))).astype(x.dtype)


def _truncate_mod(xp: Any, x: Any, y: Any) -> Any:
    _refuse_zero(xp, y)
    return xp.fmod(x, y)


def _power(xp: Any, x: Any, y: Any) -> Any:
    if y.dtype.kind == "i" and xp.any(y < 0):
        raise InvalidArgumentError(
            None, None, "Integers to negative integer powers are not allowed"
        )
    return xp.power(x, y)


def _mul_no_nan(xp: Any, x: Any, y: Any) -> Any:
    return xp.where(y == 0, x.dtype.type(0), x * y)


def _no_nan(xp: Any, x: Any, y: Any) -> Any:
    return xp.where(y == 0, x.dtype.type(0), x / xp.where(y == 0, y.dtype.type(1), y))


def _less_where(op: str) -> Grad:
    """The rule of an extreme: everything goes to the operand that was taken, to `x` if equal."""

    def grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        taken = call(op, x, y)
        return chosen(taken, g), chosen(taken, zeros_of(g), g)

    return grad


def _divide_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    divisor = conj(y)
    return g / divisor, g * (-conj(x) / divisor / divisor)


def _no_nan_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    divisor = conj(y)
    return _NO_NAN(g, divisor), g * _NO_NAN(_NO_NAN(-conj(x), divisor), divisor)


def _mul_no_nan_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return _MUL_NO_NAN(g, y), _MUL_NO_NAN(x, g)


def _pow_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """A power of a number that is not positive does not depend smoothly on the exponent."""
    base, exponent = conj(x), conj(y)
    smooth = base > 0 if x.dtype.is_floating else call("NotEqual", base, 0)
    log = chosen(smooth, call("Log", chosen(smooth, base, 1)))
    return g * exponent * _POW(base, exponent - 1), g * conj(z) * log


def _atan2_grad(g: Tensor, z: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    scaled = g / (x * x + y * y)
    return x * scaled, -y * scaled


def _squared_difference_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    half = 2 * g * (x - y)
    return half, -half


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
_SUB = _checked(_binary("Sub", Ufunc("subtract"), grad=lambda g, z, x, y: (g, -g)), operator.sub)
_MUL = _checked(
    _binary("Mul", Ufunc("multiply"), grad=lambda g, z, x, y: (g * conj(y), g * conj(x))),
    operator.mul,
)
_REAL_DIV = _binary("RealDiv", Ufunc("true_divide"), FLOATING, _FLOATS, _divide_grad)
_NO_NAN = _binary(
    "DivNoNan", _no_nan, FLOATING, (*_FLOATS, sample([1.0, 2.0], [3.0, 4.0])), _no_nan_grad
)
_MUL_NO_NAN = _binary("MulNoNan", _mul_no_nan, FLOATING, _FLOATS, _mul_no_nan_grad)
_FLOOR_DIV = _binary("FloorDiv", _floor_divide, REAL, grad=NOT_DIFFERENTIABLE)
_FLOOR_MOD = _binary(
    "FloorMod",
    _floor_mod,
    REAL,
    (*_UNEVEN, sample([-7, 7], [2, -2])),
    lambda g, z, x, y: (g, -g * _FLOOR_DIV(x, y)),
)
_TRUNCATE_DIV = _binary("TruncateDiv", _truncate_divide, REAL, grad=NOT_DIFFERENTIABLE)
_TRUNCATE_MOD = _binary(
    "TruncateMod",
    _truncate_mod,
    REAL,
    (*_UNEVEN, sample([-7, 7], [2, -2])),
    lambda g, z, x, y: (g, -g * _TRUNCATE_DIV(x, y)),
)
_POW = _checked(
    _binary(
        "Pow",
        _power,
        samples=(sample(3.0, 2.0), sample([1, 2, 3], 2), sample([1.5, 2.5], [[0.5], [3.0]])),
        grad=_pow_grad,
    ),
    operator.pow,
)
_MAXIMUM = _binary("Maximum", Ufunc("maximum"), REAL, _UNEVEN, _less_where("GreaterEqual"))
_MINIMUM = _binary("Minimum", Ufunc("minimum"), REAL, _UNEVEN, _less_where("LessEqual"))
_ATAN2 = _binary("Atan2", Ufunc("arctan2"), FLOAT, _FLOATS, _atan2_grad)
_SQUARED_DIFFERENCE = _binary(
    "SquaredDifference",
    lambda xp, x, y: xp.real(xp.conj(x - y) * (x - y)).astype(x.dtype),
    grad=_squared_difference_grad,
)
_NEXT_AFTER = _binary(
    "NextAfter", Ufunc("nextafter"), PARTS, _FLOATS, lambda g, z, x, y: (g, zeros_of(g))
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
    return _REAL_DIV(*_quotients(x, y), name=name or "truediv")


def _quotients(x: TensorLike, y: TensorLike) -> tuple[TensorLike, TensorLike]:
    """The operands of a division: integers as floating-point numbers."""
    weak = (is_weak(x) and is_weak(y)) and (isinstance(x, Tensor) or isinstance(y, Tensor))
    (a, b), _ = one_dtype("RealDiv", [("x", x), ("y", y)])
    if weak and not a.dtype.is_integer:
        return x, y
    if a.dtype.is_integer:
        small = a.dtype in (dtypes.int8, dtypes.uint8, dtypes.int16, dtypes.uint16)
        wanted = dtypes.float32 if small else dtypes.float64
        a, b = weakened(cast_to(a, wanted), weak), weakened(cast_to(b, wanted), weak)
    return a, b


truediv = divide


def divide_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y`, and 0 where `y` is 0. Integers are converted first, as in `divide`.

    >>> print(divide_no_nan([1.0, 2.0], [0.0, 4.0]))
    tf.Tensor([0.  0.5], shape=(2,), dtype=float32)
    """
    return _NO_NAN(*_quotients(x, y), name=name or "div_no_nan")


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


mod = floormod


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


def multiply_no_nan(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x * y`, and 0 where `y` is 0, even if `x` is infinite or NaN there.

    Args:
      x, y: floating-point or complex numbers.

    >>> print(multiply_no_nan([float("inf"), 2.0], [0.0, 4.0]))
    tf.Tensor([0. 8.], shape=(2,), dtype=float32)
    """
    return _MUL_NO_NAN(x, y, name=name or "multiply_no_nan")


def reciprocal_no_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 / x`, and 0 where `x` is 0.

    >>> print(reciprocal_no_nan([2.0, 0.0]))
    tf.Tensor([0.5 0. ], shape=(2,), dtype=float32)
    """
    return _NO_NAN(1, x, name=name or "reciprocal_no_nan")


def truncatediv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y`, cut off towards zero.

    Raises: InvalidArgumentError for an integer divided by zero.

    >>> print(truncatediv([-7, 7], 2))
    tf.Tensor([-3  3], shape=(2,), dtype=int32)
    """
    return _TRUNCATE_DIV(x, y, name=name)


def truncatemod(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """What `truncatediv` leaves, with the sign of `x`.

    Raises: InvalidArgumentError for an integer divided by zero.

    >>> print(truncatemod([-7, 7], 3))
    tf.Tensor([-1  1], shape=(2,), dtype=int32)
    """
    return _TRUNCATE_MOD(x, y, name=name)


def realdiv(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y` of floating-point or complex numbers.

    >>> print(realdiv(1.0, 2.0))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    return _REAL_DIV(x, y, name=name)


def nextafter(x1: TensorLike, x2: TensorLike, name: str | None = None) -> Tensor:
    """The number that follows each of `x1` on the way to `x2`.

    >>> float(nextafter(np.float64(1), np.float64(2))) - 1
    2.220446049250313e-16
    """
    return _NEXT_AFTER(x1, x2, name=name)
