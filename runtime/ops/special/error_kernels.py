"""The error function, its relatives and their inverses, on arrays.

Sources: W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23
(1969), for `erf` and `erfc`, with the names of his routine CALERF; M. J. Wichura, "Algorithm AS
241: the percentage points of the normal distribution", Applied Statistics 37 (1988), routine
PPND16, for the inverses. Each tuple of coefficients begins with the highest power.
"""

from __future__ import annotations

from typing import Any

from runtime.ops.base.aliases import Array, Namespace

_A = (
    1.85777706184603153e-1, 3.16112374387056560e00, 1.13864154151050156e02,
    3.77485237685302021e02, 3.20937758913846947e03,
)  # fmt: skip
_B = (
    1.0, 2.36012909523441209e01, 2.44024637934444173e02,
    1.28261652607737228e03, 2.84423683343917062e03,
)  # fmt: skip
_C = (
    2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e00,
    6.61191906371416295e01, 2.98635138197400131e02, 8.81952221241769090e02,
    1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
)  # fmt: skip
_D = (
    1.0, 1.57449261107098347e01, 1.17693950891312499e02,
    5.37181101862009858e02, 1.62138957456669019e03, 3.29079923573345963e03,
    4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03,
)  # fmt: skip
_P = (
    1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1,
    1.25781726111229246e-1, 1.60837851487422766e-2, 6.58749161529837803e-4,
)  # fmt: skip
_Q = (
    1.0, 2.56852019228982242e00, 1.87295284992346725e00,
    5.27905102951428412e-1, 6.05183413124413191e-2, 2.33520497626869185e-3,
)  # fmt: skip
_CENTER = (
    (2.5090809287301226727e3, 3.3430575583588128105e4, 6.7265770927008700853e4,
     4.5921953931549871457e4, 1.3731693765509461125e4, 1.9715909503065514427e3,
     1.3314166789178437745e2, 3.3871328727963666080e0),
    (5.2264952788528545610e3, 2.8729085735721942674e4, 3.9307895800092710610e4,
     2.1213794301586595867e4, 5.3941960214247511077e3, 6.8718700749205790830e2,
     4.2313330701600911252e1, 1.0),
)  # fmt: skip
_MIDDLE = (
    (7.74545014278341407640e-4, 2.27238449892691845833e-2, 2.41780725177450611770e-1,
     1.27045825245236838258e0, 3.64784832476320460504e0, 5.76949722146069140550e0,
     4.63033784615654529590e0, 1.42343711074968357734e0),
    (1.05075007164441684324e-9, 5.47593808499534494600e-4, 1.51986665636164571966e-2,
     1.48103976427480074590e-1, 6.89767334985100004550e-1, 1.67638483018380384940e0,
     2.05319162663775882187e0, 1.0),
)  # fmt: skip
_TAIL = (
    (2.01033439929228813265e-7, 2.71155556874348757815e-5, 1.24266094738807843860e-3,
     2.65321895265761230930e-2, 2.96560571828504891230e-1, 1.78482653991729133580e0,
     5.46378491116411436990e0, 6.65790464350110377720e0),
    (2.04426310338993978564e-15, 1.42151175831644588870e-7, 1.84631831751005468180e-5,
     7.86869131145613259100e-4, 1.48753612908506148525e-2, 1.36929880922735805310e-1,
     5.99832206555887937690e-1, 1.0),
)  # fmt: skip
_SQRT_PI = 1.7724538509055160273
_SQRT_TWO = 1.4142135623730950488
_BREAK = 0.46875
"""Cody's breakpoint between the approximations of `erf` and of `erfc`; the next is 4."""


def _polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """Evaluate a polynomial by Horner's rule."""
    total = coefficients[0]
    for coefficient in coefficients[1:]:
        total = total * x + coefficient
    return total


def _ratio(x: object, pair: tuple[tuple[float, ...], tuple[float, ...]]) -> Any:
    return _polynomial(x, pair[0]) / _polynomial(x, pair[1])


def _erf_center(xp: Namespace, x: Array) -> Any:
    """Compute `erf` for |x| <= 0.46875."""
    return x * _ratio(x * x, (_A, _B))


def _erfc_tail(xp: Namespace, size: Array) -> Any:
    """Compute `erfc` for x >= 0.46875."""
    middle = _ratio(xp.minimum(size, 4.0), (_C, _D))
    inverse = 1.0 / xp.square(xp.maximum(size, 4.0))
    far = (1.0 / _SQRT_PI - inverse * _ratio(inverse, (_P, _Q))) / xp.maximum(size, 4.0)
    # The square of the coarse part is exact, so that exp(-size ** 2) keeps its precision.
    coarse = xp.trunc(size * 16.0) / 16.0
    power = xp.exp(-coarse * coarse) * xp.exp(-(size - coarse) * (size + coarse))
    return xp.where(size <= 4.0, middle, far) * power


def erf(xp: Namespace, x: Array) -> Any:
    """Compute the error function; `erfc(6)` is below half a unit in the last place of 1."""
    size = xp.minimum(xp.abs(x), 6.0)
    tail = 1.0 - _erfc_tail(xp, xp.maximum(size, _BREAK))
    center = _erf_center(xp, xp.clip(x, -_BREAK, _BREAK))
    return xp.where(size <= _BREAK, center, xp.sign(x) * tail)


def erfc(xp: Namespace, x: Array) -> Any:
    """Compute `1 - erf(x)` without cancellation; `erfc(27.5)` rounds to 0."""
    size = xp.minimum(xp.abs(x), 27.5)
    tail = _erfc_tail(xp, xp.maximum(size, _BREAK))
    center = 1.0 - _erf_center(xp, xp.clip(x, -_BREAK, _BREAK))
    return xp.where(size <= _BREAK, center, xp.where(x < 0, 2.0 - tail, tail))


def _quantile(xp: Namespace, offset: Array, tail: Array) -> Any:
    """Compute the quantile function of the normal distribution; bounds and shifts of AS 241.

    Args:
      offset: the probability minus 0.5.
      tail: the smaller of the probability and 1 minus it.
    """
    near = xp.clip(offset, -0.425, 0.425)
    center = near * _ratio(0.180625 - near * near, _CENTER)
    safe = xp.where(tail > 0, tail, 0.5)
    distance = xp.sqrt(-xp.log(safe))
    middle = _ratio(xp.minimum(distance, 5.0) - 1.6, _MIDDLE)
    far = _ratio(xp.maximum(distance, 5.0) - 5.0, _TAIL)
    outer = xp.sign(offset) * xp.where(distance <= 5.0, middle, far)
    outer = xp.where(tail > 0, outer, xp.sign(offset) * xp.inf)
    inside = xp.where(xp.abs(offset) <= 0.425, center, outer)
    return xp.where(tail >= 0, inside, xp.nan)


def ndtri(xp: Namespace, p: Array) -> Any:
    """Compute the quantile function of the standard normal distribution."""
    return _quantile(xp, p - 0.5, xp.minimum(p, 1.0 - p))


def erfinv(xp: Namespace, x: Array) -> Any:
    """Compute the inverse of `erf`."""
    return _quantile(xp, x / 2.0, (1.0 - xp.abs(x)) / 2.0) / _SQRT_TWO
