"""Views of arrays: they write through, or the error says why they cannot."""

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
    is_same,
)


def views_write_through(a):
    row, column, turned = a[1], a[:, 0], a.T
    row[0] = 9
    column[2] = 7
    turned[0, 1] = 3
    row += 1
    return a, row.copy(), turned.copy()


def rows_in_a_counted_loop(m):
    a = m.copy()
    for i in range(a.shape[0]):
        row = a[i]
        row[0] = i
        row *= 2
    return a


def a_view_written_in_a_branch(x):
    a = np.zeros((2, 3))
    row = a[0]
    if x[0] > 0.0:
        row[:] = x[0]
        row[1] += 1
    return a, row.sum()


def a_view_written_by_a_method_in_a_branch(x):
    a = np.zeros((2, 3))
    rows = [a[0], a[1]]
    if x[0] > 0.0:
        rows[1].fill(7)
    return a


def a_view_of_a_view_written_in_a_loop(x):
    a = np.zeros((2, 3))
    row = a[1]
    part = row[1:]
    left = x[0]
    while left > 0:
        part[0] += left
        left -= 0.1
    return a, row.copy()


def rows_written_by_an_inner_loop(m):
    out = np.zeros(m.shape)
    for i in range(m.shape[0]):
        row = out[i]
        for j in range(m.shape[1]):
            row[j] = m[i, j] * 2
    return out


def rows_cleared_until_a_small_item(m):
    for i in range(len(m)):
        row = m[i]
        k = 0
        while k < len(row) and row[k] > 0.2:
            row[k] = 0
            k += 1
    return m


def two_halves_of_one_array(m):
    top, bottom = m[:3], m[3:]
    for j in range(m.shape[1]):
        if m[0, j] > 0.5:
            top[:, j] = bottom[:, j]
        else:
            bottom[0, j] = top[1, j]
    return m


def rows_that_are_swapped(m):
    m[0], m[1] = m[1], m[0]
    return m


def returns_views_of_its_argument(a):
    return a[1:], a.T, a[::-1], a.reshape(-1), a


def returns_a_view_of_its_argument(a):
    return a[1:]


def returns_a_view_of_a_new_array(a):
    doubled = a * 2
    for i in range(len(a)):
        doubled[i] -= doubled[i, 0]
    return doubled[:, 1:]


def shifted_parts_of_one_array(x):
    x[1:] = x[:-1]
    x[::2] = x[::-2]
    return x


def reshaped_views(m):
    turned, rows = m.T.ravel(), m[1:].reshape(-1)
    return turned * 2, rows, m[:, 1:].T.reshape(-1).sum(), (m + 1).T.reshape(-1)[0]


@each(
    (a_view_written_in_a_branch, (VECTOR,)),
    (a_view_written_in_a_branch, (-VECTOR,)),
    (a_view_written_by_a_method_in_a_branch, (VECTOR,)),
    (a_view_of_a_view_written_in_a_loop, (VECTOR,)),
    (rows_written_by_an_inner_loop, (MATRIX,)),
    (rows_cleared_until_a_small_item, (MATRIX,)),
    (two_halves_of_one_array, (MATRIX,)),
)
def test_views_write_through_staged_statements(
    program: Program, arguments: tuple[Any, ...]
) -> None:
    assert difference(program, *arguments) == ""


