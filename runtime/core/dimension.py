"""The size of a dimension as an object, as `TensorShape.dims` holds it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any


class Dimension:
    """The length of a dimension, which may be unknown.

    Args:
      value: the length, None if it is unknown, or another `Dimension`.

    Raises: ValueError for a negative length; TypeError for anything but an int.

    >>> Dimension(3) + 1, Dimension(3) == 3, Dimension(None) + 1
    (Dimension(4), True, Dimension(None))
    """

    def __init__(self, value: Any) -> None:
        """Checks and takes the length."""
        held = value.value if isinstance(value, Dimension) else value
        self._value = None if held is None else operator.index(held)
        if self._value is not None and self._value < 0:
            raise ValueError(f"Dimension {self._value} must be >= 0")

    @property
    def value(self) -> int | None:
        """The length, or None."""
        return self._value

    def is_compatible_with(self, other: Any) -> bool:
        """Whether both may be the same length."""
        theirs = Dimension(other).value
        return self._value is None or theirs is None or self._value == theirs

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError if they cannot be the same length."""
        if not self.is_compatible_with(other):
            raise ValueError(f"Dimensions {self} and {other} are not compatible")

    def merge_with(self, other: Any) -> Dimension:
        """What is known from both. Raises ValueError if they differ."""
        self.assert_is_compatible_with(other)
        return Dimension(other) if self._value is None else Dimension(self._value)

    def _with(self, other: Any, function: Callable[[int, int], Any]) -> Any:
        theirs = Dimension(other).value
        if self._value is None or theirs is None:
            return None
        return function(self._value, theirs)

    def __add__(self, other: Any) -> Dimension:
        """The sum."""
        return Dimension(self._with(other, operator.add))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Dimension:
        """The difference."""
        return Dimension(self._with(other, operator.sub))

    def __rsub__(self, other: Any) -> Dimension:
        """The difference."""
        return Dimension(other) - self

    def __mul__(self, other: Any) -> Dimension:
        """The product."""
        return Dimension(self._with(other, operator.mul))

    __rmul__ = __mul__

    def __floordiv__(self, other: Any) -> Dimension:
        """The quotient, rounded down."""
        return Dimension(self._with(other, operator.floordiv))

    def __mod__(self, other: Any) -> Dimension:
        """The remainder."""
        return Dimension(self._with(other, operator.mod))

    def __eq__(self, other: object) -> Any:
        """Whether they are the same length; None if one is unknown."""
        try:
            return self._with(other, operator.eq)
        except TypeError:
            return NotImplemented

    def __ne__(self, other: object) -> Any:
        """Whether they are not the same length; None if one is unknown."""
        try:
            return self._with(other, operator.ne)
        except TypeError:
            return NotImplemented

    def __lt__(self, other: Any) -> Any:
        """Whether it is less; None if one is unknown."""
        return self._with(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        """Whether it is not greater; None if one is unknown."""
        return self._with(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        """Whether it is greater; None if one is unknown."""
        return self._with(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        """Whether it is not less; None if one is unknown."""
        return self._with(other, operator.ge)

    def __hash__(self) -> int:
        """Hashes the length."""
        return hash(self._value)

    def __index__(self) -> int | None:
        """The length."""
        return self._value

    def __int__(self) -> int | None:
        """The length."""
        return self._value

    def __str__(self) -> str:
        """Gives the length, or `?`."""
        return "?" if self._value is None else str(self._value)

    def __repr__(self) -> str:
        """Gives `Dimension(3)`."""
        return f"Dimension({self._value})"


def dimension_value(dimension: Any) -> Any:
    """The length of a dimension, be it an object or an int; None if it is unknown.

    >>> dimension_value(Dimension(3)), dimension_value(3), dimension_value(None)
    (3, 3, None)
    """
    return dimension.value if isinstance(dimension, Dimension) else dimension
