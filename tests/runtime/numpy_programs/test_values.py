"""Traced arrays are objects: their names see each change, and copies see none."""

from __future__ import annotations

import copy
import types
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


def a_return_of_one_of_two_arrays(x):
    y, z = x * 2, x * 3
    if x[0] > 0.5:
        return y
    return z


def a_return_out_of_a_loop(x):
    for _ in range(30):
        step = x * 0.5
        if step.sum() < 0.1:
            return x
        x = x - step
    return x


def rows_in_order(x, y):
    if x.sum() > y.sum():
        x, y = y, x
    w = x if y[0] > x[0] else y
    return x - y, w * 2


def returns_an_array_that_changes_in_the_loop(x):
    for _ in range(30):
        if x[0] < 0.1:
            return x
        x[0] *= 0.5
    return x


def the_conjugate_of_real_numbers(x):
    same = x.conj()
    same[0] = 7
    return x


def multiplies_a_vector_in_place(x):
    x @= x
    return x


def casts_safely(x):
    return x.astype(np.int64, casting="safe")


def returns_from_few_iterations(x):
    counts = np.zeros(3)
    for i in range(3):
        if x[i] > 0.9:
            return x, counts
        counts[i] += 1
        x[i] += 1
    return x, counts


def copies_by_the_copy_module(x):
    row, whole, deep = copy.copy(x[1:]), copy.copy(x), copy.deepcopy(x[1:])
    row[0], whole[0], deep[1] = 7, 8, 9
    return x, row, whole, deep


@each(
    (copies_by_the_copy_module, (VECTOR,)),
    (returns_from_few_iterations, (VECTOR,)),
    (returns_from_few_iterations, (np.array([0.1, 0.2, 0.3]),)),
    (returns_from_few_iterations, (np.array([0.1, 2.0, 0.3]),)),
    (the_conjugate_of_real_numbers, (VECTOR,)),
    (the_conjugate_of_real_numbers, (VECTOR + 1j,)),
    (multiplies_a_vector_in_place, (VECTOR,)),
    (casts_safely, (VECTOR,)),
    (casts_safely, (np.arange(3, dtype=np.int8),)),
    (names_of_one_array, (VECTOR,)),
    (buffers_that_are_swapped, (VECTOR,)),
    (keeps_the_elements_before, (VECTOR,)),
    (a_branch_that_chooses_an_array, (VECTOR,)),
    (an_object_that_holds_an_array, (VECTOR,)),
    (a_closure_that_changes_an_array, (VECTOR,)),
    (unpacks, (VECTOR,)),
    (a_return_of_one_of_two_arrays, (VECTOR,)),
    (a_return_out_of_a_loop, (VECTOR,)),
    (returns_an_array_that_changes_in_the_loop, (VECTOR,)),
    (rows_in_order, (VECTOR, VECTOR[::-1] * 0.5)),
)
def test_an_array_keeps_its_identity(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def changes_one_of_two_arrays(x):
    y = x if x[0] > 0 else -x
    y[0] = 5
    return y


def changes_an_array_that_a_branch_chose(x, y):
    w = x if x[0] > y[0] else y
    w[0] = 5
    return x.sum() + y.sum()


def changes_another_name(x, n):
    for _ in range(n):
        name = x
    name[0] = 9
    return x


def changes_what_a_loop_returned(x):
    same = returns_an_array_that_changes_in_the_loop(x)
    same[0] = 7
    return x


def unpacks_a_slice_from_a_traced_position(x, i):
    a, b = x[i : i + 2]
    return a + b


def is_among_rows(m):
    return m[0] in [m[1], m[0]]


@each(
    (is_among_rows, (MATRIX,), "`in` compares arrays", 1),
    (changes_one_of_two_arrays, (VECTOR,), "may be one from before the call", 2),
    (
        changes_an_array_that_a_branch_chose,
        (VECTOR, VECTOR[::-1].copy()),
        "the array `w` changes, and may be one from before the call",
        2,
    ),
    (changes_another_name, (VECTOR, np.int64(2)), "`name` may be this ndarray or another one", 3),
    (changes_what_a_loop_returned, (VECTOR,), "Return a copy", 2),
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


def assigned_in_a_loop(x, n):
    for i in range(n):
        before = x.copy()
        a, b = x * i, before + 1
        x = x * 0.5
        if x[0] < 0.1:
            break
    return before, a + b, before.shape, len(a), b[0]


def assigned_in_a_branch(x, n):
    if n > 1:
        y = x * 2
    if n > 1:
        y[0] = 4
        z = y[1:]
        z[0] = 5
    return y


def used_in_a_later_loop(x, n):
    while True:
        y = x * 2
        x = x * 0.5
        if x[0] < 0.2:
            break
    for j in range(n):
        y[0] += j
        y = y + 1
    return y


def shape_of_an_array_assigned_in_a_loop(x, n):
    for _ in range(n):
        y = x * 2
    return y.shape[0], y.dtype


def kept_in_a_list(x, n):
    for _ in range(n):
        y = x * 2
    return len([y])


def another_name_of_an_array(x, n):
    owner = types.SimpleNamespace(y=x * 1)
    for _ in range(n):
        owner.y = owner.y + 1
        last = owner.y
    return last


def numbers_in_a_list(x, n):
    for i in range(n):
        pair = [x[0], i]
    first, second = pair
    return pair[0], first, [second], pair


def asks_for_an_attribute(x, n):
    owner = types.SimpleNamespace()
    if n > 1:
        owner.v = x[0]
    return hasattr(owner, "v"), getattr(owner, "v", x[1])


@pytest.mark.parametrize("n", [0, 1, 2])
@pytest.mark.parametrize(
    "program",
    [
        another_name_of_an_array,
        asks_for_an_attribute,
        assigned_in_a_loop,
        numbers_in_a_list,
        assigned_in_a_branch,
        used_in_a_later_loop,
        shape_of_an_array_assigned_in_a_loop,
        kept_in_a_list,
    ],
)
def test_an_array_may_be_unassigned(program: Program, n: int) -> None:
    assert difference(program, VECTOR, np.int64(n)) == ""


def has_an_array(x, n):
    owner = types.SimpleNamespace()
    if n > 1:
        owner.y = x * 2
    return hasattr(owner, "y")


def test_an_attribute_that_one_branch_binds_to_an_array_is_refused() -> None:
    check_refused(has_an_array, (VECTOR, np.int64(1)), "`owner.y` has no value after the", 3)


def put_into_a_view(x):
    x[1:].put([0], 9.0)
    return x


def put_into_an_array(x):
    x.put([0], 9.0)
    return x


def base_of_a_view(x):
    return x[1:][1:].base is x


def filled_by_flat(x):
    x.flat = 3.0
    return x


def another_shape(x):
    x.shape = (1, -1)
    return x


@pytest.mark.parametrize(
    "program",
    [put_into_a_view, put_into_an_array, base_of_a_view, filled_by_flat, another_shape],
)
def test_what_has_no_operation_is_refused_by_the_name_that_the_program_uses(program):
    with pytest.raises(NotImplementedError, match=r"`np\.ndarray\.(put|base|flat|shape)"):
        tf.function(program, numpy=True)(VECTOR.copy())


def test_an_attribute_that_arrays_do_not_have_is_an_error_of_python():
    def program(x):
        x.label = "first"
        return x

    for call in (program, tf.function(program, numpy=True)):
        with pytest.raises(AttributeError, match="has no attribute 'label'"):
            call(VECTOR.copy())
