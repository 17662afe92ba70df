"""The nonlinear functions of neural networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.opdef import FLOAT, REAL, DTypes, Grad, Kernel, Ufunc, sample
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.joining import concat
from runtime.ops.array.shaping import transpose
from runtime.ops.base import rules
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, call, define_op
from runtime.ops.base.gradient_parts import chosen
from runtime.ops.math.elementwise import abs, exp, sigmoid, tanh
from runtime.ops.reduce.reduction import reduce_sum
from runtime.ops.special.functions import erf

_FLOATS = (sample(0.3), sample([-0.8, 0.5, 0.9]), sample(np.array([[-1.2], [7.0]])))
_SELU_SCALE = 1.0507009873554804934193349852946
_SELU_ALPHA = 1.6732632423543772848170429916717


def _activation(
    name: str, kernel: Kernel, grad: Grad, group: DTypes = FLOAT, samples: Any = _FLOATS
) -> Op:
    return define_op(
        name,
        {"features": group},
        rules.same,
        kernel,
        elementwise=True,
        grad=grad,
        samples=samples,
    )


def _softplus(xp: Any, x: Any) -> Any:
    return xp.maximum(x, x.dtype.type(0)) + xp.log1p(xp.exp(-xp.abs(x)))


def _elu(xp: Any, x: Any) -> Any:
    return xp.where(x < 0, xp.expm1(xp.minimum(x, 0)), x)


def _selu(xp: Any, x: Any) -> Any:
    below = _SELU_ALPHA * xp.expm1(xp.minimum(x, 0))
    return (_SELU_SCALE * xp.where(x < 0, below, x)).astype(x.dtype)


def _softsign_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    scale = 1 + abs(x)
    return (g / (scale * scale),)


_RELU = _activation(
    "Relu",
    Ufunc("maximum", (0,)),
    lambda g, y, x: (chosen(y > 0, g),),
    REAL,
    (*_FLOATS, sample([1, -2, 3])),
)
_RELU6 = _activation(
    "Relu6",
    lambda xp, x: xp.clip(x, x.dtype.type(0), x.dtype.type(6)),
    lambda g, y, x: (chosen((x > 0) & (x < 6), g),),
    REAL,
    (*_FLOATS, sample([1, -2, 8])),
)
_LEAKY_RELU = define_op(
    "LeakyRelu",
    {"features": FLOAT},
    rules.same,
    lambda xp, x, alpha: xp.where(x > 0, x, x * x.dtype.type(alpha)),
    elementwise=True,
    grad=lambda g, y, x, alpha: (chosen(x > 0, g, g * alpha),),
    samples=(sample([-0.8, 0.5], alpha=0.2),),
)
_ELU = _activation("Elu", _elu, lambda g, y, x: (chosen(x < 0, g * exp(x), g),))
_SELU = _activation(
    "Selu",
    _selu,
    lambda g, y, x: (g * chosen(x < 0, _SELU_SCALE * _SELU_ALPHA * exp(x), _SELU_SCALE),),
)
_SOFTPLUS = _activation("Softplus", _softplus, lambda g, y, x: (g * sigmoid(x),))
_SOFTSIGN = _activation("Softsign", lambda xp, x: x / (1 + xp.abs(x)), _softsign_grad)


def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """`max(features, 0)`.

    >>> print(relu([-1.0, 2.0]))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return _RELU(features, name=name)


def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """`min(max(features, 0), 6)`.

    >>> print(relu6([-1.0, 2.0, 7.0]))
    tf.Tensor([0. 2. 6.], shape=(3,), dtype=float32)
    """
    return _RELU6(features, name=name)


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """`features` where they are positive, `alpha * features` elsewhere.

    Args:
      features: numbers; integers become float32.
      alpha: the slope on the negative side.

    >>> print(leaky_relu([-1.0, 2.0]))
    tf.Tensor([-0.2  2. ], shape=(2,), dtype=float32)
    """
    tensor = convert_to_tensor(features)
    if tensor.dtype.is_integer:
        tensor = call("Cast", tensor, dtype=dtypes.float32)
    return _LEAKY_RELU(tensor, alpha=float(alpha), name=name)


def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """`features` where they are positive, `exp(features) - 1` elsewhere.

    >>> print(elu([0.0, 2.0]))
    tf.Tensor([0. 2.], shape=(2,), dtype=float32)
    """
    return _ELU(features, name=name)


def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """The exponential unit, scaled so that means and variances of layers keep to 0 and 1.

    >>> print(selu([0.0, 2.0]))
    tf.Tensor([0.       2.101402], shape=(2,), dtype=float32)
    """
    return _SELU(features, name=name)


