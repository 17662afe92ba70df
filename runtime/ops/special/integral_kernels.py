"""Dawson's, Fresnel's, exponential integrals and the dilogarithm, on arrays of float64.

Sources: M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions" (1964), 5.1.10, 5.1.51,
7.3.9 to 7.3.14, 7.3.27 and 7.3.28, 27.7; G. B. Rybicki, "Dawson's integral and the sampling
theorem", Computers in Physics 3 (1989).
"""

from __future__ import annotations

from typing import Any

import numpy as np

_EULER = 0.57721566490153286061


def dawsn(xp: Any, x: Any) -> Any:
    """Dawson's integral: `exp(-x ** 2)` times the integral of `exp(t ** 2)` from 0 to `x`."""
    size = xp.abs(x)
    low, high = xp.minimum(size, 1.0), xp.maximum(size, 1.0)
    term, near = low, low
    for n in range(1, 25):
        term = -term * 2.0 * low * low / (2 * n + 1)
        near = near + term
    step = 0.3
    start = 2.0 * xp.round(0.5 * high / step)
    rest = high - start * step
    total = xp.zeros_like(high)
    for n in range(-29, 30, 2):
        total = total + xp.exp(-((rest - n * step) ** 2)) / (start + n)
    far = total / np.sqrt(np.pi)
    distant = 0.5 / high * (1 + 0.5 / high**2 * (1 + 1.5 / high**2 * (1 + 2.5 / high**2)))
    far = xp.where(high > 1e3, distant, far)
    return xp.sign(x) * xp.where(size <= 1.0, near, far)


def expint(xp: Any, x: Any) -> Any:
    """The exponential integral Ei of positive numbers."""
    low = xp.clip(x, 1e-300, 45.0)
    term, total = xp.ones_like(low), xp.zeros_like(low)
    for n in range(1, 180):
        term = term * low / n
        total = total + term / n
    near = _EULER + xp.log(low) + total
    high = xp.maximum(x, 45.0)
    term, total = xp.ones_like(high), xp.ones_like(high)
    for n in range(1, 40):
        term = term * n / high
        total = total + term
    far = xp.exp(high) / high * total
    value = xp.where(x <= 45.0, near, xp.where(xp.isinf(x), xp.inf, far))
    return xp.where(x > 0.0, value, xp.where(x == 0.0, -xp.inf, xp.nan))


def _fresnel_series(x: Any, first: int) -> Any:
    """Every other term of the series of both integrals."""
    square = (np.pi / 2 * x * x) ** 2
    factor = x if first == 0 else np.pi / 2 * x**3
    total = factor / (2 * first + 1)
    for n in range(1, 30):
        m = 2 * n + first
        factor = -factor * square / (m * (m - 1))
        total = total + factor / (2 * m + 1)
    return total


def _fresnel_waves(xp: Any, x: Any) -> tuple[Any, Any]:
    """The auxiliary functions f and g: integrals over a bell, by the trapezoidal rule."""
    step = 0.15 / x
    f, g = xp.full_like(x, 0.5), xp.zeros_like(x)
    for n in range(1, 36):
        square = (n * step) ** 2
        weight = np.exp(-np.pi / 2 * (0.15 * n) ** 2) / (1 + square * square)
        f, g = f + weight, g + weight * square
    scale = np.sqrt(2.0) / np.pi * step
    return f * scale, g * scale


def _fresnel(xp: Any, x: Any, first: int) -> Any:
    size = xp.abs(x)
    near = _fresnel_series(xp.minimum(size, 1.6), first)
    high = xp.clip(size, 1.6, 1e8)
    f, g = _fresnel_waves(xp, high)
    angle = np.pi / 2 * xp.mod(high * high, 4.0)
    sine, cosine = xp.sin(angle), xp.cos(angle)
    far = 0.5 + (f * sine - g * cosine if first == 0 else -f * cosine - g * sine)
    return xp.sign(x) * xp.where(size <= 1.6, near, far)


def fresnel_cos(xp: Any, x: Any) -> Any:
    """The integral of `cos(pi / 2 * t ** 2)` from 0 to `x`."""
    return _fresnel(xp, x, 0)


def fresnel_sin(xp: Any, x: Any) -> Any:
    """The integral of `sin(pi / 2 * t ** 2)` from 0 to `x`."""
    return _fresnel(xp, x, 1)


_BERNOULLI = (
    1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798,
)  # fmt: skip


def _dilogarithm(xp: Any, x: Any) -> Any:
    """The dilogarithm of `1 - x` for x from a half to 2, in powers of the logarithm of x."""
    u = -xp.log(x)
    square = u * u
    term, total = u, u - square / 4
    for n, bernoulli in enumerate(_BERNOULLI, start=1):
        term = term * square / (2 * n * (2 * n + 1))
        total = total + bernoulli * term
    return total


def spence(xp: Any, x: Any) -> Any:
    """The dilogarithm of `1 - x`."""
    positive = xp.where(x > 0.0, x, 1.0)
    small, large = positive < 0.5, positive > 2.0
    turned = xp.where(large, 1.0 / positive, xp.where(small, positive, 0.25))
    outside = small | large
    value = _dilogarithm(xp, xp.where(outside, 1.0 - turned, positive))
    mirrored = np.pi**2 / 6 - xp.log(turned) * xp.log1p(-turned) - value
    value = xp.where(outside, mirrored, value)
    log = xp.log(positive)
    value = xp.where(large, -0.5 * log * log - value, value)
    return xp.where(x > 0.0, value, xp.where(x == 0.0, np.pi**2 / 6, xp.nan))
