"""Arithmetic and geometric progressions of Python numbers in loop variables."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import accumulate, repeat
from typing import Any

from autograph.values import Value

_DIGITS = (6, 9, 12, 15, 17)
"""Significant digits of a step: the program's own has few, the difference of two floats has all."""


def progression(first: Value, second: Value, third: Value) -> Iterator[Any] | None:
    """Return the progression of three consecutive numbers, starting at the third.

    Args:
      first, second, third: values of a variable at the same point of consecutive iterations.


    Returns:
      An infinite iterator with Python's rounding at each step. None if the values are constant or
      no progression of ints or floats.

    >>> numbers = progression(0.1, 0.2, 0.30000000000000004)
    >>> next(numbers), next(numbers)
    (0.30000000000000004, 0.4)
    """
    kind = type(first)
    if kind not in (int, float) or kind is not type(second) or kind is not type(third):
        return None
    if first == second:
        return None
    if kind is int:
        step = second - first
        return accumulate(repeat(step), initial=third) if third - second == step else None
    for apply, undo in ((operator.add, operator.sub), (operator.mul, operator.truediv)):
        if undo is operator.truediv and 0.0 in (first, second):
            continue
        exact = undo(second, first)
        for factor in (float(f"{exact:.{digits}g}") for digits in _DIGITS):
            if apply(first, factor) == second and apply(second, factor) == third:
                return accumulate(repeat(factor), apply, initial=third)
    return None
