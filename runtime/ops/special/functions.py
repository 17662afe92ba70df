"""Special functions: of errors, gamma, beta and zeta, and logarithms that bear zeros."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.core.opdef import FLOAT, FLOATING, Grad, Sample, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base import rules
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.math.elementwise import exp, log, log1p, square
from runtime.ops.reduce.reduction import reduce_sum
from runtime.ops.special import error_kernels as special_error
from runtime.ops.special import gamma_kernels as special_gamma

_ONE = (sample(0.3), sample([0.1, 0.5, 0.9]), sample(np.array([[0.2], [0.7]])))
_TWO = (sample(1.5, 2.5), sample([0.6, 3.0], [[1.2], [4.0]]))


_BLOCK = 1 << 13
"""Of so many numbers all that is computed on the way stays near the processor."""


def in_double(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel that computes in float64 and gives the dtype of its inputs."""

    def kernel(xp: Any, *arrays: Any, **attrs: Any) -> Any:
        if xp is np and np.broadcast(*arrays).size > _BLOCK:
            return _in_blocks(function, np.broadcast_arrays(*arrays), attrs)
        wide = [xp.asarray(array, dtype=np.float64) for array in arrays]
        return xp.asarray(function(xp, *wide, **attrs)).astype(arrays[-1].dtype)

    return kernel


def _in_blocks(function: Callable[..., Any], arrays: Sequence[Any], attrs: Any) -> Any:
    """The function of arrays of one shape, of one block of them after the other."""
    flat = [array.reshape(-1) for array in arrays]
    result = np.empty_like(flat[-1])
    for at in range(0, result.size, _BLOCK):
        block = slice(at, at + _BLOCK)
        wide = [array[block].astype(np.float64) for array in flat]
        result[block] = function(np, *wide, **attrs)
    return result.reshape(arrays[-1].shape)


def special_op(
    name: str, function: Callable[..., Any], grad: Grad, samples: tuple[Sample, ...] = _ONE
) -> Op:
    """An op of one real number, `x`."""
    return define_op(
        name,
        {"x": FLOAT},
        rules.same,
        in_double(function),
        elementwise=True,
        grad=grad,
        samples=samples,
    )


def _bell(x: Tensor) -> Tensor:
    return call("Mul", 1.1283791670955126, exp(-square(x)))


_ERF = special_op("Erf", special_error.erf, lambda g, y, x: (g * _bell(x),))
_ERFC = special_op("Erfc", special_error.erfc, lambda g, y, x: (-g * _bell(x),))
_ERFINV = special_op(
    "Erfinv",
    special_error.erfinv,
    lambda g, y, x: (g * (0.886226925452758 * exp(square(y))),),
)
_ERFCINV = special_op(
    "Erfcinv",
    special_error.erfcinv,
    lambda g, y, x: (g * (-0.886226925452758 * exp(square(y))),),
)
_NDTRI = special_op(
    "Ndtri",
    special_error.ndtri,
    lambda g, y, x: (g * (2.5066282746310002 * exp(square(y) / 2)),),
)
_LGAMMA = special_op("Lgamma", special_gamma.lgamma, lambda g, y, x: (g * digamma(x),))
_DIGAMMA = special_op("Digamma", special_gamma.digamma, lambda g, y, x: (g * polygamma(1, x),))


def erf(x: TensorLike, name: str | None = None) -> Tensor:
    """The error function.

    Args:
      x: floating-point numbers.

    >>> print(erf([0.0, 1.0]))
    tf.Tensor([0.        0.8427008], shape=(2,), dtype=float32)
    """
    return _ERF(x, name=name)


def erfc(x: TensorLike, name: str | None = None) -> Tensor:
    """`1 - erf(x)`, exact where that is tiny.

    Args:
      x: floating-point numbers.

    >>> print(erfc([0.0, 1.0]))
    tf.Tensor([1.        0.1572992], shape=(2,), dtype=float32)
    """
    return _ERFC(x, name=name)


def erfinv(x: TensorLike, name: str | None = None) -> Tensor:
    """The number with the error function `x`.

    Args:
      x: floating-point numbers from -1 to 1; the result is NaN for others.

    >>> print(erfinv([0.0, 1.0]))
    tf.Tensor([ 0. inf], shape=(2,), dtype=float32)
    """
    return _ERFINV(x, name=name)


def erfcinv(x: TensorLike, name: str | None = None) -> Tensor:
    """The number with the complementary error function `x`.

    Args:
      x: floating-point numbers from 0 to 2; the result is NaN for others.

    >>> print(erfcinv([0.0, 1.0]))
    tf.Tensor([inf -0.], shape=(2,), dtype=float32)
    """
    return _ERFCINV(x, name=name)


