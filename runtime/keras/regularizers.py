"""Regularizers: losses of the value of a variable.

>>> print(get("l2")(tf.constant([3.0, 4.0])).numpy())
0.25
"""

from __future__ import annotations

from typing import Any, Self

import runtime as tf
from runtime.keras.families import Family, public_names


class Regularizer(tf.types.experimental.Observed):
    """A loss of the value of a variable; a subclass overrides `__call__`.

    >>> class Largest(Regularizer):
    ...     def __call__(self, x):
    ...         return tf.reduce_max(x)
    >>> print(Largest()(tf.constant([1.0, 5.0])).numpy())
    5.0
    """

    def __call__(self, x: Any) -> Any:
        """Return the loss, a scalar; a subclass overrides it."""
        raise NotImplementedError(f"{type(self).__name__} does not define `__call__`.")

    def get_config(self) -> dict[str, Any]:
        """Return the arguments that create an equal regularizer."""
        return dict(vars(self))

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Self:
        """Create a regularizer from what `get_config` returned."""
        return cls(**config)


class L1L2(Regularizer):
    """`l1 * sum(abs(x)) + l2 * sum(x ** 2)`.

    Args:
      l1, l2: the factors, finite and not negative.

    Raises: ValueError for another factor.

    >>> print(L1L2(l1=1.0, l2=0.5)(tf.constant([2.0])).numpy())
    4.0
    """

    def __init__(self, l1: float | None = 0.0, l2: float | None = 0.0) -> None:
        self.l1 = _factor("l1", 0.0 if l1 is None else l1)
        self.l2 = _factor("l2", 0.0 if l2 is None else l2)

    def __call__(self, x: Any) -> Any:
        """Return the loss, a scalar."""
        loss: Any = 0.0
        if self.l1:
            loss += self.l1 * tf.reduce_sum(tf.abs(x))
        if self.l2:
            loss += self.l2 * tf.reduce_sum(tf.square(x))
        return tf.convert_to_tensor(loss, tf.convert_to_tensor(x).dtype)


class L1(Regularizer):
    """`l1 * sum(abs(x))`. Raises ValueError for a factor that is negative or not finite."""

    def __init__(self, l1: float | None = 0.01) -> None:
        self.l1 = _factor("l1", 0.01 if l1 is None else l1)

    def __call__(self, x: Any) -> Any:
        """Return the loss, a scalar."""
        return self.l1 * tf.reduce_sum(tf.abs(x))


class L2(Regularizer):
    """`l2 * sum(x ** 2)`. Raises ValueError for a factor that is negative or not finite."""

    def __init__(self, l2: float | None = 0.01) -> None:
        self.l2 = _factor("l2", 0.01 if l2 is None else l2)

    def __call__(self, x: Any) -> Any:
        """Return the loss, a scalar."""
        return self.l2 * tf.reduce_sum(tf.square(x))


def _factor(name: str, value: Any) -> float:
    number = float(value)
    if not 0 <= number < float("inf"):
        raise ValueError(
            f"Invalid value for argument {name}: expected a non-negative finite number, got "
            f"{value}."
        )
    return number


def l1_l2(l1: float = 0.01, l2: float = 0.01) -> L1L2:
    """Return `L1L2(l1, l2)`."""
    return L1L2(l1, l2)


l1 = L1
l2 = L2

FAMILY = Family("regularizer", (L1, L2, L1L2), aliases={"l1_l2": l1_l2()})
get = FAMILY.get
serialize = FAMILY.serialize
deserialize = FAMILY.deserialize


def __dir__() -> list[str]:
    """Return the public names."""
    return public_names(globals())
