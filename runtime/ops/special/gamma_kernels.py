"""Gamma and zeta functions, on arrays of float64.

Numbers of formulas are those of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions"
(1964). Derivatives of samples: M. Figurnov, S. Mohamed, A. Mnih, "Implicit Reparameterization
Gradients" (2018).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array, Namespace

EULER = 0.57721566490153286061
"""Euler's constant (6.1.3)."""

BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510,
    43867 / 798, -174611 / 330, 854513 / 138, -236364091 / 2730,
)  # fmt: skip
"""Bernoulli numbers B(2), B(4), ..., B(24) (table 23.2)."""

_SHIFT = 10
"""Asymptotic expansions in 1 / x ** 2 apply from here on: recurrences lead there."""


_LARGE_EXPONENT = 1e30
"""Replaces an infinite exponent of zeta: `q ** -x` is 0, 1 or inf for both."""

_HALF_LOG_TWO_PI = 0.9189385332046727418


def _hurwitz(xp: Namespace, s: Array, q: Array) -> Any:
    """Compute the Hurwitz zeta function: 10 terms, then the Euler-Maclaurin formula 23.1.30."""
    total = xp.zeros_like(s + q)
    for k in range(_SHIFT):
        total = total + (q + k) ** -s
    base = q + _SHIFT
    total = total + base ** (1.0 - s) / (s - 1.0) + 0.5 * base**-s
    factor = s * base ** (-s - 1.0)
    for j, bernoulli in enumerate(BERNOULLI, start=1):
        total = total + bernoulli * factor / math.factorial(2 * j)
        factor = factor * (s + (2 * j - 1)) * (s + 2 * j) / (base * base)
    return total


def zeta(xp: Namespace, x: Array, q: Array) -> Any:
    """Compute the Hurwitz zeta function, the sum of `(q + k) ** -x` over k = 0, 1, ...

    At its poles it is infinite for even `x`; for odd `x`, where the two sides differ in sign, NaN.
    NaN too below q = -1000, which bounds the number of terms.
    """
    x = xp.where(x == xp.inf, _LARGE_EXPONENT, x)
    whole_x, whole_q = x == xp.floor(x), q == xp.floor(q)
    up = xp.where(q < 1.0, xp.ceil(1.0 - q), 0.0)
    inside = (x > 1.0) & (q > -1000.0) & ((q > 0.0) | (whole_x & ~whole_q))
    s, start = xp.where(inside, x, 2.0), xp.where(inside, q, 1.0)
    below = xp.zeros_like(s + start)
    steps = int(xp.max(xp.where(inside & (q <= 0.0), up, 0.0), initial=0.0))
    for k in range(steps):
        below = below + xp.where((start <= 0.0) & (k < up), _signed_power(xp, start + k, s), 0.0)
    first = xp.where(start <= 0.0, start + xp.maximum(up, 0.0), start)
    value = below + _hurwitz(xp, s, first)
    value = xp.where(inside, value, xp.nan)
    at_pole = xp.where(xp.mod(x, 2.0) == 0.0, xp.inf, xp.nan)
    value = xp.where((x > 1.0) & (q <= 0.0) & whole_q, at_pole, value)
    return xp.where(x == 1.0, xp.inf, value)


def _signed_power(xp: Namespace, base: Array, s: Array) -> Any:
    """Compute `base ** -s` for integer exponents and bases below 0 too."""
    odd = xp.where(xp.mod(s, 2.0) == 1.0, -1.0, 1.0)
    safe = xp.where(base == 0.0, 1.0, xp.abs(base))
    return xp.where(base < 0.0, odd, 1.0) * safe**-s


_ZETA = tuple(float(_hurwitz(np, np.float64(n), np.float64(2.0))) for n in range(2, 36))


