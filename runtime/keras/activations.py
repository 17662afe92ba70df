"""Activation functions of layers, by name or as functions of `tf.nn`.

>>> print(get("relu")([-1.0, 2.0]).numpy())
[0. 2.]
"""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras import families


def linear(x: object) -> Any:
    """Return `x` itself, as a tensor.

    Args:
      x: Tensor.

    >>> linear([1.0, -2.0]).numpy()
    array([ 1., -2.], dtype=float32)
    """
    return tf.convert_to_tensor(x)


relu, leaky_relu, elu, selu, gelu = tf.nn.relu, tf.nn.leaky_relu, tf.nn.elu, tf.nn.selu, tf.nn.gelu
sigmoid, tanh, exponential = tf.nn.sigmoid, tf.nn.tanh, tf.exp
softmax, softplus, softsign = tf.nn.softmax, tf.nn.softplus, tf.nn.softsign
silu = swish = tf.nn.silu

_FAMILY = families.Family(
    "activation function",
    functions=(
        *(linear, relu, leaky_relu, elu, selu, gelu, silu),
        *(sigmoid, tanh, softmax, softplus, softsign),
    ),
    aliases={"swish": silu, "exponential": exponential, "exp": exponential, None: linear},
)
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(globals(), "pass a function of the tensor")
