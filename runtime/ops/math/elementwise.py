"""Functions of one number, applied to each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.opdef import (
    BOOL,
    FLOATING,
    NOT_DIFFERENTIABLE,
    NUMERIC,
    REAL,
    Grad,
    Kernel,
    Sample,
    Ufunc,
    sample,
)
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import zeros_of
from runtime.ops.math.complexes import conj

_FLOATS = (sample(0.3), sample([0.1, 0.5, 0.9]), sample(np.array([[0.2], [0.7]])))
_NUMBERS = (*_FLOATS, sample(3), sample([1, -2, 3]))


def _unary(
    name: str,
    kernel: Kernel,
    group: Any = FLOATING,
    samples: tuple[Sample, ...] = _FLOATS,
    infer: Any = rules.same,
    grad: Grad | None = None,
) -> Op:
    return define_op(
        name, {"x": group}, infer, kernel, elementwise=True, grad=grad, samples=samples
    )


def _rounded(xp: Any, x: Any) -> Any:
    return x if x.dtype.kind in "iu" else xp.round(x)


def _real_spec(x: Tensor) -> TensorSpec:
    return x.spec.with_dtype(x.spec.dtype.real_dtype)


def _abs_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    if not x.dtype.is_complex:
        return (g * _SIGN(x),)
    nothing = zeros_of(g)
    length = call("Complex", y, nothing)
    return (call("DivNoNan", call("Complex", g, nothing) * x, length),)


def _sign(xp: Any, x: Any) -> Any:
    """Of a complex number the number of length 1 with its angle."""
    if x.dtype.kind != "c":
        return xp.sign(x)
    length = xp.abs(x)
    return xp.where(length == 0, x, x / xp.where(length == 0, length + 1, length)).astype(x.dtype)


def _sign_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """The direction of a complex number turns, if it moves across; a real one does not."""
    if not x.dtype.is_complex:
        return (zeros_of(g),)
    along = call("Cast", call("Real", conj(y) * g), dtype=x.dtype)
    return (call("DivNoNan", g - y * along, call("Cast", _ABS(x), dtype=x.dtype)),)


def _sigmoid(xp: Any, x: Any) -> Any:
    """Where `exp` overflows, the result is 0: what it should be is no normal number any more."""
    if x.dtype.kind == "f" and x.dtype.itemsize == 2:
        # Numbers of 16 bits that are not normal are still worth something.
        return _sigmoid(xp, x.astype("float32")).astype(x.dtype)
    one = x.dtype.type(1)
    return one / (one + xp.exp(-x))


def _tan_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    secant = _RECIPROCAL(_COS(conj(x)))
    return (g * secant * secant,)


_NEG = _unary("Neg", Ufunc("negative"), NUMERIC, _NUMBERS, grad=lambda g, y, x: (-g,))
_ABS = _unary("Abs", Ufunc("abs"), NUMERIC, (*_NUMBERS, sample(3 - 4j)), _real_spec, grad=_abs_grad)
_SIGN = _unary("Sign", _sign, NUMERIC, (*_NUMBERS, sample(3 - 4j)), grad=_sign_grad)
_SQUARE = _unary(
    "Square", Ufunc("square"), NUMERIC, _NUMBERS, grad=lambda g, y, x: (g * (2 * conj(x)),)
)
_SQRT = _unary("Sqrt", Ufunc("sqrt"), grad=lambda g, y, x: (0.5 * g / conj(y),))
_RSQRT = _unary(
    "Rsqrt",
    lambda xp, x: (1 / xp.sqrt(x)).astype(x.dtype),
    grad=lambda g, y, x: (-0.5 * g * (conj(y) * _SQUARE(conj(y))),),
)
_RECIPROCAL = _unary(
    "Reciprocal",
    lambda xp, x: (1 / x).astype(x.dtype),
    grad=lambda g, y, x: (-g * _SQUARE(conj(y)),),
)
_EXP = _unary("Exp", Ufunc("exp"), grad=lambda g, y, x: (g * conj(y),))
_EXPM1 = _unary("Expm1", Ufunc("expm1"), grad=lambda g, y, x: (g * _EXP(conj(x)),))
_LOG = _unary("Log", Ufunc("log"), grad=lambda g, y, x: (g * _RECIPROCAL(conj(x)),))
_LOG1P = _unary("Log1p", Ufunc("log1p"), grad=lambda g, y, x: (g * _RECIPROCAL(1 + conj(x)),))
_SIN = _unary("Sin", Ufunc("sin"), grad=lambda g, y, x: (g * cos(conj(x)),))
_COS = _unary("Cos", Ufunc("cos"), grad=lambda g, y, x: (-g * _SIN(conj(x)),))
_TAN = _unary("Tan", Ufunc("tan"), grad=_tan_grad)
_ASIN = _unary("Asin", Ufunc("arcsin"), grad=lambda g, y, x: (g / _SQRT(1 - _SQUARE(conj(x))),))
_ACOS = _unary("Acos", Ufunc("arccos"), grad=lambda g, y, x: (-g / _SQRT(1 - _SQUARE(conj(x))),))
_ATAN = _unary("Atan", Ufunc("arctan"), grad=lambda g, y, x: (g / (1 + _SQUARE(conj(x))),))
_SINH = _unary("Sinh", Ufunc("sinh"), grad=lambda g, y, x: (g * cosh(conj(x)),))
_COSH = _unary("Cosh", Ufunc("cosh"), grad=lambda g, y, x: (g * _SINH(conj(x)),))
_TANH = _unary("Tanh", Ufunc("tanh"), grad=lambda g, y, x: (g * (1 - _SQUARE(conj(y))),))
_ASINH = _unary("Asinh", Ufunc("arcsinh"), grad=lambda g, y, x: (g / _COSH(conj(y)),))
_ACOSH = _unary(
    "Acosh",
    Ufunc("arccosh"),
    samples=(sample(1.5), sample([2.0, 3.5])),
    grad=lambda g, y, x: (g / _SINH(conj(y)),),
)
_ATANH = _unary("Atanh", Ufunc("arctanh"), grad=lambda g, y, x: (g / (1 - _SQUARE(conj(x))),))
_SIGMOID = _unary("Sigmoid", _sigmoid, grad=lambda g, y, x: (g * conj(y * (1 - y)),))
_FLOOR = _unary(
    "Floor", lambda xp, x: xp.floor(x).astype(x.dtype), REAL, _NUMBERS, grad=NOT_DIFFERENTIABLE
)
_CEIL = _unary(
    "Ceil", lambda xp, x: xp.ceil(x).astype(x.dtype), REAL, _NUMBERS, grad=NOT_DIFFERENTIABLE
)
_ROUND = _unary("Round", _rounded, NUMERIC, _NUMBERS, grad=NOT_DIFFERENTIABLE)
_RINT = _unary("Rint", Ufunc("rint"), samples=_FLOATS, grad=NOT_DIFFERENTIABLE)
_IS_NAN = _unary("IsNan", Ufunc("isnan"), infer=rules.boolean)
_IS_INF = _unary("IsInf", Ufunc("isinf"), infer=rules.boolean)
_IS_FINITE = _unary("IsFinite", Ufunc("isfinite"), infer=rules.boolean)
_NOT = _unary("LogicalNot", Ufunc("logical_not"), BOOL, (sample(True), sample([True, False])))


def negative(x: TensorLike, name: str | None = None) -> Tensor:
    """`-x`.

    >>> print(negative(2.0))
    tf.Tensor(-2.0, shape=(), dtype=float32)
    """
    return _NEG(x, name=name)


def abs(x: TensorLike, name: str | None = None) -> Tensor:
    """The absolute value; of a complex number its length.

    >>> print(abs([-1, 2]))
    tf.Tensor([1 2], shape=(2,), dtype=int32)
    """
    return _ABS(x, name=name)


def sign(x: TensorLike, name: str | None = None) -> Tensor:
    """-1, 0 or 1, as `x` is negative, zero or positive.

    >>> print(sign([-3.0, 0.0, 5.0]))
    tf.Tensor([-1.  0.  1.], shape=(3,), dtype=float32)
    """
    return _SIGN(x, name=name)


def square(x: TensorLike, name: str | None = None) -> Tensor:
    """`x * x`.

    >>> print(square(3))
    tf.Tensor(9, shape=(), dtype=int32)
    """
    return _SQUARE(x, name=name)


def sqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """The square root; NaN for a negative real number.

    >>> print(sqrt(16.0))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """
    return _SQRT(x, name=name)


def rsqrt(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 / sqrt(x)`.

    >>> print(rsqrt(4.0))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    return _RSQRT(x, name=name)


def reciprocal(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 / x`.

    >>> print(reciprocal(4.0))
    tf.Tensor(0.25, shape=(), dtype=float32)
    """
    return _RECIPROCAL(x, name=name)


