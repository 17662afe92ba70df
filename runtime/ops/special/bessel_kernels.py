"""Modified Bessel functions of the first kind, on arrays of float64.

Numbers of formulas are those of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions"
(1964).
"""

from __future__ import annotations

from typing import Any

from runtime.ops.base.aliases import Array, Namespace

_ASYMPTOTIC_I = 25.0
"""Bound between 70 terms of the power series and 25 of the asymptotic expansion 9.7.1."""


def _series(xp: Namespace, x: Array, order: int) -> Any:
    """Sum 70 terms of the power series (9.6.10)."""
    quarter = x * x / 4.0
    term = xp.ones_like(x) if order == 0 else x / 2.0
    total = term
    for k in range(1, 70):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _hankel(order: int) -> list[float]:
    """Return 25 coefficients of the asymptotic expansion in powers of 1 / x (9.7.1)."""
    result = [1.0]
    for k in range(1, 25):
        result.append(result[-1] * (4.0 * order * order - (2 * k - 1) ** 2) / (8.0 * k))
    return result


def scaled_i(xp: Namespace, x: Array, order: int) -> Any:
    """Compute `exp(-|x|)` times the modified function of the first kind."""
    size = xp.abs(x)
    low, high = xp.minimum(size, _ASYMPTOTIC_I), xp.maximum(size, _ASYMPTOTIC_I)
    near = xp.exp(-low) * _series(xp, low, order)
    total = xp.zeros_like(x)
    for k, coefficient in reversed(list(enumerate(_hankel(order)))):
        total = total / high + (-1) ** k * coefficient
    value = xp.where(size <= _ASYMPTOTIC_I, near, total / xp.sqrt(2.0 * xp.pi * high))
    return value if order == 0 else xp.sign(x) * value


def i(xp: Namespace, x: Array, order: int) -> Any:
    """Compute the modified function of the first kind."""
    return xp.exp(xp.abs(x)) * scaled_i(xp, x, order)
