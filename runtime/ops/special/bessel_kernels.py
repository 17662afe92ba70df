"""Bessel functions of orders 0 and 1, on arrays of float64.

Numbers of formulas are those of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions"
(1964). The integrals use the trapezoidal rule: L. N. Trefethen, J. A. C. Weideman, "The
exponentially convergent trapezoidal rule", SIAM Review 56 (2014).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array, Namespace

_EULER = 0.57721566490153286061
"""Euler's constant, 6.1.3."""

_ASYMPTOTIC_I = 25.0
"""Bound between 70 terms of the power series and 25 of the asymptotic expansion 9.7.1."""

_ASYMPTOTIC_J = 16.0
"""Bound between the trapezoidal rule and 30 terms of the asymptotic expansions 9.2.9, 9.2.10."""


def _series(xp: Namespace, x: Array, order: int, sign: float, steps: int) -> Any:
    """Sum the power series of I (sign 1, 9.6.10) or J (sign -1, 9.1.10)."""
    quarter = sign * x * x / 4.0
    term = xp.ones_like(x) if order == 0 else x / 2.0
    total = term
    for k in range(1, steps):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _hankel(order: int, steps: int) -> list[float]:
    """Return the coefficients of the asymptotic expansions in powers of 1 / x (9.2.9, 9.7.1)."""
    result = [1.0]
    for k in range(1, steps):
        result.append(result[-1] * (4.0 * order * order - (2 * k - 1) ** 2) / (8.0 * k))
    return result


def scaled_i(xp: Namespace, x: Array, order: int) -> Any:
    """Compute `exp(-|x|)` times the modified function of the first kind."""
    size = xp.abs(x)
    low, high = xp.minimum(size, _ASYMPTOTIC_I), xp.maximum(size, _ASYMPTOTIC_I)
    near = xp.exp(-low) * _series(xp, low, order, 1.0, 70)
    total = xp.zeros_like(x)
    for k, coefficient in reversed(list(enumerate(_hankel(order, 25)))):
        total = total / high + (-1) ** k * coefficient
    value = xp.where(size <= _ASYMPTOTIC_I, near, total / xp.sqrt(2.0 * xp.pi * high))
    return value if order == 0 else xp.sign(x) * value


def i(xp: Namespace, x: Array, order: int) -> Any:
    """Compute the modified function of the first kind."""
    return xp.exp(xp.abs(x)) * scaled_i(xp, x, order)


def scaled_k(xp: Namespace, x: Array, order: int) -> Any:
    """Compute `exp(x)` times the modified function of the second kind.

    Up to 2 by the power series, above by the integral 9.6.24 with 31 nodes; its integrand narrows
    like 1 / sqrt(x), and so does the step.
    """
    low = xp.where((x > 0.0) & (x <= 2.0), x, 1.0)
    high = xp.maximum(x, 2.0)
    step, total = 0.35 / xp.sqrt(high), xp.full_like(high, 0.5)
    for n in range(1, 31):
        t = n * step
        total = total + xp.exp(-2.0 * high * xp.sinh(t / 2.0) ** 2) * xp.cosh(order * t)
    far = step * total
    value = xp.where(x <= 2.0, xp.exp(low) * _small_k(xp, low, order), far)
    return xp.where(x > 0.0, value, xp.where(x <= 0.0, xp.inf, xp.nan))


def _small_k(xp: Namespace, x: Array, order: int) -> Any:
    """Sum the series 9.6.11, whose `harmonic` is the sum of two digamma functions."""
    logarithm = xp.log(x / 2.0)
    first = _series(xp, x, order, 1.0, 25)
    quarter = x * x / 4.0
    term, harmonic = xp.ones_like(x), -2.0 * _EULER + order
    total = harmonic * term
    for k in range(1, 25):
        term = term * quarter / (k * (k + order))
        harmonic = harmonic + 1.0 / k + 1.0 / (k + order)
        total = total + harmonic * term
    if order == 0:
        return -logarithm * first + 0.5 * total
    return 1.0 / x + logarithm * first - x / 4.0 * total


def k(xp: Namespace, x: Array, order: int) -> Any:
    """Compute the modified function of the second kind."""
    return xp.exp(-xp.where(xp.isfinite(x), x, 0.0)) * scaled_k(xp, x, order)


