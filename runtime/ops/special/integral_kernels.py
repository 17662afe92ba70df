"""Dawson's, Fresnel's and exponential integrals and the dilogarithm, on arrays of float64.

Numbers of formulas are those of M. Abramowitz, I. A. Stegun, "Handbook of Mathematical Functions"
(1964).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.base.aliases import Array, Namespace
from runtime.ops.special.gamma_kernels import BERNOULLI, EULER


def dawsn(xp: Namespace, x: Array) -> Any:
    """Compute Dawson's integral: its series up to 1, the asymptotic expansion above 1000.

    Between them G. B. Rybicki, "Dawson's integral and the sampling theorem", Computers in Physics 3
    (1989): with step h = 0.3 the error is about exp(-(pi / (2 h)) ** 2) = 1e-12.
    """
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


def expint(xp: Namespace, x: Array) -> Any:
    """Compute the exponential integral Ei for x > 0: by 5.1.10 up to 45, by 5.1.51 above."""
    low = xp.clip(x, 1e-300, 45.0)
    term, total = xp.ones_like(low), xp.zeros_like(low)
    for n in range(1, 180):
        term = term * low / n
        total = total + term / n
    near = EULER + xp.log(low) + total
    high = xp.maximum(x, 45.0)
    term, total = xp.ones_like(high), xp.ones_like(high)
    for n in range(1, 40):
        term = term * n / high
        total = total + term
    far = xp.exp(high) / high * total
    value = xp.where(x <= 45.0, near, xp.where(xp.isinf(x), xp.inf, far))
    return xp.where(x > 0.0, value, xp.where(x == 0.0, -xp.inf, xp.nan))


def _fresnel_series(x: Any, first: int) -> Any:
    """Sum the power series 7.3.11 of the cosine (first = 0) or 7.3.13 of the sine (first = 1)."""
    square = (np.pi / 2 * x * x) ** 2
    factor = x if first == 0 else np.pi / 2 * x**3
    total = factor / (2 * first + 1)
    for n in range(1, 30):
        m = 2 * n + first
        factor = -factor * square / (m * (m - 1))
        total = total + factor / (2 * m + 1)
    return total


def _fresnel_waves(xp: Namespace, x: Array) -> tuple[Any, Any]:
    """Compute the auxiliary functions f and g (7.3.5, 7.3.6).

    The trapezoidal rule with step 0.15 integrates `exp(-pi / 2 * u ** 2)` times rational functions.
    """
    step = 0.15 / x
    f, g = xp.full_like(x, 0.5), xp.zeros_like(x)
    for n in range(1, 36):
        square = (n * step) ** 2
        weight = np.exp(-np.pi / 2 * (0.15 * n) ** 2) / (1 + square * square)
        f, g = f + weight, g + weight * square
    scale = np.sqrt(2.0) / np.pi * step
    return f * scale, g * scale


def _fresnel(xp: Namespace, x: Array, first: int) -> Any:
    """Use the power series up to 1.6, and 7.3.9 or 7.3.10 above; from 1e8 on the result is 0.5."""
    size = xp.abs(x)
    near = _fresnel_series(xp.minimum(size, 1.6), first)
    high = xp.clip(size, 1.6, 1e8)
    f, g = _fresnel_waves(xp, high)
    angle = np.pi / 2 * xp.mod(high * high, 4.0)
    sine, cosine = xp.sin(angle), xp.cos(angle)
    far = 0.5 + (f * sine - g * cosine if first == 0 else -f * cosine - g * sine)
    return xp.sign(x) * xp.where(size <= 1.6, near, far)


def fresnel_cos(xp: object, x: object) -> Any:
    """Compute the Fresnel integral of the cosine."""
    return _fresnel(xp, x, 0)


def fresnel_sin(xp: object, x: object) -> Any:
    """Compute the Fresnel integral of the sine."""
    return _fresnel(xp, x, 1)


def _dilogarithm(xp: Namespace, x: Array) -> Any:
    """Compute the dilogarithm of `1 - x` for x in [0.5, 2] by its series in log(x) and B(2n)."""
    u = -xp.log(x)
    square = u * u
    term, total = u, u - square / 4
    for n, bernoulli in enumerate(BERNOULLI[:9], start=1):
        term = term * square / (2 * n * (2 * n + 1))
        total = total + bernoulli * term
    return total


def spence(xp: Namespace, x: Array) -> Any:
    """Compute the dilogarithm of `1 - x`; 27.7.3 and 27.7.5 lead into [0.5, 2]."""
    positive = xp.where(x > 0.0, x, 1.0)
    small, large = positive < 0.5, positive > 2.0
    inner = xp.where(large, 1.0 / positive, xp.where(small, positive, 0.25))
    outside = small | large
    value = _dilogarithm(xp, xp.where(outside, 1.0 - inner, positive))
    reflected = np.pi**2 / 6 - xp.log(inner) * xp.log1p(-inner) - value
    value = xp.where(outside, reflected, value)
    log = xp.log(positive)
    value = xp.where(large, -0.5 * log * log - value, value)
    return xp.where(x > 0.0, value, xp.where(x == 0.0, np.pi**2 / 6, xp.nan))