def exp(x: TensorLike, name: str | None = None) -> Tensor:
    """The exponential function.

    >>> print(exp(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _EXP(x, name=name)


def expm1(x: TensorLike, name: str | None = None) -> Tensor:
    """`exp(x) - 1`, exact for small `x`.

    >>> print(expm1(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _EXPM1(x, name=name)


def log(x: TensorLike, name: str | None = None) -> Tensor:
    """The natural logarithm.

    >>> print(log(1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _LOG(x, name=name)


def log1p(x: TensorLike, name: str | None = None) -> Tensor:
    """`log(1 + x)`, exact for small `x`.

    >>> print(log1p(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _LOG1P(x, name=name)


def sin(x: TensorLike, name: str | None = None) -> Tensor:
    """The sine of an angle in radians.

    >>> print(sin(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _SIN(x, name=name)


def cos(x: TensorLike, name: str | None = None) -> Tensor:
    """The cosine of an angle in radians.

    >>> print(cos(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _COS(x, name=name)


def tan(x: TensorLike, name: str | None = None) -> Tensor:
    """The tangent of an angle in radians.

    >>> print(tan(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _TAN(x, name=name)


def asin(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle, in radians, with the sine `x`.

    >>> print(asin(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ASIN(x, name=name)


def acos(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle, in radians, with the cosine `x`.

    >>> print(acos(1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ACOS(x, name=name)


def atan(x: TensorLike, name: str | None = None) -> Tensor:
    """The angle, in radians, with the tangent `x`.

    >>> print(atan(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ATAN(x, name=name)


def sinh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic sine.

    >>> print(sinh(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _SINH(x, name=name)


def cosh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic cosine.

    >>> print(cosh(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _COSH(x, name=name)


def tanh(x: TensorLike, name: str | None = None) -> Tensor:
    """The hyperbolic tangent.

    >>> print(tanh(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _TANH(x, name=name)


def asinh(x: TensorLike, name: str | None = None) -> Tensor:
    """The number with the hyperbolic sine `x`.

    >>> print(asinh(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ASINH(x, name=name)


def acosh(x: TensorLike, name: str | None = None) -> Tensor:
    """The number, not negative, with the hyperbolic cosine `x`; NaN for a real number below 1.

    >>> print(acosh(1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ACOSH(x, name=name)


def atanh(x: TensorLike, name: str | None = None) -> Tensor:
    """The number with the hyperbolic tangent `x`.

    >>> print(atanh(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _ATANH(x, name=name)


def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 / (1 + exp(-x))`.

    >>> print(sigmoid(0.0))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    return _SIGMOID(x, name=name)


def floor(x: TensorLike, name: str | None = None) -> Tensor:
    """The largest whole number that is not above `x`, in the dtype of `x`.

    >>> print(floor(-1.5))
    tf.Tensor(-2.0, shape=(), dtype=float32)
    """
    return _FLOOR(x, name=name)


def ceil(x: TensorLike, name: str | None = None) -> Tensor:
    """The smallest whole number that is not below `x`, in the dtype of `x`.

    >>> print(ceil(1.2))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    return _CEIL(x, name=name)


def round(x: TensorLike, name: str | None = None) -> Tensor:
    """The nearest whole number, the even one of two, in the dtype of `x`.

    >>> print(round([0.5, 1.5]))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return _ROUND(x, name=name)


def rint(x: TensorLike, name: str | None = None) -> Tensor:
    """The nearest whole number, the even one of two; of floating-point numbers only.

    >>> print(rint([-1.7, 0.5, 1.5]))
    tf.Tensor([-2.  0.  2.], shape=(3,), dtype=float32)
    """
    return _RINT(x, name=name)


def is_nan(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether each element is not a number.

    >>> print(is_nan(float("nan")))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return _IS_NAN(x, name=name)


def is_inf(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether each element is infinite.

    >>> print(is_inf(float("inf")))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return _IS_INF(x, name=name)


def is_finite(x: TensorLike, name: str | None = None) -> Tensor:
    """Whether each element is neither infinite nor NaN.

    >>> print(is_finite(1.0))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return _IS_FINITE(x, name=name)


def logical_not(x: TensorLike, name: str | None = None) -> Tensor:
    """`not x`, element by element.

    >>> print(logical_not(True))
    tf.Tensor(False, shape=(), dtype=bool)
    """
    return _NOT(x, name=name)