def _around_two(z: Any) -> Any:
    """Compute the logarithm of the gamma function at 2 + z for |z| <= 0.5 (6.1.33)."""
    total = 0.0 * z
    for n in range(len(_ZETA) + 1, 1, -1):
        total = total * z + (-1) ** n * _ZETA[n - 2] / n
    return z * ((1.0 - EULER) + z * total)


def _stirling(xp: Namespace, x: Array) -> Any:
    """Compute the logarithm of the gamma function for x >= 10 (6.1.41)."""
    total = 0.0 * x
    for j in range(8, 0, -1):
        total = total / (x * x) + BERNOULLI[j - 1] / (2 * j * (2 * j - 1))
    return (x - 0.5) * xp.log(x) - x + _HALF_LOG_TWO_PI + total / x


def _positive_lgamma(xp: Namespace, x: Array) -> Any:
    """Move x below 10 into [0.5, 2.5] by the recurrence 6.1.15."""
    factor = xp.ones_like(x)
    base = xp.minimum(x, 10.0)
    for _ in range(8):
        high = base > 2.5
        base = xp.where(high, base - 1.0, base)
        factor = xp.where(high, factor * base, factor)
    small = base < 0.5
    base = xp.where(small, base + 1.0, base)
    low = base < 1.5
    middle = xp.where(low, _around_two(base - 1.0) - xp.log1p(base - 1.0), _around_two(base - 2.0))
    middle = middle + xp.log(factor)
    middle = xp.where(small, middle - xp.log(xp.where(small, x, 1.0)), middle)
    return xp.where(x < 10.0, middle, _stirling(xp, xp.maximum(x, 10.0)))


def lgamma(xp: Namespace, x: Array) -> Any:
    """Compute the logarithm of the absolute value of the gamma function; 6.1.17 for x < 0."""
    left = x < 0.0
    value = _positive_lgamma(xp, xp.where(left, 1.0 - x, xp.where(x == 0.0, 1.0, x)))
    distance = xp.abs(x - xp.round(x))
    sine = xp.abs(xp.sin(xp.pi * xp.where(distance == 0.0, 0.5, distance)))
    value = xp.where(left, xp.log(xp.pi / sine) - value, value)
    pole = (x <= 0.0) & (distance == 0.0)
    return xp.where(pole | xp.isinf(x), xp.inf, value)


def digamma(xp: Namespace, x: Array) -> Any:
    """Compute the derivative of `lgamma` (6.3.18), moved to x >= 10 (6.3.5); 6.3.7 for x <= 0."""
    left = x <= 0.0
    base = xp.where(left, 1.0 - x, x)
    below = xp.zeros_like(base)
    for _ in range(_SHIFT):
        small = base < _SHIFT
        below = xp.where(small, below + 1.0 / xp.where(small, base, 1.0), below)
        base = xp.where(small, base + 1.0, base)
    total = 0.0 * base
    for j in range(10, 0, -1):
        total = (total + BERNOULLI[j - 1] / (2 * j)) / (base * base)
    value = xp.log(base) - 0.5 / base - total - below
    offset = x - xp.round(x)
    tangent = xp.tan(xp.pi * xp.where(offset == 0.0, 0.25, offset))
    value = xp.where(left, value - xp.pi / tangent, value)
    value = xp.where(left & (offset == 0.0), xp.nan, value)
    return xp.where(x == xp.inf, xp.inf, value)


def polygamma(xp: Namespace, n: Array, x: Array) -> Any:
    """Compute the derivative of order `n` of `digamma` (6.4.10)."""
    order = xp.where(n > 0.0, n, 1.0)
    # Of numbers so large that all of them are even, infinity too, the successor is one of them.
    sign = xp.where(xp.mod(order + 1.0, 2.0) == 1.0, -1.0, 1.0)
    value = sign * xp.exp(lgamma(xp, order + 1.0)) * zeta(xp, order + 1.0, x)
    value = xp.where(n == 0.0, digamma(xp, x), value)
    return xp.where((n < 0.0) | (n != xp.floor(n)), xp.nan, value)
