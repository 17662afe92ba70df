"""Sets, masks, deletions and insertions compute what NumPy does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)

INTS = np.array([6, 4, 9, 0, 4])
OTHERS = np.array([4, 4, 1, 9])


def sets(x, y):
    return np.union1d(x, y), np.intersect1d(x, y), np.setdiff1d(x, y), np.setdiff1d(x, [4])


def masked_elements(x, y):
    return np.extract(x > 0.5, x), np.compress(y[: len(x)] > 3, x, axis=0), np.compress(x[0] > 0, x)


def without_one(x, at):
    return np.delete(x, 0), np.delete(x, -1), np.delete(x, at), np.delete(x, at, axis=0)


def with_one_more(x, at):
    return np.insert(x, 0, 9.5), np.insert(x, -1, 9), np.insert(x, at, [1, 2]), np.insert(x, 5, 7)


def shrinks_in_a_loop(x, count):
    for _ in range(count):
        x = np.delete(x, x.argmax())
    return x


def copies(x, y):
    np.copyto(x[1:3], y[1])
    np.copyto(x, -x, where=x > 0.7)
    np.copyto(y, 5)
    return x, y


def masks(x):
    np.putmask(x, x > 0.5, 0)
    np.putmask(x, x == 0, -x - 1)
    return x


def crosses(x, y):
    x[np.ix_([0], y % 2)] = -1
    return x[np.ix_([0, 2], y % 3)], x[np.ix_(x[:, 0] > 0, [True, *[False] * 6])]


def choices(x, at):
    return np.choose(at % 3, [x, -x, 2 * x]), np.choose(at[0] % 2, [10, 20])


@each(
    (sets, (INTS, OTHERS)),
    (sets, (VECTOR, VECTOR[::2].copy())),
    (masked_elements, (MATRIX, INTS)),
    (without_one, (VECTOR, 3)),
    (without_one, (INTS, -2)),
    (without_one, (INTS, 5)),
    (with_one_more, (VECTOR, 3)),
    (with_one_more, (INTS, -2)),
    (with_one_more, (INTS, 6)),
    (shrinks_in_a_loop, (VECTOR, 3)),
    (copies, (VECTOR, VECTOR[:4].copy())),
    (copies, (INTS, VECTOR)),
    (masks, (VECTOR,)),
    (masks, (INTS,)),
    (crosses, (MATRIX, INTS)),
    (choices, (VECTOR[:5].copy(), INTS)),
)
def test_selections_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def out_of_range(x, at):
    return np.delete(x, at)


def out_of_the_choices(x):
    return np.choose(x, [1, 2])


def a_narrower_copy(x):
    np.copyto(x, 0.5)


@each(
    (out_of_range, (VECTOR, 30)),
    (out_of_range, (VECTOR, -31)),
    (out_of_the_choices, (INTS,)),
    (a_narrower_copy, (INTS,)),
)
def test_selections_raise_as_numpy(program: Program, arguments: tuple[Any, ...]) -> None:
    with pytest.raises((ValueError, IndexError, TypeError)):
        program(*arguments)
    assert difference(program, *arguments) == ""


def deletes_several(x):
    return np.delete(x, [0, 1])


def deletes_a_slice(x):
    return np.delete(x, slice(1, 3))


def deletes_a_column(x):
    return np.delete(x, 1, axis=1)


def repeats_values(x):
    np.putmask(x, x > 0, [1, 2])


@each(
    (deletes_several, (VECTOR,), "at other than one place", 1),
    (deletes_a_slice, (VECTOR,), "at other than one place", 1),
    (deletes_a_column, (MATRIX,), "along other axes than the first", 1),
    (repeats_values, (VECTOR,), "a number, or one for each element", 1),
)
def test_other_arguments_are_refused(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


def of_the_last_index(x, at):
    return np.delete(x, at[-1])


def test_a_message_shows_no_number_that_only_the_graph_knows() -> None:
    with pytest.raises(IndexError) as caught:
        tf.function(of_the_last_index, numpy=True)(VECTOR, np.array([0, 99]))
    assert str(caught.value) == "an index is out of bounds for axis 0"
