"""One of several Python values at an index that is a tensor, and its replacement."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def number(x):
    return [10, 20, 30][x % 3]


def pair(x):
    first, second = [(1, 2.5), (3, 4.5)][x % 2]
    return first, second


def text(x):
    return "a" if ["a", "bc"][x % 2] == "a" else "other"


def function(x):
    return [abs, float][x % 2](x - 2)


def replaced(x):
    values = [1, 2, 3]
    values[x % 3] = x + 10
    return values


def replaced_pair(x):
    values = [(1, 2), (3, 4)]
    values[x % 2] = (x, x)
    return values


def item_of_a_table(x):
    rows = [[1, 2], [3, 4]]
    return rows[x % 2][x - 2], rows[1][x % 2], len(rows[x % 2])


def row_of_a_table(x):
    rows = [[1, 2], [3, 4]]
    row = rows[x % 2]
    rows[0][0] = 10
    rows[1][0] = 30
    return row[0], sum(row), list(row), type(row) is list


def item_written(x):
    rows = [[1, 2], [3, 4]]
    rows[x % 2][x - 2] += 7
    row = rows[0]
    if x > 1:
        rows[x - 2][0] = 50
    return rows, row[0]


def one_row_twice(x):
    row = [1, 2]
    rows = [row, [5, 6], row]
    rows[x - 1][x % 2] += 10
    return rows


def pairs_in_a_table(x):
    rows = [[(1, 2), (3, 4)], [(5, 6), (7, 8)]]
    rows[x % 2][x - 2] = (x, 0)
    return rows, rows[x % 2][0][1]


def rows_of_two_lengths(x):
    neighbors = [[1], [0, 2], []]
    total = 0
    for node in neighbors[x - 1]:
        total = total * 10 + node
    return total, len(neighbors[x % 2])


def three_levels(x):
    cube = [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    cube[x % 2][0][x - 2] = 0
    return cube, cube[1][x - 2][x % 2]


def row_looped_over_and_written(x):
    rows = [[1, 2, 0], [3, 4]]
    t = 0
    for v in rows[x % 2]:
        rows[x % 2][1] = v + 10
        t += v
    return rows, t


@pytest.mark.parametrize(
    "program",
    [
        number, pair, text, function, replaced, replaced_pair, item_of_a_table, row_of_a_table,
        item_written, one_row_twice, pairs_in_a_table, rows_of_two_lengths, three_levels,
        row_looped_over_and_written,
    ],
)  # fmt: skip
def test_a_value_at_an_index_is_that_of_plain_python(program):
    check(program, (1,), (2,), (3,))


def dicts(x):
    return [{"a": 1}, {"a": 2}][x]["a"]


def replaced_list(x):
    rows = [[1], [2]]
    rows[x] = [3]
    return rows


def values_of_several_types(x):
    return [1, (2, 3)][x]


def row_returned(x):
    return [[1, 2], [3, 4]][x]


def row_kept(x):
    rows, kept = [[1, 2], [3, 4]], []
    kept.append(rows[x])
    return kept


def row_left_outside(x):
    OUTSIDE["row"] = [[1, 2], [3, 4]][x]
    return x


def row_in_a_branch(x):
    row = [[1, 2], [3, 4]][x]
    if x > 0:
        row = [x, x]
    return row[0]


def row_compared(x):
    rows = [[1, 2], [3, 4]]
    return rows[x] is rows[0]


def row_compared_from_the_right(x):
    rows = [[1, 2], [3, 4]]
    return rows[1] is rows[x]


def row_grown(x):
    rows = [[1], [2]]
    rows[x].append(3)
    return rows


def row_that_grew(x):
    rows = [[1], [2]]
    row = rows[x]
    if x > 0:
        rows[0].append(3)
    return row[0]


OUTSIDE: dict[str, object] = {}


@pytest.mark.parametrize(
    "program",
    [
        dicts, replaced_list, values_of_several_types, row_returned, row_kept, row_left_outside,
        row_in_a_branch, row_compared, row_compared_from_the_right, row_grown, row_that_grew,
    ],
)  # fmt: skip
def test_values_that_have_no_common_type_or_may_change_are_refused(program):
    with pytest.raises(TypeError, match=r"Use|Hold|Assign|Read|Compare"):
        tf.function(program)(tf.constant(1))
    assert "row" not in OUTSIDE
