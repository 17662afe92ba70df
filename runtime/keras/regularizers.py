"""Regularizers: losses of the value of a variable.

>>> print(get("l2")(tf.constant([3.0, 4.0])).numpy())
0.25
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import runtime as tf
from runtime.keras import families


class Regularizer(families.Described):
    """A loss of the value of a variable; a subclass overrides `__call__`.

    >>> class Largest(Regularizer):
    ...     def __call__(self, x):
    ...         return tf.reduce_max(x)
    >>> print(Largest()(tf.constant([1.0, 5.0])).numpy())
    5.0
    """


class _Norms(Regularizer):
    """`l1 * sum(abs(x)) + l2 * sum(x ** 2)` with the factors that a subclass has."""

    def __post_init__(self) -> None:
        for name, factor in vars(self).items():
            if not 0 <= factor < float("inf"):
                raise ValueError(
                    f"Invalid value for argument {name}: expected a non-negative finite number, "
                    f"got {factor}."
                )

    def __call__(self, x: Any) -> Any:
        x = tf.convert_to_tensor(x)
        terms = {"l1": tf.abs, "l2": tf.square}
        factors = vars(self).items()
        return sum(
            (factor * tf.reduce_sum(terms[name](x)) for name, factor in factors if factor),
            start=tf.zeros([], x.dtype),
        )


@dataclass(eq=False)
class L1(_Norms):
    """`l1 * sum(abs(x))`.

    Args:
      l1: the factor, finite and not negative.

    Raises:
      ValueError: for another factor.

    >>> print(L1()(tf.constant([3.0, -4.0])).numpy().round(3))
    0.07
    """

    l1: float = 0.01


@dataclass(eq=False)
class L2(_Norms):
    """`l2 * sum(x ** 2)`.

    Args:
      l2: the factor, finite and not negative.

    Raises:
      ValueError: for another factor.

    >>> print(L2()(tf.constant([3.0, -4.0])).numpy().round(3))
    0.25
    """

    l2: float = 0.01


@dataclass(eq=False)
class L1L2(_Norms):
    """`l1 * sum(abs(x)) + l2 * sum(x ** 2)`.

    Args:
      l1, l2: the factors, finite and not negative.

    Raises: ValueError for another factor.

    >>> print(L1L2(l1=1.0, l2=0.5)(tf.constant([2.0])).numpy())
    4.0
    """

    l1: float = 0.0
    l2: float = 0.0


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """Return `L1L2(l1, l2)`.

    Args:
      l1, l2: as of `L1L2`.

    >>> print(l1_l2(0.5, 1.0)(tf.constant([2.0])).numpy())
    5.0
    """
    return L1L2(l1, l2)


l1, l2 = L1, L2

_FAMILY = families.Family("regularizer", (L1, L2, L1L2), aliases={"l1_l2": l1_l2()})
get, serialize, deserialize = _FAMILY.get, _FAMILY.serialize, _FAMILY.deserialize

__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.regularizers.Regularizer`"
)
