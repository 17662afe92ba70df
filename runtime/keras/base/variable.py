"""Variables of layers."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.context import CONTEXT


class Variable(tf.Variable):
    """A variable with a path: the names of the layers around it, and its own.

    Args:
      initial_value, trainable, dtype, constraint: as of `tf.Variable`.
      name: the name in its layer.
      path: the names of the layers and the name, joined by slashes; None: the name alone.
      regularizer: function of the value, whose result is a loss of the layer.

    >>> Variable([1.0, 2.0], name="bias", path="dense/bias")
    <Variable path=dense/bias, shape=(2,), dtype=float32, value=[1. 2.]>
    """

    def __init__(
        self,
        initial_value: Any,
        trainable: bool = True,
        name: str = "variable",
        dtype: Any = None,
        path: str | None = None,
        regularizer: Any = None,
        constraint: Any = None,
    ) -> None:
        super().__init__(initial_value, trainable, name=name, dtype=dtype, constraint=constraint)
        self._keras_name = name
        self.path = path or name
        self.regularizer = regularizer

    @property
    def name(self) -> str:
        """The name in its layer."""
        return self._keras_name

    def read_value(self) -> tf.Tensor:
        """Return the value; inside a layer of mixed precision, in the dtype of computation."""
        value = super().read_value()
        wanted = CONTEXT.compute_dtype
        if wanted is None or not value.dtype.is_floating:
            return value
        return tf.cast(value, wanted)

    def __repr__(self) -> str:
        text = f"<Variable path={self.path}, shape={tuple(self.shape)}, dtype={self.dtype.name}"
        return f"{text}, value={self.numpy()}>" if tf.executing_eagerly() else f"{text}>"
