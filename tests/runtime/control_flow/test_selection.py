# ruff: noqa: RUF005 - the programs are as people write them
"""Built-in functions and comparisons on a list that a tensor has chosen among several."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def rows_that_were_swapped(x):
    rows = [[0, 1, 2], [3, 4, 5]]
    if x > 0:
        rows[0], rows[1] = rows[1], rows[0]
    rows[1][x % 3] = 9
    inner = max(max(z) for z in rows)
    return inner, min(rows[0]), sum(rows[1]), sorted(rows[0]), max(rows[0], default=3)


def folded(x):
    a, b = [1, 5], [7, 2]
    c = a if x > 0 else b
    return max(c), min(c), sum(c), any(c), all(c), len(c)


def written_and_sorted(x):
    a, b = [1, 5], [7, 2]
    c = a if x > 0 else b
    c[0] = 12
    return sorted(c), max(c, key=lambda v: -v), a, b


def compared(x):
    a, b = [1, 5], [7, 2]
    c = a if x > 0 else b
    return [1 if c == [1, 5] else 0, 1 if c != a else 0, 1 if c == (1, 5) else 0]


def of_two_lengths(x):
    a, b = [1, 5, 8], [7, 2]
    c = a if x > 0 else b
    return c[0], len(c)


def joined_to_new_lists(x):
    a, b = [1, 5], [7, 2]
    c = a if x > 0 else b
    longer, doubled = c + [3], 2 * c
    c[0] = 12
    return longer, [0] + c + a, doubled, a, b


def joined_to_lists_of_two_lengths(x):
    paths = [[1, 5, 8], [7]]
    path = paths[0 if x > 0 else 1]
    return path + [x], [0] + path, path * 2


@pytest.mark.parametrize(
    "program",
    [
        rows_that_were_swapped,
        folded,
        written_and_sorted,
        compared,
        of_two_lengths,
        joined_to_new_lists,
        joined_to_lists_of_two_lengths,
    ],
    ids=lambda each: each.__name__,
)
def test_a_chosen_list_is_read_as_the_list_that_it_is(program):
    check(program, (1,), (2,), (-1,))


@pytest.mark.parametrize("repeats", [False, True])
def test_a_chosen_list_does_not_grow(repeats):
    def program(x):
        paths = [[1, 5], [7, 2]]
        path = paths[0 if x > 0 else 1]
        if repeats:
            path *= 2
        else:
            path += [3]
        return paths

    with pytest.raises(TypeError, match="`path` grows by"):
        tf.function(program)(tf.constant(1))


def test_a_generator_expression_over_a_range_of_tensors_names_the_list():
    @tf.function
    def program(n):
        return "-".join(str(i) for i in range(n))

    with pytest.raises(TypeError, match="list comprehension"):
        program(tf.constant(3))
    listed = tf.function(lambda n: "-".join([str(i) for i in range(n)]))
    assert listed(tf.constant(3)).numpy() == b"0-1-2"
