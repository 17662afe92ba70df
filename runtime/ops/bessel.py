"""Bessel functions, and integrals that have names."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime.core.opdef import sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops import special_bessel, special_integrals
from runtime.ops.define import call
from runtime.ops.elementwise import cos, exp, log, sign, sin
from runtime.ops.gradient_parts import chosen
from runtime.ops.special import special_op

_WIDE = (sample(1.3), sample([0.4, 3.0, 18.0]), sample([30.0]))
_SMALL = (sample(1.3), sample([0.4, 3.0]))


def _of_order(function: Callable[..., Any], order: int) -> Callable[..., Any]:
    return partial(function, order=order)


def _over(x: Tensor, y: Tensor, lower: str, at_zero: float) -> Tensor:
    """The function of order 0 less `y / x`; that quotient has a limit at 0."""
    zero = call("Equal", x, 0)
    safe = chosen(zero, call("OnesLike", x, dtype=x.dtype), x)
    return chosen(zero, call("OnesLike", x, dtype=x.dtype) * at_zero, call(lower, x) - y / safe)


def _spence_slope(x: Tensor) -> Tensor:
    one = call("Equal", x, 1)
    safe = chosen(one, x + 1, x)
    return chosen(one, call("OnesLike", x, dtype=x.dtype) * -1, log(safe) / (1 - safe))


_I0 = special_op(
    "BesselI0",
    _of_order(special_bessel.i, 0),
    lambda g, y, x: (g * call("BesselI1", x),),
    _SMALL,
)
_I1 = special_op(
    "BesselI1",
    _of_order(special_bessel.i, 1),
    lambda g, y, x: (g * _over(x, y, "BesselI0", 1.0),),
    _SMALL,
)
_I0E = special_op(
    "BesselI0e",
    _of_order(special_bessel.scaled_i, 0),
    lambda g, y, x: (g * (call("BesselI1e", x) - sign(x) * y),),
    _WIDE,
)
_I1E = special_op(
    "BesselI1e",
    _of_order(special_bessel.scaled_i, 1),
    lambda g, y, x: (g * (_over(x, y, "BesselI0e", 0.5) - sign(x) * y),),
    _WIDE,
)
_K0 = special_op(
    "BesselK0",
    _of_order(special_bessel.k, 0),
    lambda g, y, x: (-g * call("BesselK1", x),),
    _WIDE,
)
_K1 = special_op(
    "BesselK1",
    _of_order(special_bessel.k, 1),
    lambda g, y, x: (-g * (call("BesselK0", x) + y / x),),
    _WIDE,
)
_K0E = special_op(
    "BesselK0e",
    _of_order(special_bessel.scaled_k, 0),
    lambda g, y, x: (g * (y - call("BesselK1e", x)),),
    _WIDE,
)
_K1E = special_op(
    "BesselK1e",
    _of_order(special_bessel.scaled_k, 1),
    lambda g, y, x: (g * (y * (1 - 1 / x) - call("BesselK0e", x)),),
    _WIDE,
)
_J0 = special_op(
    "BesselJ0",
    _of_order(special_bessel.j, 0),
    lambda g, y, x: (-g * call("BesselJ1", x),),
    _WIDE,
)
_J1 = special_op(
    "BesselJ1",
    _of_order(special_bessel.j, 1),
    lambda g, y, x: (g * _over(x, y, "BesselJ0", 0.5),),
    _WIDE,
)
_Y0 = special_op(
    "BesselY0",
    _of_order(special_bessel.y, 0),
    lambda g, y, x: (-g * call("BesselY1", x),),
    _WIDE,
)
_Y1 = special_op(
    "BesselY1",
    _of_order(special_bessel.y, 1),
    lambda g, y, x: (g * (call("BesselY0", x) - y / x),),
    _WIDE,
)
_DAWSN = special_op(
    "Dawsn",
    special_integrals.dawsn,
    lambda g, y, x: (g * (1 - 2 * x * y),),
    (sample(1.3), sample([0.4, 2.5, 5.0])),
)
_EXPINT = special_op(
    "Expint",
    special_integrals.expint,
    lambda g, y, x: (g * exp(x) / x,),
    (sample(1.3), sample([0.4, 2.5, 5.0])),
)
_FRESNEL_COS = special_op(
    "FresnelCos",
    special_integrals.fresnel_cos,
    lambda g, y, x: (g * cos(np.pi / 2 * x * x),),
    (sample(1.3), sample([0.4, 2.5, 5.0])),
)
_FRESNEL_SIN = special_op(
    "FresnelSin",
    special_integrals.fresnel_sin,
    lambda g, y, x: (g * sin(np.pi / 2 * x * x),),
    (sample(1.3), sample([0.4, 2.5, 5.0])),
)
_SPENCE = special_op(
    "Spence",
    special_integrals.spence,
    lambda g, y, x: (g * _spence_slope(x),),
    (sample(1.3), sample([0.4, 2.5, 5.0])),
)


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
