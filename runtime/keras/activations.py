"""Activation functions of layers, by name or as functions.

>>> print(get("relu")([-1.0, 2.0]).numpy())
[0. 2.]
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.families import Family, public_names


def linear(x: Any) -> Any:
    """Return `x` itself."""
    return tf.convert_to_tensor(x)


def relu(
    x: Any,
    negative_slope: float = 0.0,
    max_value: float | None = None,
    threshold: float = 0.0,
) -> Any:
    """Apply the rectified linear unit.

    Args:
      x: tensor of floats.
      negative_slope: slope below the threshold.
      max_value: upper bound of the result; None: no bound.
      threshold: value below which the slope is `negative_slope`.

    >>> print(relu([-10.0, 2.0, 10.0], negative_slope=0.5, max_value=6.0).numpy())
    [-5.  2.  6.]
    """
    x = tf.convert_to_tensor(x)
    if threshold:
        positive = tf.where(x > threshold, x, tf.zeros_like(x))
        if negative_slope:
            below = negative_slope * (x - threshold)
            positive = tf.where(x > threshold, x, below)
    elif negative_slope:
        positive = tf.nn.leaky_relu(x, negative_slope)
    else:
        positive = tf.nn.relu(x)
    return positive if max_value is None else tf.minimum(positive, tf.cast(max_value, x.dtype))


def leaky_relu(x: Any, negative_slope: float = 0.2) -> Any:
    """Return `x` where it is positive, else `negative_slope * x`."""
    return tf.nn.leaky_relu(x, negative_slope)


def elu(x: Any, alpha: float = 1.0) -> Any:
    """Return `x` where it is positive, else `alpha * (exp(x) - 1)`."""
    x = tf.convert_to_tensor(x)
    below = tf.nn.elu(x)
    return below if alpha == 1 else tf.where(x > 0, x, alpha * below)


def gelu(x: Any, approximate: bool = False) -> Any:
    """Return `x` times the normal distribution function at `x`.

    Source: Hendrycks and Gimpel, "Gaussian Error Linear Units", 2016.

    Args:
      x: tensor of floats.
      approximate: whether to use the approximation by `tanh`.
    """
    return tf.nn.gelu(x, approximate)


def exponential(x: Any) -> Any:
    """Return the exponentials."""
    return tf.exp(x)


def softmax(x: Any, axis: int = -1) -> Any:
    """Return the exponentials divided by their sum along `axis`."""
    return tf.nn.softmax(x, axis)


def log_softmax(x: Any, axis: int = -1) -> Any:
    """Return the logarithm of `softmax`."""
    return tf.nn.log_softmax(x, axis)


def hard_sigmoid(x: Any) -> Any:
    """Return `x / 6 + 1 / 2`, clipped to [0, 1]."""
    return tf.nn.relu6(tf.convert_to_tensor(x) + 3.0) / 6.0


def hard_silu(x: Any) -> Any:
    """Return `x * hard_sigmoid(x)`."""
    return x * hard_sigmoid(x)


def mish(x: Any) -> Any:
    """Return `x * tanh(softplus(x))`."""
    return x * tf.tanh(tf.nn.softplus(x))


def celu(x: Any, alpha: float = 1.0) -> Any:
    """Return `max(x, 0) + min(alpha * (exp(x / alpha) - 1), 0)`."""
    x = tf.convert_to_tensor(x)
    return tf.nn.relu(x) + alpha * tf.minimum(tf.nn.elu(x / alpha), 0.0)


def squareplus(x: Any, b: float = 4.0) -> Any:
    """Return `(x + sqrt(x ** 2 + b)) / 2`."""
    x = tf.convert_to_tensor(x)
    return (x + tf.sqrt(tf.square(x) + b)) / 2.0


sigmoid = tf.nn.sigmoid
tanh = tf.nn.tanh
softplus = tf.nn.softplus
softsign = tf.nn.softsign
selu = tf.nn.selu
relu6 = tf.nn.relu6
silu = tf.nn.silu
log_sigmoid = tf.math.log_sigmoid
swish = silu
hard_swish = hard_silu

FAMILY = Family(
    "activation function",
    functions=(
        *(linear, relu, leaky_relu, relu6, elu, selu, gelu, celu, silu, sigmoid, hard_sigmoid),
        *(hard_silu, log_sigmoid, tanh, mish, softmax, log_softmax, softplus, softsign),
        *(squareplus, exponential),
    ),
    aliases={
        "swish": silu,
        "hard_swish": hard_silu,
        "exp": exponential,
        None: linear,
    },
)
get = FAMILY.get
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize


def __dir__() -> list[str]:
    """Return the public names."""
    return public_names(globals())