def _rule(points: int, orders: Mapping[int, float]) -> tuple[float, ...]:
    """Return the weights of the nodes for a sum of functions of the first kind.

    The function of order n is the mean of `cos(n * angle - x * sin(angle))` over the angles from 0
    to pi (9.1.21). The cosine of the difference is a sum of two products; one cancels by symmetry,
    so the orders are all even or all odd.
    """
    angles = _angles(points)
    total = np.zeros_like(angles)
    for order, weight in orders.items():
        total += weight * (np.sin(order * angles) if order % 2 else np.cos(order * angles))
    return tuple((total * (2.0 / points)).tolist())


def _angles(points: int) -> Any:
    """Return the nodes in the first half of [0, pi]; the second half mirrors it."""
    return (np.arange(points // 2) + 0.5) * np.pi / points


def _sums(x: object, wave: Callable[[Any], Any], *rules: tuple[float, ...]) -> list[Any]:
    """Apply the rules; `wave` is `cos` for even orders and `sin` for odd ones."""
    totals: list[Any] = [0.0 for _ in rules]
    for number, sine in enumerate(np.sin(_angles(2 * len(rules[0]))).tolist()):
        value = wave(x * sine)
        totals = [total + rule[number] * value for total, rule in zip(totals, rules, strict=True)]
    return totals


_J0, _J1 = _rule(40, {0: 1.0}), _rule(40, {1: 1.0})
_WIDE_J0, _WIDE_J1 = _rule(60, {0: 1.0}), _rule(60, {1: 1.0})
_NEUMANN_0 = _rule(60, {2 * n: (-1) ** n / n for n in range(1, 26)})
_NEUMANN_1 = _rule(60, {2 * n + 1: (-1) ** n * (2 * n + 1) / (n * (n + 1)) for n in range(1, 25)})


def _waves(xp: Namespace, x: Array, order: int) -> tuple[Any, Any, Any]:
    """Return amplitudes P and Q and phase of both functions (9.2.5 to 9.2.10)."""
    p, q = xp.zeros_like(x), xp.zeros_like(x)
    coefficients = _hankel(order, 30)
    squared = -1.0 / (x * x)
    for coefficient in reversed(coefficients[0::2]):
        p = p * squared + coefficient
    for coefficient in reversed(coefficients[1::2]):
        q = q * squared + coefficient
    return p, q / x, x - (order / 2.0 + 0.25) * xp.pi


def j(xp: Namespace, x: Array, order: int) -> Any:
    """Compute the function of the first kind.

    Below 1 by the power series, up to 16 by the trapezoidal rule, above by 9.2.5.
    """
    size = xp.abs(x)
    low, high = xp.minimum(size, _ASYMPTOTIC_J), xp.maximum(size, _ASYMPTOTIC_J)
    near = _sums(low, xp.sin, _J1)[0] if order else _sums(low, xp.cos, _J0)[0]
    near = xp.where(low < 1.0, _series(xp, xp.minimum(low, 1.0), order, -1.0, 15), near)
    p, q, phase = _waves(xp, high, order)
    far = xp.sqrt(2.0 / (xp.pi * high)) * (p * xp.cos(phase) - q * xp.sin(phase))
    value = xp.where(size <= _ASYMPTOTIC_J, near, xp.where(xp.isinf(x), 0.0, far))
    return value if order == 0 else xp.sign(x) * value


def y(xp: Namespace, x: Array, order: int) -> Any:
    """Compute the function of the second kind.

    Up to 16 by Neumann's series 9.1.88, above by 9.2.6.
    """
    low = xp.where((x > 0.0) & (x <= _ASYMPTOTIC_J), x, 1.0)
    high = xp.maximum(x, _ASYMPTOTIC_J)
    logarithm = xp.log(low / 2.0) + _EULER
    if order == 0:
        first, total = _sums(low, xp.cos, _WIDE_J0, _NEUMANN_0)
        near = 2.0 / xp.pi * logarithm * first - 4.0 / xp.pi * total
    else:
        (zeroth,) = _sums(low, xp.cos, _WIDE_J0)
        first, total = _sums(low, xp.sin, _WIDE_J1, _NEUMANN_1)
        near = -2.0 / (xp.pi * low) * zeroth + 2.0 / xp.pi * ((logarithm - 1.0) * first - total)
    p, q, phase = _waves(xp, high, order)
    far = xp.sqrt(2.0 / (xp.pi * high)) * (p * xp.sin(phase) + q * xp.cos(phase))
    value = xp.where(x <= _ASYMPTOTIC_J, near, xp.where(xp.isinf(x), 0.0, far))
    return xp.where(x > 0.0, value, xp.where(x <= 0.0, -xp.inf, xp.nan))
