"""Bessel functions, and integrals that have names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime.core.opdef import Sample, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.define import Op, call
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.math.elementwise import cos, exp, log, sign, sin
from runtime.ops.special import bessel_kernels as bessel
from runtime.ops.special import integral_kernels as integrals
from runtime.ops.special.functions import special_op

_WIDE = (sample(1.3), sample([0.4, 3.0, 18.0]), sample([30.0]))
_SMALL = (sample(1.3), sample([0.4, 3.0]))
_FEW = (sample(1.3), sample([0.4, 2.5, 5.0]))

Slope = Callable[[Tensor, Tensor], Tensor]
"""The derivative of a function, from its argument and its value."""


def _over(x: Tensor, y: Tensor, lower: str, at_zero: float) -> Tensor:
    """The function of order 0 less `y / x`; that quotient has a limit at 0."""
    zero = call("Equal", x, 0)
    safe = chosen(zero, call("OnesLike", x, dtype=x.dtype), x)
    return chosen(zero, call("OnesLike", x, dtype=x.dtype) * at_zero, call(lower, x) - y / safe)


def _spence_slope(x: Tensor) -> Tensor:
    one = call("Equal", x, 1)
    safe = chosen(one, x + 1, x)
    return chosen(one, call("OnesLike", x, dtype=x.dtype) * -1, log(safe) / (1 - safe))


def _op(
    name: str, function: Callable[..., Any], slope: Slope, samples: tuple[Sample, ...] = _FEW
) -> Op:
    return special_op(name, function, lambda g, y, x: (g * slope(x, y),), samples)


def _bessel(
    name: str,
    function: Callable[..., Any],
    order: int,
    slope: Slope,
    samples: tuple[Sample, ...] = _WIDE,
) -> Op:
    return _op(f"Bessel{name}", partial(function, order=order), slope, samples)


_I0 = _bessel("I0", bessel.i, 0, lambda x, y: call("BesselI1", x), _SMALL)
_I1 = _bessel("I1", bessel.i, 1, lambda x, y: _over(x, y, "BesselI0", 1.0), _SMALL)
_I0E = _bessel("I0e", bessel.scaled_i, 0, lambda x, y: call("BesselI1e", x) - sign(x) * y)
_I1E = _bessel("I1e", bessel.scaled_i, 1, lambda x, y: _over(x, y, "BesselI0e", 0.5) - sign(x) * y)
_K0 = _bessel("K0", bessel.k, 0, lambda x, y: -call("BesselK1", x))
_K1 = _bessel("K1", bessel.k, 1, lambda x, y: -(call("BesselK0", x) + y / x))
_K0E = _bessel("K0e", bessel.scaled_k, 0, lambda x, y: y - call("BesselK1e", x))
_K1E = _bessel("K1e", bessel.scaled_k, 1, lambda x, y: y * (1 - 1 / x) - call("BesselK0e", x))
_J0 = _bessel("J0", bessel.j, 0, lambda x, y: -call("BesselJ1", x))
_J1 = _bessel("J1", bessel.j, 1, lambda x, y: _over(x, y, "BesselJ0", 0.5))
_Y0 = _bessel("Y0", bessel.y, 0, lambda x, y: -call("BesselY1", x))
_Y1 = _bessel("Y1", bessel.y, 1, lambda x, y: call("BesselY0", x) - y / x)
_DAWSN = _op("Dawsn", integrals.dawsn, lambda x, y: 1 - 2 * x * y)
_EXPINT = _op("Expint", integrals.expint, lambda x, y: exp(x) / x)
_FRESNEL_COS = _op("FresnelCos", integrals.fresnel_cos, lambda x, y: cos(np.pi / 2 * x * x))
_FRESNEL_SIN = _op("FresnelSin", integrals.fresnel_sin, lambda x, y: sin(np.pi / 2 * x * x))
_SPENCE = _op("Spence", integrals.spence, lambda x, y: _spence_slope(x))


def bessel_i0(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 0.

    Args:
      x: floating-point numbers.

    >>> print(bessel_i0(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _I0(x, name=name)


def bessel_i1(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the first kind of order 1.

    Args:
      x: floating-point numbers.

    >>> print(bessel_i1(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _I1(x, name=name)


def bessel_i0e(x: TensorLike, name: str | None = None) -> Tensor:
    """`exp(-|x|)` times `bessel_i0`.

    Args:
      x: floating-point numbers.

    >>> print(bessel_i0e(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _I0E(x, name=name)


def bessel_i1e(x: TensorLike, name: str | None = None) -> Tensor:
    """`exp(-|x|)` times `bessel_i1`.

    Args:
      x: floating-point numbers.

    >>> print(bessel_i1e(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _I1E(x, name=name)


def bessel_k0(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_k0(0.0))
    tf.Tensor(inf, shape=(), dtype=float32)
    """
    return _K0(x, name=name)


def bessel_k1(x: TensorLike, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_k1(0.0))
    tf.Tensor(inf, shape=(), dtype=float32)
    """
    return _K1(x, name=name)


def bessel_k0e(x: TensorLike, name: str | None = None) -> Tensor:
    """`exp(x)` times `bessel_k0`.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_k0e(0.0))
    tf.Tensor(inf, shape=(), dtype=float32)
    """
    return _K0E(x, name=name)


def bessel_k1e(x: TensorLike, name: str | None = None) -> Tensor:
    """`exp(x)` times `bessel_k1`.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_k1e(0.0))
    tf.Tensor(inf, shape=(), dtype=float32)
    """
    return _K1E(x, name=name)


def bessel_j0(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0.

    Args:
      x: floating-point numbers.

    >>> print(bessel_j0(0.0))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """
    return _J0(x, name=name)