def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """`features` times the probability that a normally distributed number is below them.

    Args:
      features: floating-point numbers.
      approximate: whether to compute it with `tanh`.

    Raises: ValueError if `features` are not floating-point numbers.

    >>> print(gelu([-1.0, 0.0, 1.0]))
    tf.Tensor([-0.15865526  0.          0.8413447 ], shape=(3,), dtype=float32)
    """
    x = convert_to_tensor(features)
    if not x.dtype.is_floating:
        raise ValueError(f"`features.dtype` must be a floating point tensor. Received: {x.dtype}")
    if approximate:
        inner = 0.7978845608028654 * (x + 0.044715 * (x * x * x))
        return call("Mul", 0.5 * x, 1.0 + tanh(inner))
    return call("Mul", 0.5 * x, 1.0 + erf(x * 0.7071067811865476))


def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """`features * sigmoid(beta * features)`.

    >>> print(silu([0.0, 1.0]))
    tf.Tensor([0.        0.7310586], shape=(2,), dtype=float32)
    """
    x = convert_to_tensor(features)
    return call("Mul", x, sigmoid(convert_to_tensor(beta, dtype_hint=x.dtype) * x))


swish = silu


def crelu(features: TensorLike, axis: int = -1, name: str | None = None) -> Tensor:
    """The positive part, and behind it along `axis` the negative part.

    >>> print(crelu([-1.0, 2.0]))
    tf.Tensor([0. 2. 1. 0.], shape=(4,), dtype=float32)
    """
    x = convert_to_tensor(features)
    return relu(concat([x, -x], axis), name=name)


def softplus(features: TensorLike, name: str | None = None) -> Tensor:
    """`log(exp(features) + 1)`.

    >>> print(softplus(-200.0))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """
    return _SOFTPLUS(features, name=name)


def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """`features / (abs(features) + 1)`.

    >>> print(softsign([-1.0, 3.0]))
    tf.Tensor([-0.5   0.75], shape=(2,), dtype=float32)
    """
    return _SOFTSIGN(features, name=name)


def log_sigmoid(x: TensorLike, name: str | None = None) -> Tensor:
    """`log(sigmoid(x))`, without overflow.

    >>> print(log_sigmoid([-100.0, 0.0]))
    tf.Tensor([-100.          -0.6931472], shape=(2,), dtype=float32)
    """
    return call("Neg", softplus(-convert_to_tensor(x)))


def shifted(xp: Any, x: Any) -> Any:
    """Rows less their largest element, whose exponentials do not overflow."""
    lowest = x.dtype.type(-np.inf)
    return x - xp.maximum.reduce(x, axis=-1, keepdims=True, initial=lowest)


def _softmax(xp: Any, x: Any) -> Any:
    powers = xp.exp(shifted(xp, x))
    return powers / xp.add.reduce(powers, axis=-1, keepdims=True)


def _log_softmax(xp: Any, x: Any) -> Any:
    rows = shifted(xp, x)
    return rows - xp.log(xp.sum(xp.exp(rows), axis=-1, keepdims=True))


def _softmax_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    return ((g - reduce_sum(g * y, -1, True)) * y,)


def _log_softmax_grad(g: Tensor, y: Tensor, x: Tensor) -> tuple[Tensor]:
    return (g - reduce_sum(g, -1, True) * exp(y),)


_ROWS = (sample([1.0, 2.0, 0.5]), sample([[0.1, -0.4], [3.0, 2.0]]))
_SOFTMAX = define_op(
    "Softmax", {"logits": FLOAT}, rules.same, _softmax, grad=_softmax_grad, samples=_ROWS
)
_LOG_SOFTMAX = define_op(
    "LogSoftmax",
    {"logits": FLOAT},
    rules.same,
    _log_softmax,
    grad=_log_softmax_grad,
    samples=_ROWS,
)


def softmax(logits: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """`exp(logits) / sum(exp(logits))` along an axis: numbers above 0 that add up to 1.

    Args:
      logits: floating-point numbers with at least one dimension.
      axis: the axis; None: the last.

    Raises: InvalidArgumentError if there is no such axis.

    >>> print(softmax([1.0, 1.0]))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    return _along(_SOFTMAX, logits, axis, name)


def log_softmax(logits: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """The logarithm of `softmax`, without overflow; arguments as there.

    >>> print(log_softmax([1.0, 1.0]))
    tf.Tensor([-0.6931472 -0.6931472], shape=(2,), dtype=float32)
    """
    return _along(_LOG_SOFTMAX, logits, axis, name)


def _along(op: Op, logits: TensorLike, axis: int | None, name: str | None) -> Tensor:
    """Applies an op that works on the last axis to another one."""
    x = convert_to_tensor(logits)
    rank = x.shape.rank
    if axis is None or axis == -1:
        return op(x, name=name)
    if rank is None:
        raise ValueError(f"the rank of `logits` has to be known for axis {axis}")
    if not -rank <= axis < rank:
        raise InvalidArgumentError.of(
            f"`dim` must be in the range [{-rank}, {rank}) where {rank} is the number of "
            f"dimensions in the input. Received: dim={axis}",
        )
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return transpose(op(transpose(x, order)), order, name=name)
