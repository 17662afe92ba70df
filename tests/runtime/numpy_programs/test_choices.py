"""Functions that choose, sort, search and count."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)


def chooses(x):
    high = np.where(x > 0.5, x, 0.0)
    return high, np.nonzero(x > 0.5), np.clip(x, 0.2, 0.8), np.round(x, 1), np.isclose(x, x[0])


def sorts_and_searches(x):
    ordered = np.sort(x)
    places = np.searchsorted(ordered, x[:3])
    return ordered, np.argsort(x), places, x.take(places)


def counts(k):
    return np.bincount(k), np.unique(k), np.array_equal(k, k[::-1])


def places_and_scalars(x):
    scalars = np.isscalar(x), np.isscalar(x.sum()), np.isscalar(1), np.isscalar([x.sum()])
    return np.flatnonzero(x > 0.5), np.argwhere(x > 0.5), scalars


def values_and_where_they_are(x):
    parts = np.unique(x, return_index=True, return_inverse=True, return_counts=True)
    return np.unique(x), np.unique(x[x > 1], return_counts=True), parts


def orders_of_two_keys(a, b):
    return np.lexsort((a, b)), np.lexsort([b, a]), np.lexsort(np.array([a, b]))


def medians(x):
    return np.median(x), np.median(x, axis=0), np.median(x[x > 0.5])


def rounds_to_tens(x):
    return np.round(x, -1), x.round(-2)


def compares_small_ints(x, y):
    return np.isclose(x, y, atol=2), np.allclose(x, y, atol=2)


def counts_of_rows(m):
    return np.bincount(m)


@each(
    (rounds_to_tens, (np.array([[-15, 25], [996, 4]]),)),
    (rounds_to_tens, (np.array([-128, 127, 3], np.int8),)),
    (compares_small_ints, (np.array([5, 6, 250], np.uint8), np.array([6, 5, 1], np.uint8))),
    (counts_of_rows, (np.array([[1, 2], [0, 1]]),)),
    (counts_of_rows, (np.array([1, -(2**62)]),)),
    (chooses, (VECTOR,)),
    (sorts_and_searches, (VECTOR,)),
    (counts, (np.array([3, 1, 1, 0]),)),
    (places_and_scalars, (VECTOR,)),
    (places_and_scalars, (MATRIX,)),
    (values_and_where_they_are, (np.array([[3, 1], [1, 0]]),)),
    (values_and_where_they_are, (np.array([np.nan, 2.5, np.nan, 0.1, 2.5]),)),
    (values_and_where_they_are, (np.array([], np.float32),)),
    (orders_of_two_keys, (np.array([1, 0, 1, 0]), np.array([0.5, 0.1, 0.1, 0.5]))),
    (medians, (VECTOR,)),
    (medians, (MATRIX.astype(np.float32),)),
    (medians, (np.array([[3, 1], [4, 0]]),)),
    (medians, (np.array([1.0, np.nan, 2.0]),)),
)
def test_choices_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def unique_truths(x):
    return np.unique(x > 0.5)


def test_unique_truths_are_refused_at_the_line() -> None:
    check_refused(unique_truths, (VECTOR,), "`np.unique .of bool.`", 1)
