"""Functions of one number, applied to each element."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.node_form import NodeForm
from runtime.core.opdef import (
    BOOL,
    FLOAT,
    NOT_DIFFERENTIABLE,
    NUMERIC,
    REAL,
    Emit,
    Grad,
    Kernel,
    PythonOperator,
    Ufunc,
    sample,
)
from runtime.core.tensor import Tensor
from runtime.ops.base import rules
from runtime.ops.base.convert import cast_to
from runtime.ops.base.define import call, zeros_of
from runtime.ops.base.families import UNARY_SAMPLES, Elementwise, Slope, Unary
from runtime.ops.math.complexes import complex as complex_
from runtime.ops.math.complexes import conj, real

_NUMBERS = (*UNARY_SAMPLES, sample(3), sample([1, -2, 3]))
_WITH_COMPLEX = (*_NUMBERS, sample(3 - 4j))

_rows = Elementwise(__name__)


def _abs_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    if not x.dtype.is_complex:
        return (g * sign(x),)
    nothing = zeros_of(g)
    return (call("DivNoNan", complex_.op(g, nothing) * x, complex_.op(y, nothing)),)


def _sign(xp: Namespace, x: Array) -> Array:
    """Return `x / |x|` for complex numbers."""
    if x.dtype.kind != "c":
        return xp.sign(x)
    length = xp.abs(x)
    return xp.where(length == 0, x, x / xp.where(length == 0, length + 1, length)).astype(x.dtype)


def _sign_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    """Only a move across the direction of a complex number turns it; a real sign is constant."""
    if not x.dtype.is_complex:
        return (zeros_of(g),)
    along = cast_to(real.op(conj(y) * g), x.dtype)
    return (call("DivNoNan", g - y * along, cast_to(abs(x), x.dtype)),)


def _sigmoid(xp: Namespace, x: Array) -> Array:
    """Return 0 where `exp` overflows: the exact result is subnormal."""
    if x.dtype.kind == "f" and x.dtype.itemsize == 2:
        # Keep float16 subnormals: do not flush to zero.
        return _sigmoid(xp, x.astype("float32")).astype(x.dtype)
    one = x.dtype.type(1)
    return one / (one + xp.exp(-x))


def _damped(slope: Slope) -> Grad:
    """Return the rule of a slope that may be infinite: a gradient of 0 stays 0.

    So a root that a branch, loop or `where` does not use gets 0, as in TensorFlow, not NaN.
    """
    return lambda g, y, x: (call("MulNoNan", conj(slope(x, y)), g),)


negative = _rows.unary(
    "negative",
    "negative",
    lambda x, y: -1,
    "Negation, `-x`; integers wrap around.",
    "[1.5, -2.0] -> [-1.5  2. ]",
    op="Neg",
    python=PythonOperator("-{}", operator.neg),
    group=NUMERIC,
    samples=_NUMBERS,
)
abs = _rows.unary(
    "abs",
    Ufunc("abs", scalar=operator.abs),
    None,
    "Absolute value; for a complex number its modulus, in the dtype of its parts.",
    "[-1, 2] -> [1 2]",
    group=NUMERIC,
    infer=lambda x: x.spec.with_dtype(x.spec.dtype.real_dtype),
    grad=_abs_grad,
    python=PythonOperator("abs({})", operator.abs),
    node=NodeForm(lambda op: "ComplexAbs" if op.inputs[0].dtype.is_complex else "Abs"),
    samples=_WITH_COMPLEX,
)
sign = _rows.unary(
    "sign",
    _sign,
    None,
    "Sign: -1, 0 or 1; for a complex number `x / |x|`.",
    "[-3.0, 0.0, 5.0] -> [-1.  0.  1.]",
    group=NUMERIC,
    grad=_sign_grad,
    samples=_WITH_COMPLEX,
    emit=Emit.SIGN,
)
square = _rows.unary(
    "square",
    "square",
    lambda x, y: 2 * x,
    "Square, `x * x`.",
    "[3, -4] -> [ 9 16]",
    group=NUMERIC,
    python=PythonOperator("{0} * {0}", lambda x: x * x),
    samples=_NUMBERS,
)
sqrt = _rows.unary(
    "sqrt",
    "sqrt",
    None,
    "Square root; NaN for a negative real number.",
    "[16.0, 2.0] ~> [4.     1.4142]",
    grad=_damped(lambda x, y: 0.5 / y),
)
rsqrt = _rows.unary(
    "rsqrt",
    lambda xp, x: (1 / xp.sqrt(x)).astype(x.dtype),
    None,
    "Reciprocal of the square root, `1 / sqrt(x)`.",
    "[4.0, 0.25] -> [0.5 2. ]",
    grad=_damped(lambda x, y: -0.5 * (y * square(y))),
    emit=Emit.RSQRT,
)
reciprocal = _rows.unary(
    "reciprocal",
    lambda xp, x: (1 / x).astype(x.dtype),
    None,
    "Reciprocal, `1 / x`.",
    "[4.0, -0.5] -> [ 0.25 -2.  ]",
    grad=_damped(lambda x, y: -square(y)),
    emit=Emit.RECIPROCAL,
)
exp = _rows.unary(
    "exp", "exp", lambda x, y: y, "Exponential function, `e ** x`.", "[0.0, 1.0] ~> [1.     2.7183]"
)
expm1 = _rows.unary(
    "expm1",
    "expm1",
    lambda x, y: exp(x),
    "`exp(x) - 1` without cancellation for small `x`.",
    "[1e-8, 0.0] -> [1.e-08 0.e+00]",
)
log = _rows.unary(
    "log",
    "log",
    lambda x, y: reciprocal(x),
    "Natural logarithm; NaN for a negative real number, -inf for 0.",
    "[1.0, 10.0] ~> [0.     2.3026]",
)
log1p = _rows.unary(
    "log1p",
    "log1p",
    lambda x, y: reciprocal(1 + x),
    "`log(1 + x)` without cancellation for small `x`.",
    "[1e-8, 1.0] -> [1.000000e-08 6.931472e-01]",
)
sin = _rows.unary(
    "sin",
    "sin",
    lambda x, y: cos(x),
    "Sine of an angle in radians.",
    "[0.0, 1.0] ~> [0.     0.8415]",
)
cos: Unary = _rows.unary(
    "cos",
    "cos",
    lambda x, y: -sin(x),
    "Cosine of an angle in radians.",
    "[0.0, 1.0] ~> [1.     0.5403]",
)
tan = _rows.unary(
    "tan",
    "tan",
    lambda x, y: square(reciprocal(cos(x))),
    "Tangent of an angle in radians.",
    "[0.0, 1.0] ~> [0.     1.5574]",
)
asin = _rows.unary(
    "asin",
    "arcsin",
    None,
    "Inverse sine in [-pi/2, pi/2]; NaN outside [-1, 1] for real numbers.",
    "[0.5, 1.0] ~> [0.5236 1.5708]",
    grad=lambda g, y, x: (g / sqrt(1 - square(conj(x))),),
)
acos = _rows.unary(
    "acos",
    "arccos",
    None,
    "Inverse cosine in [0, pi]; NaN outside [-1, 1] for real numbers.",
    "[0.5, -1.0] ~> [1.0472 3.1416]",
    grad=lambda g, y, x: (-g / sqrt(1 - square(conj(x))),),
)
atan = _rows.unary(
    "atan",
    "arctan",
    None,
    "Inverse tangent in (-pi/2, pi/2).",
    "[0.5, 1.0] ~> [0.4636 0.7854]",
    grad=lambda g, y, x: (g / (1 + square(conj(x))),),
)
sinh = _rows.unary(
    "sinh", "sinh", lambda x, y: cosh(x), "Hyperbolic sine.", "[0.0, 1.0] ~> [0.     1.1752]"
)
cosh: Unary = _rows.unary(
    "cosh", "cosh", lambda x, y: sinh(x), "Hyperbolic cosine.", "[0.0, 1.0] ~> [1.     1.5431]"
)
tanh = _rows.unary(
    "tanh",
    "tanh",
    lambda x, y: 1 - square(y),
    "Hyperbolic tangent.",
    "[0.0, 1.0] ~> [0.     0.7616]",
)
asinh = _rows.unary(
    "asinh",
    "arcsinh",
    None,
    "Inverse hyperbolic sine.",
    "[0.0, 1.0] ~> [0.     0.8814]",
    grad=lambda g, y, x: (g / cosh(conj(y)),),
)
acosh = _rows.unary(
    "acosh",
    "arccosh",
    None,
    "Inverse hyperbolic cosine, not negative; NaN for a real number below 1.",
    "[1.0, 2.0] ~> [0.    1.317]",
    grad=lambda g, y, x: (g / sinh(conj(y)),),
    samples=(sample(1.5), sample([2.0, 3.5])),
)
atanh = _rows.unary(
    "atanh",
    "arctanh",
    None,
    "Inverse hyperbolic tangent; NaN outside [-1, 1] for real numbers.",
    "[0.0, 0.5] ~> [0.     0.5493]",
    grad=lambda g, y, x: (g / (1 - square(conj(x))),),
)
sigmoid = _rows.unary(
    "sigmoid",
    _sigmoid,
    lambda x, y: y * (1 - y),
    "Logistic function, `1 / (1 + exp(-x))`.",
    "[0.0, 2.0] ~> [0.5    0.8808]",
    emit=Emit.LOGISTIC,
)


def _of_floats(op_type: str) -> NodeForm:
    """Return the form of a rounding op: TensorFlow's take floats only."""
    return NodeForm(lambda op: "Identity" if op.inputs[0].dtype.is_integer else op_type)


