"""Variables of layers, and dtype policies: in which dtypes a layer computes and holds them."""

from __future__ import annotations

from typing import Any

import runtime as tf
from runtime.keras.base.names import CONTEXT
from runtime.keras.families import Configured


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


class DTypePolicy(Configured):
    """A pair of dtypes: of computation, and of variables.

    Args:
      name: a dtype, for both, or `mixed_float16` or `mixed_bfloat16`: variables in float32,
        computation in 16 bits.

    Raises: ValueError for another name.

    >>> policy = DTypePolicy("mixed_float16")
    >>> policy.compute_dtype, policy.variable_dtype
    ('float16', 'float32')
    """

    def __init__(self, name: Any = None) -> None:
        text = name if isinstance(name, str) else tf.as_dtype(name or "float32").name
        mixed = text.removeprefix("mixed_")
        if text != mixed and mixed not in ("float16", "bfloat16"):
            raise ValueError(
                f"Cannot convert '{text}' to a mixed precision DTypePolicy. Valid policies include "
                "'mixed_float16', 'mixed_bfloat16', and the name of a dtype such as 'float32'."
            )
        try:
            self.compute_dtype: str = tf.as_dtype(mixed).name
        except TypeError as error:
            raise ValueError(f"Cannot interpret '{text}' as a dtype policy.") from error
        self.name: str = text if text != mixed else self.compute_dtype
        self.variable_dtype: str = "float32" if text != mixed else self.compute_dtype

    def get_config(self) -> dict[str, Any]:
        """Return the argument of the constructor."""
        return {"name": self.name}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DTypePolicy) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f'<DTypePolicy "{self.name}">'


_global: list[DTypePolicy] = [DTypePolicy("float32")]


def set_global_policy(policy: object) -> None:
    """Set the policy of layers that are given none.

    Args:
      policy: a `DTypePolicy` or its name.

    >>> set_global_policy("float32")
    """
    _global[0] = as_policy(policy)


def as_policy(identifier: object) -> DTypePolicy:
    """Return the policy that an argument `dtype` means; None: the global one."""
    if identifier is None:
        return _global[0]
    if isinstance(identifier, DTypePolicy):
        return identifier
    if isinstance(identifier, dict):
        return DTypePolicy.from_config(identifier["config"])
    return DTypePolicy(identifier)
