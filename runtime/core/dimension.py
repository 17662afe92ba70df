"""The size of a dimension as an object, an entry of `TensorShape.dims`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


class Dimension:
    """The size of a dimension, possibly unknown.

    Args:
      value: the size, None if unknown, or another `Dimension`.

    Raises:
      ValueError: for a negative size.
      TypeError: if `value` is not an int.

    >>> Dimension(3) + 1, Dimension(3) == 3, Dimension(None) + 1
    (Dimension(4), True, Dimension(None))
    """

    def __init__(self, value: Any) -> None:
        """Check and store the size."""
        held = value.value if isinstance(value, Dimension) else value
        self._value = None if held is None else operator.index(held)
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self) -> int | None:
        """The size, or None."""
        return self._value

    def is_compatible_with(self, other: object) -> bool:
        """Return whether both can be the same size."""
        theirs = Dimension(other).value
        return self._value is None or theirs is None or self._value == theirs

    def assert_is_compatible_with(self, other: object) -> None:
        """Raise ValueError if the sizes differ."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: object) -> Dimension:
        """Return the known one of two sizes. Raises ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other) if self._value is None else Dimension(self._value)

    def _with(self, other: object, function: Callable[[int, int], Any]) -> Any:
        theirs = Dimension(other).value
        if self._value is None or theirs is None:
            return None
        return function(self._value, theirs)

    def __add__(self, other: object) -> Dimension:
        """Return the sum."""
        return Dimension(self._with(other, operator.add))

    __radd__ = __add__

    def __sub__(self, other: object) -> Dimension:
        """Return the difference."""
        return Dimension(self._with(other, operator.sub))

    def __rsub__(self, other: object) -> Dimension:
        """Return the difference."""
        return Dimension(other) - self

    def __mul__(self, other: object) -> Dimension:
        """Return the product."""
        return Dimension(self._with(other, operator.mul))

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> Dimension:
        """Return the quotient, rounded down."""
        return Dimension(self._with(other, operator.floordiv))

    def __mod__(self, other: object) -> Dimension:
        """Return the remainder."""
        return Dimension(self._with(other, operator.mod))

    def __eq__(self, other: object) -> Any:
        """Return whether the sizes are equal; None if one is unknown."""
        try:
            return self._with(other, operator.eq)
        except TypeError:
            return NotImplemented

    def __ne__(self, other: object) -> Any:
        """Return whether the sizes differ; None if one is unknown."""
        try:
            return self._with(other, operator.ne)
        except TypeError:
            return NotImplemented

    def __lt__(self, other: object) -> Any:
        """Return whether the size is less; None if one is unknown."""
        return self._with(other, operator.lt)

    def __le__(self, other: object) -> Any:
        """Return whether the size is less or equal; None if one is unknown."""
        return self._with(other, operator.le)

    def __gt__(self, other: object) -> Any:
        """Return whether the size is greater; None if one is unknown."""
        return self._with(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        """Return whether the size is greater or equal; None if one is unknown."""
        return self._with(other, operator.ge)

    def __hash__(self) -> int:
        """Hash the size."""
        return hash(self._value)

    def __index__(self) -> int | None:
        """Return the size."""
        return self._value

    def __int__(self) -> int | None:
        """Return the size."""
        return self._value

    def __str__(self) -> str:
        """Return the size, or `?`."""
        return "?" if self._value is None else str(self._value)

    def __repr__(self) -> str:
        """Return `Dimension(3)`."""
        return f"Dimension({self._value})"


def dimension_value(dimension: object) -> Any:
    """Return the size of a dimension given as a `Dimension` or an int; None if unknown.

    Args:
      dimension: a `Dimension`, an int or None.

    >>> dimension_value(Dimension(3)), dimension_value(3), dimension_value(None)
    (3, 3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension
