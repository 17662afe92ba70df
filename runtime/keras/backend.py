"""Names of `keras.backend`."""

from __future__ import annotations

from typing import Any

import numpy as np

import runtime as tf
from runtime.keras import families
from runtime.keras.base.names import reset_names

square, transpose = tf.square, tf.transpose


def clear_session(free_memory: bool = True) -> None:
    """Start the names of layers anew; `free_memory` has no effect.

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

    >>> v = tf.Variable(1.0)
    >>> set_value(v, 3.0)
    >>> print(v.numpy())
    3.0
    """
    x.assign(tf.cast(value, x.dtype))


def std(x: object, axis: object = None, keepdims: bool = False) -> tf.Tensor:
    """Return the standard deviation along axes; None: all.

    >>> print(std([1.0, 3.0]).numpy())
    1.0
    """
    return tf.math.reduce_std(tf.convert_to_tensor(x), axis, keepdims)


def random_normal(
    shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None
) -> tf.Tensor:
    """Return samples of a normal distribution, float32 unless `dtype` says otherwise.

    >>> random_normal([2, 3]).shape
    TensorShape([2, 3])
    """
    return tf.random.normal(shape, mean, stddev, dtype or tf.float32, seed)


__dir__, __getattr__ = families.namespace(globals(), "use the operations of `tf`")
