"""Constraints: functions that optimizers apply to a variable after each step.

>>> print(get("non_neg")(tf.constant([-1.0, 2.0])).numpy())
[0. 2.]
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
        """Return the value that the variable gets; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")


class NonNeg(Constraint):
    """Replace negative elements by zero."""

    def __call__(self, w: Any) -> Any:
        """Return the value that the variable gets."""
        return tf.nn.relu(w)


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


@dataclass(eq=False)
class UnitNorm(Constraint):
    """Scale to the Euclidean norm 1 along `axis`.

    Args:
      axis: axis or axes along which norms are taken; 0 for the kernel of a `Dense` layer.
    """

    axis: Any = 0

    def __call__(self, w: Any) -> Any:
        """Return the value that the variable gets."""
        return w / (_EPSILON + tf.norm(w, axis=self.axis, keepdims=True))


max_norm, non_neg, unit_norm = MaxNorm, NonNeg, UnitNorm

FAMILY = families.Family("constraint", (MaxNorm, NonNeg, UnitNorm))
get, serialize, deserialize = FAMILY.get, FAMILY.serialize, FAMILY.deserialize


def __dir__() -> list[str]:
    return families.public_names(globals())
