"""Functions that choose, sort, search and count."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


def chooses(x):
    high = np.where(x > 0.5, x, 0.0)
    return high, np.nonzero(x > 0.5), np.clip(x, 0.2, 0.8), np.round(x, 1), np.isclose(x, x[0])


def sorts_and_searches(x):
    ordered = np.sort(x)
    places = np.searchsorted(ordered, x[:3])
    return ordered, np.argsort(x), places, x.take(places)


def counts(k):
    return np.bincount(k), np.unique(k), np.array_equal(k, k[::-1])


@each(
    (chooses, (VECTOR,)),
    (sorts_and_searches, (VECTOR,)),
    (counts, (np.array([3, 1, 1, 0]),)),
)
def test_choices_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def unique_floats(x):
    return np.unique(x)


def test_unique_floats_are_refused_at_the_line() -> None:
    check_refused(unique_floats, (VECTOR,), "`np.unique .of floats.`", 1)