@each(
    (views_write_through, (MATRIX,)),
    (reshaped_views, (MATRIX,)),
    (reshaped_views, (MATRIX.T,)),
    (rows_in_a_counted_loop, (MATRIX,)),
    (rows_that_are_swapped, (MATRIX,)),
    (returns_views_of_its_argument, (MATRIX,)),
    (returns_a_view_of_its_argument, (MATRIX,)),
    (returns_a_view_of_a_new_array, (MATRIX,)),
    (shifted_parts_of_one_array, (VECTOR,)),
)
def test_views_read_and_write_through(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def a_view_with_a_traced_bound(x, k):
    return x[:k]


def a_reshaped_view_of_an_array_that_changes(m):
    row = m.T.reshape(-1)
    m[0, 0] = 5
    return row * 2


def the_greatest_row(x):
    best = x[0]
    for row in x:
        if row.sum() > best.sum():
            best = row
    return best.copy(), best[1:].sum()


def the_first_row_that_is_large(x):
    i, row = 0, x[0]
    while row[0] < 0.5 and i < 2:
        i += 1
        row = x[i]
    return i, row * 2


def a_row_or_a_mean(x):
    return np.array([x[i] if x[i, 0] > 0 else x.mean(0) for i in range(3)])


def a_row_of_an_array_that_changed_before(x):
    for i in range(3):
        x[i, 0] = i
        row = x[i]
        if x[i, 1] > 0:
            row = x[0]
    return row + 1, x


def rows_in_a_tuple_and_in_a_list(x):
    best, both = (0, x[0]), [x[0], x[1]]
    for i in range(3):
        if x[i, 1] > 0:
            best, both = (i, x[i]), [x[i], x[0]]
    return best[0], best[1] * 1, both[0] + both[1]


def a_row_is_assigned_to_another_array(x):
    result = np.zeros((3, 3))
    for i in range(3):
        row = x[i] if x[i, 0] > 0 else x[0]
        result[i] = row
    return result


def a_row_is_assigned_to_its_array(x):
    row = x[0] if x[0, 0] > 0 else x[1]
    x[2] = row
    return x


@each(
    *(
        (program, (sign * MATRIX.T,))
        for program in (
            the_greatest_row,
            the_first_row_that_is_large,
            a_row_or_a_mean,
            a_row_of_an_array_that_changed_before,
            rows_in_a_tuple_and_in_a_list,
            a_row_is_assigned_to_another_array,
            a_row_is_assigned_to_its_array,
        )
        for sign in (1, -1)
    )
)
def test_a_staged_statement_chooses_a_view(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def a_chosen_view_changes(x):
    row = x[0]
    for i in range(6):
        if x[i, 0] > 0.5:
            row = x[i]
    row[0] = 1
    return x


def the_base_of_a_chosen_view_changes(x):
    row = x[0] if x[0, 0] > 0 else x[1]
    x[0, 0] = 5
    return row * 2


def the_base_changes_in_an_iteration_before(x):
    row = x[0]
    for i in range(6):
        if x[i, 1] > 0.5:
            row = x[i]
        x[i, 0] = 0
    return row * 2


def a_chosen_view_is_returned(x):
    row = x[0] if x[0, 0] > 0 else x[1]
    return row


def a_sum_that_begins_with_a_row(x):
    total = x[0]
    for i in range(1, 3):
        if x[i, 1] > 0:
            total = total + x[i]
    return total


def test_a_result_that_may_be_a_view_is_returned_if_it_is_none() -> None:
    assert difference(a_sum_that_begins_with_a_row, abs(MATRIX)) == ""


def a_view_of_a_chosen_view_is_returned(x):
    row = x[0] if x[0, 0] > 0 else x[1]
    return row[1:]


@each(
    (a_view_with_a_traced_bound, (VECTOR, np.int64(3)), "is returned, and is a view", 1),
    (a_reshaped_view_of_an_array_that_changes, (MATRIX,), "and its base has changed since", 3),
    (a_chosen_view_changes, (MATRIX,), "`row` changes, and may be a view", 5),
    (the_base_of_a_chosen_view_changes, (MATRIX,), "may be this ndarray or another one", 2),
    (the_base_changes_in_an_iteration_before, (MATRIX,), "`row` may be this ndarray or another", 5),
    (a_chosen_view_is_returned, (MATRIX,), "one of several views, .*\n.*\nReturn a copy", 2),
    (a_view_of_a_chosen_view_is_returned, (MATRIX,), "one of several views", 2),
    (a_sum_that_begins_with_a_row, (-MATRIX,), "is a view of another array", 5),
)
def test_a_view_that_cannot_be_told_is_refused_at_its_line(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


@pytest.mark.parametrize("array", [MATRIX.T, MATRIX[::2, ::-1], np.asfortranarray(MATRIX)])
def test_any_layout_of_an_argument_is_read_and_written(array: Any) -> None:
    function = tf.function(rows_in_a_counted_loop, numpy=True)
    changing = tf.function(views_write_through, numpy=True)
    for _ in range(2):
        assert is_same(rows_in_a_counted_loop(array), function(array))
        own, traced = array.copy(order="K"), array.copy(order="K")
        assert is_same(views_write_through(own), changing(traced))
        assert is_same(own, traced)


@pytest.mark.parametrize("array", [MATRIX.T, MATRIX[::2, ::-1], MATRIX])
def test_compiled_programs_take_arrays_of_any_layout(array: Any) -> None:
    pytest.importorskip("llvmlite")
    function = tf.function(rows_in_a_counted_loop, numpy=True, jit_compile=True)
    for _ in range(3):
        assert is_same(rows_in_a_counted_loop(array), function(array))