floor = _rows.unary(
    "floor",
    lambda xp, x: xp.floor(x).astype(x.dtype),
    NOT_DIFFERENTIABLE,
    "Largest integer not above `x`.",
    "[-1.5, 1.5] -> [-2.  1.]",
    group=REAL,
    node=_of_floats("Floor"),
    samples=_NUMBERS,
)
ceil = _rows.unary(
    "ceil",
    lambda xp, x: xp.ceil(x).astype(x.dtype),
    NOT_DIFFERENTIABLE,
    "Smallest integer not below `x`.",
    "[-1.5, 1.2] -> [-1.  2.]",
    group=REAL,
    node=_of_floats("Ceil"),
    samples=_NUMBERS,
)
round = _rows.unary(
    "round",
    lambda xp, x: x if x.dtype.kind in "iu" else xp.round(x),
    NOT_DIFFERENTIABLE,
    "Nearest integer; halves go to the even one, as Python's `round` does.",
    "[0.5, 1.5] -> [0. 2.]",
    group=NUMERIC,
    node=_of_floats("Round"),
    samples=_NUMBERS,
)
rint = _rows.unary(
    "rint",
    "rint",
    NOT_DIFFERENTIABLE,
    "Nearest integer; halves go to the even one. Integer tensors are refused; see `round`.",
    "[-1.7, 0.5, 1.5] -> [-2.  0.  2.]",
)
is_nan = _rows.unary(
    "is_nan",
    "isnan",
    None,
    "True for NaN.",
    '[1.0, float("nan")] -> [False  True]',
    infer=rules.boolean,
)
is_inf = _rows.unary(
    "is_inf",
    "isinf",
    None,
    "True for positive and negative infinity.",
    '[1.0, float("-inf")] -> [False  True]',
    infer=rules.boolean,
)
is_finite = _rows.unary(
    "is_finite",
    "isfinite",
    None,
    "True for numbers that are neither infinite nor NaN.",
    '[1.0, float("inf")] -> [ True False]',
    infer=rules.boolean,
)
logical_not = _rows.unary(
    "logical_not",
    "logical_not",
    None,
    "`not x` for each element.",
    "[True, False] -> [False  True]",
    group=BOOL,
    samples=(sample(True), sample([True, False])),
    python=PythonOperator("not {}", operator.not_),
)


