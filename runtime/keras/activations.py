"""Activation functions of layers, by name or as functions.

>>> print(get("relu")([-1.0, 2.0]).numpy())
[0. 2.]
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras import families


def linear(x: object) -> Any:
    """Return `x` itself."""
    return tf.convert_to_tensor(x)


def relu(
    x: object, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0
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
        positive = tf.where(x > threshold, x, negative_slope * (x - threshold))
    elif negative_slope:
        positive = tf.nn.leaky_relu(x, negative_slope)
    else:
        positive = tf.nn.relu(x)
    return positive if max_value is None else tf.minimum(positive, tf.cast(max_value, x.dtype))


def leaky_relu(x: object, negative_slope: float = 0.2) -> Any:
    """Return `x` where it is positive, else `negative_slope * x`."""
    return tf.nn.leaky_relu(x, negative_slope)


def elu(x: object, alpha: float = 1.0) -> Any:
    """Return `x` where it is positive, else `alpha * (exp(x) - 1)`.

    Args:
      x: tensor of floats.
      alpha: the factor.
    """
    x = tf.convert_to_tensor(x)
    below = tf.nn.elu(x)
    return below if alpha == 1 else tf.where(x > 0, x, alpha * below)


def exponential(x: object) -> Any:
    """Return the exponentials."""
    return tf.exp(x)


def hard_sigmoid(x: object) -> Any:
    """Return `x / 6 + 1 / 2`, clipped to [0, 1]."""
    return tf.nn.relu6(tf.convert_to_tensor(x) + 3.0) / 6.0


sigmoid, log_sigmoid, tanh = tf.nn.sigmoid, tf.math.log_sigmoid, tf.nn.tanh
softmax, log_softmax = tf.nn.softmax, tf.nn.log_softmax
softplus, softsign = tf.nn.softplus, tf.nn.softsign
relu6, selu, gelu = tf.nn.relu6, tf.nn.selu, tf.nn.gelu
silu = swish = tf.nn.silu

FAMILY = families.Family(
    "activation function",
    functions=(
        *(linear, relu, leaky_relu, relu6, elu, selu, gelu, silu, sigmoid, log_sigmoid, tanh),
        *(hard_sigmoid, softmax, log_softmax, softplus, softsign, exponential),
    ),
    aliases={"swish": silu, "exp": exponential, None: linear},
)
get, serialize, deserialize = FAMILY.get, FAMILY.serialize, FAMILY.deserialize

__dir__ = families.dir_of(globals())
__getattr__ = families.left_out(globals(), "pass a function of the tensor")
