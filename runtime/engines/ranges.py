"""Ranges of the integers of a plan: a result that is inside of its dtype needs no check.

A counter is between its start and its limit, a remainder below its divisor, an index that follows
from both as far as the operators say.

>>> of_operator("{} + {}", Range(0, 98), Range(1, 1))
Range(least=1, most=99)
>>> of_operator("{} % {}", Range(1, 99), Range(50, 50))
Range(least=0, most=49)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import NamedTuple


class Range(NamedTuple):
    """The smallest and the largest value that a number may have."""

    least: int
    most: int

    def is_within(self, least: int, most: int) -> bool:
        """Return whether each of its numbers is between two others.

        >>> Range(0, 8).is_within(0, 9), Range(0, 8).is_within(1, 9)
        (True, False)
        """
        return least <= self.least and self.most <= most


def of_operator(text: str, *operands: Range) -> Range | None:
    """Return the range of an operator of Python, by its text; None: nothing is known of it."""
    rule = _RULES.get(text)
    return None if rule is None else rule(*operands)


def _of_corners(function: Callable[[int, int], int]) -> Callable[[Range, Range], Range]:
    """Return the rule of a function that is largest and smallest where its operands are."""

    def rule(x: Range, y: Range) -> Range:
        corners = [function(*pair) for pair in itertools.product(x, y)]
        return Range(min(corners), max(corners))

    return rule


def _quotient(x: Range, y: Range) -> Range | None:
    return _of_corners(int.__floordiv__)(x, y) if y.least > 0 else None


def _remainder(x: Range, y: Range) -> Range | None:
    if y.least <= 0:
        return None
    return Range(0, min(x.most, y.most - 1) if x.least >= 0 else y.most - 1)


def _common_bits(x: Range, y: Range) -> Range | None:
    limits = [each.most for each in (x, y) if each.least >= 0]
    return Range(0, min(limits)) if limits else None


def _chosen(x: Range, y: Range) -> Range:
    return Range(min(x.least, y.least), max(x.most, y.most))


_RULES: dict[str, Callable[..., Range | None]] = {
    "{} + {}": _of_corners(int.__add__),
    "{} - {}": _of_corners(int.__sub__),
    "{} * {}": _of_corners(int.__mul__),
    "-{}": lambda x: Range(-x.most, -x.least),
    "~{}": lambda x: Range(~x.most, ~x.least),
    "{} // {}": _quotient,
    "{} % {}": _remainder,
    "{} & {}": _common_bits,
    "min({}, {})": _of_corners(min),
    "max({}, {})": _of_corners(max),
    "{1} if {0} else {2}": _chosen,
}
"""The range of each operator, by its text."""
