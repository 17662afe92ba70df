"""Activation functions, and softmax."""

from __future__ import annotations

import functools
import math

import numpy as np

from runtime.core import dtypes
from runtime.core.aliases import Array, Namespace
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, REAL, Emit, Failure, Ufunc, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.shaping import transpose
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, op, select
from runtime.ops.base.families import Elementwise
from runtime.ops.math.arithmetic import minimum, multiply
from runtime.ops.math.casting import cast
from runtime.ops.math.elementwise import abs, erf, exp, negative, sigmoid, square, tanh
from runtime.ops.reduce.reduction import reduce_sum

_rows = Elementwise(__name__)
_FLOATS = (sample(0.3), sample([-0.8, 0.5, 0.9]), sample(np.array([[-1.2], [7.0]])))

_of_floats = functools.partial(_rows.unary, group=FLOAT, samples=_FLOATS, operand="features")

# Klambauer, Unterthiner, Mayr and Hochreiter, "Self-normalizing neural networks" (2017),
# with the digits of the authors' implementation.
_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_ALPHA = 1.6732632423543772848170429916717


def _selu(xp: Namespace, x: Array) -> Array:
    below = _SELU_ALPHA * xp.expm1(xp.minimum(x, 0))
    return (_SELU_SCALE * xp.where(x < 0, below, x)).astype(x.dtype)


def _exp_below(x: Tensor) -> Tensor:
    """Return `exp(x)` for negative `x`, and elsewhere 1, whose unused derivative is finite."""
    return exp(minimum(x, 0))


relu = _rows.unary(
    "relu",
    Ufunc("maximum", (0,)),
    None,
    "Rectified linear unit, `max(x, 0)`.",
    "[-1.0, 2.0] -> [0. 2.]",
    group=REAL,
    grad=lambda g, y, x: (select(y > 0, g),),
    samples=(*_FLOATS, sample([1, -2, 3])),
    operand="features",
)
relu6 = _rows.unary(
    "relu6",
    lambda xp, x: xp.clip(x, x.dtype.type(0), x.dtype.type(6)),
    None,
    "Rectified linear unit with an upper limit, `min(max(x, 0), 6)`.",
    "[-1.0, 2.0, 7.0] -> [0. 2. 6.]",
    group=REAL,
    grad=lambda g, y, x: (select((x > 0) & (x < 6), g),),
    samples=(*_FLOATS, sample([1, -2, 8])),
    operand="features",
)
elu = _of_floats(
    "elu",
    lambda xp, x: xp.where(x < 0, xp.expm1(xp.minimum(x, 0)), x),
    None,
    "Exponential linear unit: `exp(x) - 1` for negative `x`, `x` otherwise.",
    "[-1.0, 2.0] ~> [-0.6321  2.    ]",
    grad=lambda g, y, x: (select(x < 0, g * _exp_below(x), g),),
)
selu = _of_floats(
    "selu",
    _selu,
    lambda x, y: select(x < 0, _SELU_SCALE * _SELU_ALPHA * _exp_below(x), _SELU_SCALE),
    """Scaled exponential linear unit, which keeps means near 0 and variances near 1.

    Source: Klambauer et al., "Self-normalizing neural networks" (2017).
    """,
    "[-1.0, 2.0] ~> [-1.1113  2.1014]",
)
softplus = _of_floats(
    "softplus",
    lambda xp, x: xp.maximum(x, x.dtype.type(0)) + xp.log1p(xp.exp(-xp.abs(x))),
    lambda x, y: sigmoid(x),
    "Smooth rectifier, `log(exp(x) + 1)`, without overflow.",
    "[0.0, 200.0] ~> [  0.6931 200.    ]",
)
softsign = _of_floats(
    "softsign",
    lambda xp, x: x / (1 + xp.abs(x)),
    None,
    "`x / (abs(x) + 1)`.",
    "[-1.0, 3.0] -> [-0.5   0.75]",
    grad=lambda g, y, x: (g / square(1 + abs(x)),),
)