def ndtri(x: TensorLike, name: str | None = None) -> Tensor:
    """Where the standard normal distribution has the probability `x`.

    Args:
      x: floating-point numbers from 0 to 1; the result is NaN for others.

    >>> print(ndtri([0.5, 0.975]))
    tf.Tensor([0.        1.9599644], shape=(2,), dtype=float32)
    """
    return _NDTRI(x, name=name)


def lgamma(x: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function.

    Args:
      x: floating-point numbers.

    >>> print(lgamma([1.0, 5.0]))
    tf.Tensor([0.        3.1780539], shape=(2,), dtype=float32)
    """
    return _LGAMMA(x, name=name)


def digamma(x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of `lgamma`.

    Args:
      x: floating-point numbers.

    >>> print(digamma(1.0))
    tf.Tensor(-0.5772157, shape=(), dtype=float32)
    """
    return _DIGAMMA(x, name=name)


def _binary(
    name: str,
    names: str,
    function: Callable[..., Any],
    grad: Grad,
    samples: tuple[Sample, ...] = _TWO,
) -> Op:
    return define_op(
        name,
        dict.fromkeys(names.split(), FLOAT),
        rules.broadcasted,
        in_double(function),
        elementwise=True,
        grad=grad,
        samples=samples,
    )


def _igamma_grad(g: Tensor, y: Tensor, a: Tensor, x: Tensor) -> tuple[Tensor, Tensor]:
    return g * _IGAMMA_GRAD_A(a, x, order=1), g * _gamma_density(a, x)


def _gamma_density(a: Tensor, x: Tensor) -> Tensor:
    return exp((a - 1) * log(x) - x - lgamma(a))


def _igamma_a_grad(g: Tensor, y: Tensor, a: Tensor, x: Tensor, order: int) -> tuple[Tensor, Tensor]:
    by_x = _density_derivative(a, x, order)
    return g * _IGAMMA_GRAD_A(a, x, order=order + 1), g * by_x


def _density_derivative(a: Tensor, x: Tensor, order: int) -> Tensor:
    """The derivative of `_gamma_density` by `a`, from those of its logarithm."""
    logs = [log(x) - digamma(a)] + [-polygamma(n, a) for n in range(1, order)]
    result = [_gamma_density(a, x)]
    for n in range(1, order + 1):
        total = logs[0] * result[n - 1]
        for j in range(1, n):
            total = total + math.comb(n - 1, j) * logs[j] * result[n - 1 - j]
        result.append(total)
    return result[order]


def _negated(rule: Grad) -> Grad:
    def grad(g: Tensor, *operands: Tensor) -> Any:
        return rule(-g, *operands)

    return grad


def _betainc_grad(
    g: Tensor, y: Tensor, a: Tensor, b: Tensor, x: Tensor
) -> tuple[None, None, Tensor]:
    beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    return None, None, g * exp((b - 1) * log1p(-x) + (a - 1) * log(x) - beta)


_ZETA = _binary(
    "Zeta",
    "x q",
    special_gamma.zeta,
    lambda g, y, x, q: (None, g * (-x * zeta(x + 1, q))),
    (sample(1.5, 2.5), sample([2.0, 3.0], [[1.2], [4.0]])),
)
_POLYGAMMA = _binary(
    "Polygamma",
    "a x",
    special_gamma.polygamma,
    lambda g, y, n, x: (None, g * polygamma(n + 1, x)),
    (sample(1.0, 2.5), sample([0.0, 3.0], [[1.2], [4.0]])),
)
_IGAMMA = _binary("Igamma", "a x", special_gamma.igamma, _igamma_grad)
_IGAMMAC = _binary("Igammac", "a x", special_gamma.igammac, _negated(_igamma_grad))
_IGAMMA_GRAD_A = define_op(
    "IgammaGradA",
    {"a": FLOAT, "x": FLOAT},
    rules.broadcasted,
    in_double(special_gamma.igamma_by_a),
    grad=_igamma_a_grad,
    samples=(sample(1.5, 2.5, order=1),),
)
define_op(
    "RandomGammaGrad",
    {"alpha": FLOAT, "sample": FLOAT},
    rules.broadcasted,
    in_double(special_gamma.gamma_by_shape),
    elementwise=True,
    samples=(sample([[0.5], [2.0]], [0.3, 1.5]), sample(3e5, 3.01e5)),
)
_BETAINC = _binary(
    "Betainc",
    "a b x",
    special_gamma.betainc,
    _betainc_grad,
    (sample(1.5, 2.5, 0.3), sample([0.6, 3.0], 2.0, [[0.2], [0.9]])),
)


def zeta(x: TensorLike, q: TensorLike, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function: the sum of `(q + k) ** -x` over all k from 0 on.

    Args:
      x, q: floating-point numbers, `x` above 1; the shapes broadcast.

    >>> print(zeta(2.0, 1.0))
    tf.Tensor(1.644934, shape=(), dtype=float32)
    """
    return _ZETA(x, q, name=name)


def polygamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The derivative of order `a` of `digamma`.

    Args:
      a: whole numbers as floating-point numbers.
      x: floating-point numbers; the shapes broadcast.

    >>> print(polygamma(1.0, 1.0))
    tf.Tensor(1.644934, shape=(), dtype=float32)
    """
    return _POLYGAMMA(a, x, name=name)


def igamma(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The lower incomplete gamma function, divided by the gamma function of `a`.

    Args:
      a, x: floating-point numbers, `a` above 0, `x` not below; the shapes broadcast.

    >>> print(igamma(1.0, 2.0))
    tf.Tensor(0.86466473, shape=(), dtype=float32)
    """
    return _IGAMMA(a, x, name=name)


def igammac(a: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """`1 - igamma(a, x)`, exact where that is tiny; arguments as there.

    >>> print(igammac(1.0, 2.0))
    tf.Tensor(0.13533528, shape=(), dtype=float32)
    """
    return _IGAMMAC(a, x, name=name)


def betainc(a: TensorLike, b: TensorLike, x: TensorLike, name: str | None = None) -> Tensor:
    """The incomplete beta function, divided by the beta function of `a` and `b`.

    Args:
      a, b: floating-point numbers above 0.
      x: floating-point numbers from 0 to 1; the shapes broadcast.

    >>> print(betainc(1.0, 2.0, 0.5))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """
    return _BETAINC(a, b, x, name=name)


def lbeta(x: TensorLike, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the beta function of the vectors along the last axis.

    Args:
      x: floating-point numbers with at least one dimension.

    >>> print(lbeta([1.0, 1.0, 2.0]))
    tf.Tensor(-1.7917595, shape=(), dtype=float32)
    """
    return call("Sub", reduce_sum(lgamma(x), -1), lgamma(reduce_sum(x, -1)))


def _bearing(function: str) -> Callable[..., Any]:
    def kernel(xp: Any, x: Any, y: Any) -> Any:
        return xp.where(x == 0, x.dtype.type(0), x * getattr(xp, function)(y)).astype(y.dtype)

    return kernel


def _quotient(xp: Any, x: Any, y: Any) -> Any:
    return xp.where(x == 0, x.dtype.type(0), x / y).astype(y.dtype)


def _where_not_zero(x: Tensor, value: Tensor) -> Tensor:
    return chosen(call("NotEqual", x, 0), value)


def _xlogy_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    one = _where_not_zero(x, call("OnesLike", x, dtype=x.dtype))
    return g * xlogy(one, y), g * xdivy(x, y)


def _xlog1py_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    one = _where_not_zero(x, call("OnesLike", x, dtype=x.dtype))
    return g * xlog1py(one, y), g * xdivy(x, y + 1)


def _xdivy_grad(g: Tensor, z: Tensor, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    one = _where_not_zero(x, call("OnesLike", x, dtype=x.dtype))
    return g * xdivy(one, y), g * xdivy(-x, y * y)


def _pair(name: str, kernel: Callable[..., Any], grad: Grad) -> Op:
    return define_op(
        name,
        {"x": FLOATING, "y": FLOATING},
        rules.broadcasted,
        kernel,
        elementwise=True,
        grad=grad,
        samples=_TWO,
    )


_XLOGY = _pair("Xlogy", _bearing("log"), _xlogy_grad)
_XLOG1PY = _pair("Xlog1py", _bearing("log1p"), _xlog1py_grad)
_XDIVY = _pair("Xdivy", _quotient, _xdivy_grad)


def xlogy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x * log(y)`, and 0 where `x` is 0.

    >>> print(xlogy([0.0, 2.0], [0.0, 1.0]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """
    return _XLOGY(x, y, name=name)


def xlog1py(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x * log(1 + y)`, and 0 where `x` is 0.

    >>> print(xlog1py([0.0, 2.0], [-1.0, 0.0]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """
    return _XLOG1PY(x, y, name=name)


def xdivy(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """`x / y`, and 0 where `x` is 0.

    >>> print(xdivy([0.0, 2.0], [0.0, 4.0]))
    tf.Tensor([0.  0.5], shape=(2,), dtype=float32)
    """
    return _XDIVY(x, y, name=name)
