"""Arrays as items of lists whose length only the running graph knows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import Program, check_refused, difference, each

START = np.array([1.0, 2.0, 3.0])
COUNT = np.array([4])


def trajectory(x, n):
    times, states, t = [0.0], [x], 0.0
    while t < n[0]:
        x = x + 0.25 * np.cos(t) * x
        t += 0.25
        times.append(t)
        states.append(x)
    return np.array(times), np.array(states), x


def history_of_an_array_that_changes(x, n):
    w, history = np.zeros(3), []
    for _ in range(n[0]):
        w -= 0.2 * (w - x)
        history.append(w.copy())
    return w, history


def appended_before_the_next_one(x, n):
    states = []
    for _ in range(n[0]):
        states.append(x)
        x = x * 0.5 + 1
    return states


def new_rows(x, n):
    rows = []
    for i in range(n[0]):
        row = np.zeros(3)
        row[i % 3] = i
        rows.append(row)
    return rows


def in_a_branch(x, n):
    path = []
    for i in range(n[0]):
        step = x * i
        if i % 2 == 1:
            path.append(step)
    return len(path), [each.sum() for each in path]


def an_argument_again_and_again(x, n):
    items = []
    for _ in range(n[0]):
        items.append(x)
    return items


def with_numbers_in_tuples(x, n):
    waiting, total = [(x, 0)], 0.0
    while waiting:
        item, depth = waiting.pop()
        total += item.sum()
        if depth < n[0]:
            waiting.append((item * 0.5, depth + 1))
            waiting.append((item + 1, depth + 1))
    return total


def from_the_last_one(x, n):
    items = [x, x * 2]
    for _ in range(n[0]):
        items.append(items[-1] + items[-2])
    total = np.zeros(3)
    for item in items:
        total = total + item
    return items, total


def reversed_and_cut(x, n):
    items = []
    for i in range(n[0]):
        items.append(x + i)
    items = items[1:]
    items.reverse()
    return items


def joined(x, n):
    rows, squares = [], []
    for i in range(n[0]):
        rows.append(x * i)
        squares.append(np.outer(x, x) + i)
    return (
        np.stack(rows), np.stack(rows, axis=1), np.vstack(rows), np.hstack(rows),
        np.concatenate(rows), np.column_stack(rows), np.mean(rows, axis=0), np.max(rows),
        np.stack(squares, axis=-1), np.vstack(squares), np.hstack(squares),
        np.concatenate(squares, axis=1), np.concatenate(squares, axis=None),
        np.column_stack(squares), np.asarray(squares).T.copy(),
    )  # fmt: skip


def begun_by_a_copy(x, n):
    items = [x.copy()]
    for _ in range(n[0]):
        x[:] = np.roll(x, 1)
        if x[0] > 1:
            items.append(x.copy())
    return items, x


def older_arrays_in_tuples(x, n):
    items = []
    for i in range(n[0]):
        row = x - i
        if abs(row).sum() > 2:
            items.append((i, row))
    return items, [row.sum() for _, row in items]


def views_of_one_array(x, n):
    table, rows, i = np.outer(x, x), [], 0
    while i < n[0]:
        rows.append(table[i % 3])
        i += 1
    return np.array(rows), len(rows), sum(row[1:].sum() for row in rows), table


def views_and_new_arrays(x, n):
    table = np.outer(x, x)
    rows = [table[0], table[1] * 2]
    while rows[-1].sum() < 100 and len(rows) < n[0] + 2:
        row = table[len(rows) % 3]
        rows.append(row if row[0] > 1 else rows[-1] + 1)
        rows.append(rows[-1] * 1.5)
    return np.stack(rows)


def accepted_steps(x, n):
    states, i = [x], 0
    while i < n[0]:
        if x.sum() < 30:
            x = x * 1.5
            states.append(x)
        i += 1
    return np.array(states), x


def rows_in_tuples(x, n):
    table, waiting, total = np.outer(x, x), [], 0.0
    waiting.append((0, table[0]))
    while waiting and total < 50 * n[0]:
        i, row = waiting.pop()
        total += row.sum()
        waiting.append((i + 1, table[i % 3]))
    return total


@pytest.mark.parametrize("count", [1, 4])
@pytest.mark.parametrize(
    "program",
    [
        trajectory, history_of_an_array_that_changes, appended_before_the_next_one, new_rows,
        in_a_branch, an_argument_again_and_again, with_numbers_in_tuples, from_the_last_one,
        reversed_and_cut, joined, begun_by_a_copy, older_arrays_in_tuples, views_of_one_array,
        views_and_new_arrays, accepted_steps, rows_in_tuples,
    ],
)  # fmt: skip
def test_arrays_are_items_of_lists_that_grow(program: Program, count: int) -> None:
    assert difference(program, START, np.array([count])) == ""


def changes_after(x, n):
    items = []
    for _ in range(n[0]):
        x = x + 1
        items.append(x)
        x[0] = 3
    return items


def changes_in_the_next_iteration(x, n):
    items, y = [], np.zeros(3)
    for _ in range(n[0]):
        y[0] += 1
        items.append(y)
    return items


def changes_after_the_loop(x, n):
    items, y = [], x * 2
    for _ in range(n[0]):
        items.append(y)
    y[0] = 5
    return items


def changes_the_first_of_several(x, n):
    items, y = [], x
    while y[0] < n[0]:
        items.append(y)
        y = y * 1.5
    x[0] = 77
    return items


def changes_an_item_from_before(x, n):
    first = x.copy()
    items = [first]
    for i in range(n[0]):
        if x[0] > i:
            items.append(x * i)
    first[0] = 5
    return items


def returns_the_best_besides(x, n):
    best, items, y, i = x.copy(), [], x.copy(), 0
    while i < n[0]:
        y = y * 0.5 + 1
        if y.sum() < best.sum():
            best = y
        items.append(y)
        i += 1
    return best, items


def changes_an_item(x, n):
    items = []
    for i in range(n[0]):
        items.append(x * i)
    items[0][0] = 5
    return items


def appends_twice(x, n):
    items = []
    for i in range(n[0]):
        y = x * i
        items.append(y)
        if i == 1:
            items.append(y)
    return items


def appends_a_view(x, n):
    items = []
    for i in range(n[0]):
        items.append(x[i % 3 :])
    return items


def returns_a_view_that_it_appended(x, n):
    table, items = np.outer(x, x), []
    while len(items) < n[0]:
        items.append(table[1])
    return items[0]


def changes_what_it_appended_a_view_of(x, n):
    table, items = np.outer(x, x), []
    while len(items) < n[0]:
        items.append(table[1])
    table[1] = 0
    return np.array(items)


def changes_a_view_before_it_appends_it_again(x, n):
    table, items = np.outer(x, x), []
    row = table[1]
    while len(items) < n[0]:
        row += 1
        items.append(row)
    return np.array(items)


def returns_an_item_besides(x, n):
    items = []
    for i in range(n[0]):
        items.append(x * i)
    return items, items[-1]


def is_in_two_lists(x, n):
    items, others = [], []
    for i in range(n[0]):
        y = x * i
        items.append(y)
        others.append(y)
    return items, others


def compares_an_item(x, n):
    items = []
    for i in range(n[0]):
        items.append(x * i)
    first = items[0]
    return first is items[-1]


@each(
    (
        changes_the_first_of_several,
        (START, COUNT),
        "may be one from before the call or an item of a list",
        5,
    ),
    (
        changes_an_item_from_before,
        (START, COUNT),
        "may be one from before the call or an item of a list",
        6,
    ),
    (returns_the_best_besides, (START, COUNT), "may be an item of a list of it", 8),
    (changes_after, (START, COUNT), "may be one from before the call or an item of a list", 5),
    (
        changes_in_the_next_iteration,
        (START, COUNT),
        "may be one from before the call or an item of a list",
        3,
    ),
    (
        changes_after_the_loop,
        (START, COUNT),
        "may be one from before the call or an item of a list",
        4,
    ),
    (changes_an_item, (START, COUNT), "may be one from before the call or an item of a list", 4),
    (appends_twice, (START, COUNT), "Append a copy", 5),
    (appends_a_view, (START, COUNT), "is a view of another array, .* Return or append a copy", 4),
    (returns_a_view_that_it_appended, (START, COUNT), "Return or append a copy", 4),
    (changes_what_it_appended_a_view_of, (START, COUNT), "append one to the list", 4),
    (changes_a_view_before_it_appends_it_again, (START, COUNT), "append one to the list", 4),
    (returns_an_item_besides, (START, COUNT), "may be an item of a list of it", 4),
    (is_in_two_lists, (START, COUNT), "may be an item of a list of it", 6),
    (compares_an_item, (START, COUNT), "identity", 5),
)
def test_what_would_show_that_items_are_copies_is_refused(
    program: Program, arguments: tuple[Any, ...], message: str, line: int
) -> None:
    check_refused(program, arguments, message, line)


def returns_two_items(x, n):
    items = []
    for i in range(n[0]):
        items.append(x * i)
    return items[-1], items[0]


def test_two_items_are_refused_by_a_call_because_they_may_be_one() -> None:
    assert difference(returns_two_items, START, np.array([3])).startswith("refused: TypeError")


def test_an_array_of_no_items_is_refused_when_it_is_made() -> None:
    def of_nothing(x, n):
        rows = []
        for i in range(n[0]):
            rows.append(x * i)
        return np.array(rows)

    with pytest.raises(ValueError, match="Test the length of the list before"):
        tf.function(of_nothing, numpy=True)(START, np.array([0]))