def bessel_j1(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1.

    Args:
      x: floating-point numbers.

    >>> print(bessel_j1(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _J1(x, name=name)


def bessel_y0(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_y0(0.0))
    tf.Tensor(-inf, shape=(), dtype=float32)
    """
    return _Y0(x, name=name)


def bessel_y1(x: TensorLike, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1.

    Args:
      x: floating-point numbers above 0.

    >>> print(bessel_y1(0.0))
    tf.Tensor(-inf, shape=(), dtype=float32)
    """
    return _Y1(x, name=name)


def dawsn(x: TensorLike, name: str | None = None) -> Tensor:
    """Dawson's integral: `exp(-x ** 2)` times the integral of `exp(t ** 2)` from 0 to `x`.

    Args:
      x: floating-point numbers.

    >>> print(dawsn(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _DAWSN(x, name=name)


def expint(x: TensorLike, name: str | None = None) -> Tensor:
    """The exponential integral: of `exp(t) / t` from minus infinity to `x`.

    Args:
      x: floating-point numbers above 0.

    >>> print(expint(0.0))
    tf.Tensor(-inf, shape=(), dtype=float32)
    """
    return _EXPINT(x, name=name)


def fresnel_cos(x: TensorLike, name: str | None = None) -> Tensor:
    """The integral of `cos(pi / 2 * t ** 2)` from 0 to `x`.

    Args:
      x: floating-point numbers.

    >>> print(fresnel_cos(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _FRESNEL_COS(x, name=name)


def fresnel_sin(x: TensorLike, name: str | None = None) -> Tensor:
    """The integral of `sin(pi / 2 * t ** 2)` from 0 to `x`.

    Args:
      x: floating-point numbers.

    >>> print(fresnel_sin(0.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _FRESNEL_SIN(x, name=name)


def spence(x: TensorLike, name: str | None = None) -> Tensor:
    """Spence's function: the dilogarithm of `1 - x`.

    Args:
      x: floating-point numbers.

    >>> print(spence(1.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _SPENCE(x, name=name)