def _of_python(function: Callable[[float], float]) -> Kernel:
    """Return the kernel that calls a function of `math`, in double precision, for each element."""

    def kernel(xp: Namespace, x: Array) -> Array:
        values = np.fromiter(map(function, x.ravel().tolist()), np.float64, x.size)
        return xp.asarray(values.astype(x.dtype).reshape(x.shape))

    return kernel


_TWO_BY_SQRT_PI = 2 / math.sqrt(math.pi)
_STEPS = 256
_GRID = np.arange(-4 * _STEPS, 4 * _STEPS + 1) / _STEPS
"""Points around which `erf` is expanded; `erf(4)` is 1 in single precision."""
_ERF = np.array(list(map(math.erf, _GRID.tolist())))
_ERF_SLOPE = _TWO_BY_SQRT_PI * np.exp(-_GRID * _GRID)
_EXACT_ERF = _of_python(math.erf)
_MANY, _BLOCK = 512, 1 << 14
"""Number of elements from which the expansion is faster than a call for each, and number whose
temporaries fit in the L2 cache (measured)."""


def _erf(xp: Namespace, x: Array) -> Array:
    """Compute numbers of single precision in blocks, others one by one."""
    if xp is not np or x.dtype.itemsize > 4 or x.size < _MANY:
        return _EXACT_ERF(xp, x)
    flat, result = x.ravel(), np.empty(x.size, x.dtype)
    for at in range(0, x.size, _BLOCK):
        result[at : at + _BLOCK] = _expanded_erf(flat[at : at + _BLOCK])
    return result.reshape(x.shape)


def _expanded_erf(x: Array) -> Array:
    """Expand `erf` to degree 3 around the nearest point, in double precision.

    The omitted term is below 1e-11 of the result: one of 500,000 float32 numbers is rounded to the
    other side. 1,000,000 of them take 0.01 s, and 0.15 s by a call for each.
    """
    wide = np.clip(x, -4, 4).astype(np.float64)
    position = np.rint(wide * _STEPS)
    at, point = (np.nan_to_num(position) + 4 * _STEPS).astype(np.intp), position / _STEPS
    h = wide - point
    series = h * (1 - h * (point - h * (2 * point * point - 1) / 3))
    return np.copysign(_ERF[at] + _ERF_SLOPE[at] * series, x)


erf = _rows.unary(
    "erf",
    _erf,
    lambda x, y: _TWO_BY_SQRT_PI * exp(-square(x)),
    "Error function, `2 / sqrt(pi)` times the integral of `exp(-t ** 2)` from 0 to `x`.",
    "[0.5, 1.0] ~> [0.5205 0.8427]",
    group=FLOAT,
    emit=Emit.ERF,
)
erfc = _rows.unary(
    "erfc",
    _of_python(math.erfc),
    lambda x, y: -_TWO_BY_SQRT_PI * exp(-square(x)),
    "Complementary error function, `1 - erf(x)` without cancellation for large `x`.",
    "[0.5, 9.0] -> [4.7950011e-01 4.1370317e-37]",
    group=FLOAT,
    emit=Emit.ERFC,
)
