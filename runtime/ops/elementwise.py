"""Functions of one number, applied to each element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.opdef import BOOL, FLOATING, NUMERIC, REAL, Grad, Kernel, Sample, Ufunc, sample
from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import rules
from runtime.ops.define import Op, call, define_op

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


_NEG = _unary("Neg", Ufunc("negative"), NUMERIC, _NUMBERS, grad=lambda g, y, x: (-g,))
_ABS = _unary("Abs", Ufunc("abs"), NUMERIC, (*_NUMBERS, sample(3 - 4j)), _real_spec)
_SIGN = _unary("Sign", Ufunc("sign"), NUMERIC, _NUMBERS)
_SQUARE = _unary("Square", Ufunc("square"), NUMERIC, _NUMBERS)
_SQRT = _unary("Sqrt", Ufunc("sqrt"))
_RSQRT = _unary("Rsqrt", lambda xp, x: (1 / xp.sqrt(x)).astype(x.dtype))
_RECIPROCAL = _unary("Reciprocal", lambda xp, x: (1 / x).astype(x.dtype))
_EXP = _unary("Exp", Ufunc("exp"), grad=lambda g, y, x: (g * y,))
_EXPM1 = _unary("Expm1", Ufunc("expm1"))
_LOG = _unary("Log", Ufunc("log"))
_LOG1P = _unary("Log1p", Ufunc("log1p"))
_SIN = _unary("Sin", Ufunc("sin"), grad=lambda g, y, x: (g * call("Cos", x),))
_COS = _unary("Cos", Ufunc("cos"), grad=lambda g, y, x: (-g * call("Sin", x),))
_TAN = _unary("Tan", Ufunc("tan"))
_ASIN = _unary("Asin", Ufunc("arcsin"))
_ACOS = _unary("Acos", Ufunc("arccos"))
_ATAN = _unary("Atan", Ufunc("arctan"))
_SINH = _unary("Sinh", Ufunc("sinh"))
_COSH = _unary("Cosh", Ufunc("cosh"))
_TANH = _unary("Tanh", Ufunc("tanh"))
_SIGMOID = _unary("Sigmoid", lambda xp, x: (1 / (1 + xp.exp(-x))).astype(x.dtype))
_SOFTPLUS = _unary("Softplus", lambda xp, x: xp.logaddexp(x, x.dtype.type(0)))
_RELU = _unary("Relu", lambda xp, x: xp.maximum(x, x.dtype.type(0)), REAL, _NUMBERS)
_FLOOR = _unary("Floor", lambda xp, x: xp.floor(x).astype(x.dtype), REAL, _NUMBERS)
_CEIL = _unary("Ceil", lambda xp, x: xp.ceil(x).astype(x.dtype), REAL, _NUMBERS)
_ROUND = _unary("Round", _rounded, REAL, _NUMBERS)
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


def sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 / (1 + exp(-x))`.

    >>> print(sigmoid(0.0))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    return _SIGMOID(x, name=name)


def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """`log(exp(features) + 1)`.

    >>> print(softplus(-200.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _SOFTPLUS(features, name=name)


def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """`max(features, 0)`.

    >>> print(relu([-1.0, 2.0]))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return _RELU(features, name=name)


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
