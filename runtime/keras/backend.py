"""Names of `keras.backend`."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import families
from runtime.keras.base.names import reset_names

square, transpose = tf.square, tf.transpose


def clear_session() -> None:
    """Start the names of layers anew.

    >>> clear_session()
    """
    reset_names()


def epsilon() -> float:
    """Return the small number that losses and optimizers add to divisors.

    >>> epsilon()
    1e-07
    """
    return 1e-7


def get_value(x: object) -> Any:
    """Return the value of a variable or tensor as an array.

    >>> get_value(tf.Variable(2.0))
    np.float32(2.0)
    """
    return x.numpy() if hasattr(x, "numpy") else np.asarray(x)


def set_value(x: Any, value: Any) -> None:
    """Set the value of a variable to an array of its shape.

    >>> set_value(tf.Variable(1.0), 3.0)
    """
    x.assign(tf.cast(value, x.dtype))


def std(x: object, axis: object = None) -> tf.Tensor:
    """Return the standard deviation along axes; None: all.

    >>> print(std([1.0, 3.0]).numpy())
    1.0
    """
    return tf.math.reduce_std(tf.convert_to_tensor(x), axis)


def random_normal(shape: Any, mean: float = 0.0, stddev: float = 1.0) -> tf.Tensor:
    """Return float32 samples of a normal distribution.

    >>> random_normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return tf.random.normal(shape, mean, stddev)


__dir__, __getattr__ = families.namespace(globals(), "use the operations of `tf`")
