# ruff: noqa: B905, RUF007 - the programs are as people write them
"""Loops over lists that a tensor has chosen, or that grew, and that the loop itself changes."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def grown_and_written(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in out:
        t += v
        out[-1] = 50
    return t, out


def grown_further(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in out:
        t += v
        if v == 2:
            out.append(9)
    return t, out


def shortened(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, v in enumerate(out):
        t += v
        if i == 0:
            out.pop()
    return t, out


def grown_and_numbered(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, v in enumerate(out):
        t += v
        out[i] = v * 2
    return t, out


def copies_of_grown(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in list(out):
        t += v
        out.append(5)
    for v in out[:]:
        t += v
        out.append(5)
    return t, out


def chosen_and_written(x):
    a, b = [1, 2], [3, 4, 5]
    row = a if x > 0 else b
    total = 0
    for v in row:
        total += v
        row[0] = total
    return total, a, b


def chosen_and_numbered(x):
    a, b = [1, 2], [3, 4, 5]
    row = a if x > 0 else b
    for i, v in enumerate(row):
        row[i] = v * 2
    return a, b


def by_positions(x):
    a, b = [1, 2], [3, 4]
    row = a if x > 0 else b
    for i in range(len(row)):
        row[i] += x
    return a, b


def chosen_among_rows(x):
    rows = [[1, 2], [3, 4]]
    row = rows[x % 2]
    for v in row:
        row[1] = v + 1
    return rows


def one_of_them_written(x):
    a, b = [1, 2], [3, 4, 5]
    row = a if x > 0 else b
    out = []
    for v in row:
        out.append(v)
        a[0] = 9
    return out, a


def both_written(x):
    a, b = [1, 2], [3, 4, 5]
    row = a if x > 0 else b
    out = []
    for v in row:
        out.append(v)
        a[1] = 9
        b[1] = 7
    return out, a


def written_in_a_branch(x):
    rows = [[1, 2, 0], [3, 4]]
    row = rows[x % 2]
    t = 0
    for v in row:
        if v > 1:
            rows[0][0] = v + 1
            t += v
    return rows, t


def rebound_and_written(x):
    rows = [[1, 2, 0], [3, 4]]
    row = rows[x % 2]
    t = 0
    for v in row:
        row = rows[(v + x) % 2]
        t += v
        row[0] = v
    return rows, t


def chosen_in_each_iteration(x):
    rows = [[1, 2, 0], [3, 4]]
    t = 0
    for row in rows:
        for v in rows[(x + t) % 2]:
            row[0] = v
            t += v
    return rows, t


def written_under_another_reference(x):
    rows = [[1, 2, 0], [3, 4]]
    t = 0
    for v in rows[x % 2]:
        rows[x % 2][1] = v + 10
        t += v
    return rows, t


def grown_backwards(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for v in reversed(out):
        t = t * 10 + v
        out[0] = 7
    return t, out


def grown_pairs_with_a_break(x):
    out = []
    for i in range(4):
        if x > i:
            out.append(i + 1)
    t = 0
    for i, (v, w) in enumerate(zip(out, out[1:])):
        if v > 2:
            break
        out[i + 1] = v + w
        t += w
    return t, out


PROGRAMS = [
    grown_and_written, grown_further, shortened, grown_and_numbered, copies_of_grown,
    chosen_and_written, chosen_and_numbered, by_positions, chosen_among_rows, one_of_them_written,
    both_written, written_in_a_branch, rebound_and_written, chosen_in_each_iteration,
    written_under_another_reference, grown_backwards, grown_pairs_with_a_break,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_an_iteration_sees_what_the_one_before_wrote(program):
    check(program, (3,), (-3,), (5,), (2,))


def written_by_another_name(x):
    a = [1, 2]
    row = a if x > 0 else [3, 4, 5]
    out = []
    for v in row:
        out.append(v)
        a[1] = 9
    return out


def written_by_another_name_beside_numbers(x):
    a = [1, 2]
    row = a if x > 0 else [3, 4, 5]
    out = []
    for i, v in enumerate(row):
        out.append(v + i)
        a[1] = 9
    return out


@pytest.mark.parametrize(
    "program", [written_by_another_name, written_by_another_name_beside_numbers]
)
def test_a_loop_over_a_list_that_may_be_the_changed_one_is_refused(program):
    with pytest.raises(TypeError, match="may be this list or dict or another one"):
        tf.function(program)(tf.constant(1))


def test_a_chosen_list_that_grows_in_the_loop_is_refused():
    def program(x):
        rows = [[1, 2, 0], [3, 4]]
        row = rows[x % 2]
        for value in row:
            if value > 3:
                rows[0].append(value)
        return rows

    with pytest.raises(TypeError, match="`row` may be a list that grows or shrinks"):
        tf.function(program)(tf.constant(3))
