"""Constraints: functions that optimizers apply to a variable after each step.

>>> print(get("max_norm")(tf.constant([[0.0], [4.0]])).numpy())
[[0.]
 [2.]]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import runtime as tf
from runtime.keras import families

# Added to norms before a division, as in Keras (keras.backend.epsilon()).
_EPSILON = 1e-7


class Constraint(families.Described):
    """A function of the value of a variable; a subclass overrides `__call__`.

    >>> class Rounded(Constraint):
    ...     def __call__(self, w):
    ...         return tf.round(w)
    >>> print(Rounded()(tf.constant([0.7])).numpy())
    [1.]
    """

    def __call__(self, w: Any) -> Any:
        """Return the value unchanged.

        Args:
          w: the value of a variable.
        """
        return w


@dataclass(eq=False)
class MaxNorm(Constraint):
    """Scale down what exceeds a norm.

    Args:
      max_value: the largest Euclidean norm.
      axis: axis or axes along which norms are taken; 0 for the kernel of a `Dense` layer.

    >>> print(MaxNorm(1)(tf.constant([[3.0, 0.0], [4.0, 0.5]])).numpy().round(3))
    [[0.6 0. ]
     [0.8 0.5]]
    """

    max_value: float = 2
    axis: Any = 0

    def __call__(self, w: Any) -> Any:
        """Return the value that the variable gets."""
        norms = tf.norm(w, axis=self.axis, keepdims=True)
        return w * (tf.clip_by_value(norms, 0.0, float(self.max_value)) / (_EPSILON + norms))


_FAMILY = families.Family("constraint", (MaxNorm,))
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(globals(), "pass a function of the value")