@op(
    "LeakyRelu",
    {"features": FLOAT},
    infer=rules.same,
    kernel=lambda xp, x, alpha: xp.where(x > 0, x, x * x.dtype.type(alpha)),
    elementwise=True,
    grad=lambda g, y, x, alpha: (select(x > 0, g, g * alpha),),
    samples=(sample([-0.8, 0.5], alpha=0.2),),
)
def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """Return `x` where it is positive and `alpha * x` elsewhere.

    Args:
      features: Tensor, real; integers become float32.
      alpha: slope for negative elements.

    Returns: Tensor of the shape of `features`.

    >>> print(leaky_relu([-1.0, 2.0]).numpy())
    [-0.2  2. ]
    """
    x = convert_to_tensor(features)
    if x.dtype.is_integer:
        x = cast(x, dtypes.float32)
    return leaky_relu.op(x, alpha=float(alpha), name=name)


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Gaussian error linear unit, `x * P(X <= x)` for a standard normal `X`.

    Source: Hendrycks and Gimpel, "Gaussian error linear units" (2016), section 2.

    Args:
      features: Tensor, floating-point.
      approximate: whether to use the approximation by `tanh` of that paper.

    Returns: Tensor of the shape of `features`.
    Raises: ValueError if `features` is not floating-point.

    >>> print(gelu([-1.0, 0.0, 1.0]).numpy().round(4))
    [-0.1587  0.      0.8413]
    """
    x = convert_to_tensor(features)
    if not x.dtype.is_floating:
        raise ValueError(f"`features.dtype` must be a floating point tensor. Received: {x.dtype}")
    if approximate:
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))
        return multiply(0.5 * x, 1.0 + tanh(inner))
    return multiply(0.5 * x, 1.0 + erf(x * math.sqrt(0.5)))


def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """Sigmoid linear unit, `x * sigmoid(beta * x)`.

    Args:
      features: Tensor, floating-point.
      beta: Tensor that broadcasts with `features`.

    Returns: Tensor of the shape of `features`.

    >>> print(silu([0.0, 1.0]).numpy().round(4))
    [0.     0.7311]
    """
    x = convert_to_tensor(features)
    return multiply(x, sigmoid(convert_to_tensor(beta, dtype_hint=x.dtype) * x))


swish = silu


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """Return `log(sigmoid(x))` without overflow.

    Args:
      x: Tensor, floating-point.

    Returns: Tensor of the shape of `x`.

    >>> print(log_sigmoid([-100.0, 0.0]).numpy().round(4))
    [-100.       -0.6931]
    """
    return negative(softplus(-convert_to_tensor(x)))


def shifted(xp: Namespace, x: Array) -> Array:
    """Subtract the largest element of each row, so that exponentials do not overflow."""
    lowest = x.dtype.type(-np.inf)
    return x - xp.maximum.reduce(x, axis=-1, keepdims=True, initial=lowest)


def _softmax(xp: Namespace, x: Array) -> Array:
    powers = xp.exp(shifted(xp, x))
    return powers / xp.add.reduce(powers, axis=-1, keepdims=True)


def _log_softmax(xp: Namespace, x: Array) -> Array:
    rows = shifted(xp, x)
    return rows - xp.log(xp.sum(xp.exp(rows), axis=-1, keepdims=True))


_ROWS = (sample([1.0, 2.0, 0.5]), sample([[0.1, -0.4], [3.0, 2.0]]))


@op(
    "Softmax",
    {"logits": FLOAT},
    infer=rules.same,
    kernel=_softmax,
    failure=Failure.SHAPES,
    emit=Emit.SOFTMAX,
    grad=lambda g, y, x: ((g - reduce_sum(g * y, -1, True)) * y,),
    samples=_ROWS,
)
def softmax(logits: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """Return `exp(logits) / sum(exp(logits))` along an axis, without overflow.

    Args:
      logits: Tensor with at least one dimension, floating-point.
      axis: the axis; None: the last.

    Returns: Tensor of the shape of `logits`, positive, with sum 1 along `axis`.
    Raises: InvalidArgumentError if `axis` is out of range.

    >>> print(softmax([0.0, 1.0]).numpy().round(4))
    [0.2689 0.7311]
    """
    return _along(softmax.op, logits, axis, name)


@op(
    "LogSoftmax",
    {"logits": FLOAT},
    infer=rules.same,
    kernel=_log_softmax,
    failure=Failure.SHAPES,
    grad=lambda g, y, x: (g - reduce_sum(g, -1, True) * exp(y),),
    samples=_ROWS,
)
def log_softmax(logits: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """Return the logarithm of `softmax`, without overflow.

    Args:
      logits, axis, name: as of `softmax`.

    Returns: Tensor of the shape of `logits`.

    >>> print(log_softmax([-1000.0, 0.0]).numpy())
    [-1000.     0.]
    """
    return _along(log_softmax.op, logits, axis, name)


def _along(op: Op, logits: TensorLike, axis: int | None, name: str | None) -> Tensor:
    """Apply an op of the last axis along another one."""
    if axis is None or axis == -1:
        return op.apply((logits,), name)
    x = convert_to_tensor(logits)
    rank = x.shape.rank
    if rank is None:
        raise ValueError(f"the rank of `logits` must be known for axis {axis}")
    if not -rank <= axis < rank:
        raise InvalidArgumentError.of(
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions in the input. Received: dim={axis}"
        )
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return transpose(op(transpose(x, order)), order, name=name)
