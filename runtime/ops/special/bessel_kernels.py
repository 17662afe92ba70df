"""Bessel functions of orders 0 and 1, on arrays of float64.

Sources: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 9.1.10, 9.2.5 to
9.2.10, 9.6.10, 9.6.11, 9.6.24, 9.7.1 and 9.1.88; L. N. Trefethen, J. A. C. Weideman, "The
exponentially convergent trapezoidal rule", SIAM Review 56 (2014), for the integrals.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

_EULER = 0.57721566490153286061
_NEAR = 25.0
_CALM = 16.0


def _series(xp: Any, x: Any, order: int, sign: float, steps: int) -> Any:
    """The power series of I (sign 1) or J (sign -1)."""
    quarter = sign * x * x / 4.0
    term = xp.ones_like(x) if order == 0 else x / 2.0
    total = term
    for k in range(1, steps):
        term = term * quarter / (k * (k + order))
        total = total + term
    return total


def _hankel(order: int, steps: int) -> list[float]:
    """The coefficients of the expansion for large arguments, in powers of 1 / x."""
    result = [1.0]
    for k in range(1, steps):
        result.append(result[-1] * (4.0 * order * order - (2 * k - 1) ** 2) / (8.0 * k))
    return result


def scaled_i(xp: Any, x: Any, order: int) -> Any:
    """`exp(-|x|)` times the modified function of the first kind."""
    size = xp.abs(x)
    low, high = xp.minimum(size, _NEAR), xp.maximum(size, _NEAR)
    near = xp.exp(-low) * _series(xp, low, order, 1.0, 70)
    total = xp.zeros_like(x)
    for k, coefficient in reversed(list(enumerate(_hankel(order, 25)))):
        total = total / high + (-1) ** k * coefficient
    value = xp.where(size <= _NEAR, near, total / xp.sqrt(2.0 * xp.pi * high))
    return value if order == 0 else xp.sign(x) * value


def i(xp: Any, x: Any, order: int) -> Any:
    """The modified function of the first kind."""
    return xp.exp(xp.abs(x)) * scaled_i(xp, x, order)


def scaled_k(xp: Any, x: Any, order: int) -> Any:
    """`exp(x)` times the modified function of the second kind: a series, or an integral."""
    low = xp.where((x > 0.0) & (x <= 2.0), x, 1.0)
    high = xp.maximum(x, 2.0)
    step, total = 0.35 / xp.sqrt(high), xp.full_like(high, 0.5)
    for n in range(1, 31):
        t = n * step
        total = total + xp.exp(-2.0 * high * xp.sinh(t / 2.0) ** 2) * xp.cosh(order * t)
    far = step * total
    value = xp.where(x <= 2.0, xp.exp(low) * _small_k(xp, low, order), far)
    return xp.where(x > 0.0, value, xp.where(x <= 0.0, xp.inf, xp.nan))


def _small_k(xp: Any, x: Any, order: int) -> Any:
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


def k(xp: Any, x: Any, order: int) -> Any:
    """The modified function of the second kind."""
    return xp.exp(-xp.where(xp.isfinite(x), x, 0.0)) * scaled_k(xp, x, order)


def _rule(points: int, orders: Mapping[int, float]) -> tuple[float, ...]:
    """The factors of a sum of functions of the first kind, all of even or all of odd orders.

    The function of order n is the mean of `cos(n * angle - x * sin(angle))`; of the two products
    that this is, one vanishes since an angle and its mirror image cancel each other.
    """
    angles = _angles(points)
    total = np.zeros_like(angles)
    for order, weight in orders.items():
        total += weight * (np.sin(order * angles) if order % 2 else np.cos(order * angles))
    return tuple((total * (2.0 / points)).tolist())


def _angles(points: int) -> Any:
    """One half of the angles from 0 to pi, whose other half mirrors it."""
    return (np.arange(points // 2) + 0.5) * np.pi / points


def _sums(x: Any, wave: Callable[[Any], Any], *rules: tuple[float, ...]) -> list[Any]:
    """The sums that the rules give: with `cos` those of even orders, with `sin` of odd ones."""
    totals: list[Any] = [0.0 for _ in rules]
    for number, sine in enumerate(np.sin(_angles(2 * len(rules[0]))).tolist()):
        value = wave(x * sine)
        totals = [total + rule[number] * value for total, rule in zip(totals, rules, strict=True)]
    return totals


_J0, _J1 = _rule(40, {0: 1.0}), _rule(40, {1: 1.0})
_WIDE_J0, _WIDE_J1 = _rule(60, {0: 1.0}), _rule(60, {1: 1.0})
_NEUMANN_0 = _rule(60, {2 * n: (-1) ** n / n for n in range(1, 26)})
_NEUMANN_1 = _rule(60, {2 * n + 1: (-1) ** n * (2 * n + 1) / (n * (n + 1)) for n in range(1, 25)})


def _waves(xp: Any, x: Any, order: int) -> tuple[Any, Any, Any]:
    """Amplitudes and phase of both functions for large arguments."""
    p, q = xp.zeros_like(x), xp.zeros_like(x)
    coefficients = _hankel(order, 30)
    squared = -1.0 / (x * x)
    for coefficient in reversed(coefficients[0::2]):
        p = p * squared + coefficient
    for coefficient in reversed(coefficients[1::2]):
        q = q * squared + coefficient
    return p, q / x, x - (order / 2.0 + 0.25) * xp.pi


def j(xp: Any, x: Any, order: int) -> Any:
    """The function of the first kind."""
    size = xp.abs(x)
    low, high = xp.minimum(size, _CALM), xp.maximum(size, _CALM)
    near = _sums(low, xp.sin, _J1)[0] if order else _sums(low, xp.cos, _J0)[0]
    near = xp.where(low < 1.0, _series(xp, xp.minimum(low, 1.0), order, -1.0, 15), near)
    p, q, phase = _waves(xp, high, order)
    far = xp.sqrt(2.0 / (xp.pi * high)) * (p * xp.cos(phase) - q * xp.sin(phase))
    value = xp.where(size <= _CALM, near, xp.where(xp.isinf(x), 0.0, far))
    return value if order == 0 else xp.sign(x) * value


def y(xp: Any, x: Any, order: int) -> Any:
    """The function of the second kind; Neumann's series for small arguments."""
    low = xp.where((x > 0.0) & (x <= _CALM), x, 1.0)
    high = xp.maximum(x, _CALM)
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
    value = xp.where(x <= _CALM, near, xp.where(xp.isinf(x), 0.0, far))
    return xp.where(x > 0.0, value, xp.where(x <= 0.0, -xp.inf, xp.nan))
