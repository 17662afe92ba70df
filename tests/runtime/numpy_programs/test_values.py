"""Traced arrays are objects: their names see each change, and copies see none."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.runtime.numpy_programs.comparison import VECTOR, Program, check_refused, difference, each


def names_of_one_array(x):
    y = x
    for i in range(10):
        y[i] = y[i] + i
    z = y[2:5]
    z[0] = 100
    return x, z.copy()


def buffers_that_are_swapped(x):
    a, b = x.copy(), np.zeros_like(x)
    for _ in range(20):
        for j in range(1, len(x) - 1):
            b[j] = (a[j - 1] + a[j + 1]) / 2
        a, b = b, a
    return a


def unpacks(x):
    a, b, c = x[:3]
    return a + b + c


def a_branch_that_chooses_an_array(x):
    y = x.copy()
    z = y if x[0] > 0.5 else x.copy()
    return z.sum()


def keeps_the_elements_before(a):
    before = a.copy()
    a[0] = 9
    return before


class Pile:
    def __init__(self, n):
        self.items = np.zeros(n)
        self.count = 0

    def add(self, value):
        self.items[self.count] = value
        self.count += 1


def an_object_that_holds_an_array(x):
    pile = Pile(30)
    for value in x:
        if value > 0.5:
            pile.add(value)
    return pile.items, pile.count


def a_closure_that_changes_an_array(x):
    out = np.zeros(3)

    def put(i, value):
        out[i] += value

    for i in range(len(x)):
        put(i % 3, x[i])
    return out


@each(
    (names_of_one_array, (VECTOR,)),
    (buffers_that_are_swapped, (VECTOR,)),
    (keeps_the_elements_before, (VECTOR,)),
    (a_branch_that_chooses_an_array, (VECTOR,)),
    (an_object_that_holds_an_array, (VECTOR,)),
    (a_closure_that_changes_an_array, (VECTOR,)),
    (unpacks, (VECTOR,)),
)
def test_an_array_keeps_its_identity(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def changes_one_of_two_arrays(x):
    y = x if x[0] > 0 else -x
    y[0] = 5
    return y


def unpacks_a_slice_from_a_traced_position(x, i):
    a, b = x[i : i + 2]
    return a + b


@each(
    (changes_one_of_two_arrays, (VECTOR,), "may be this ndarray or another one", 2),
    (
        unpacks_a_slice_from_a_traced_position,
        (VECTOR, np.int64(3)),
        "Take its items by their numbers",
        1,
    ),
)
def test_what_a_graph_cannot_know_of_an_array_is_refused_where_it_is_asked_for(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)
