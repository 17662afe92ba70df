"""`==`, `!=`, `in` and the order of lists, tuples and dicts that hold tensors."""

import collections
import traceback

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import check

NUMBERS = [(1,), (2,), (-1,)]


def number_in_list(x):
    return 1 if -1 in [0, 1, x] else 0


def number_not_in_tuple(x):
    pair = (x, 2)
    return 1 if 5 not in pair else 0


def number_in_list_changed_by_a_branch(x):
    row = [0, 1, 2]
    if x > 0:
        row[0] = -1
    return 1 if -1 in row else 0


def number_in_table_written_at_a_tensor(x):
    table = [0, 1, 2]
    table[x % 3] = 5
    return 1 if 5 in table and 2 in table else 0


def tuple_in_list_of_tuples(x):
    return 1 if (x, 2) in [(1, 2), (3, 4)] else 0


def tuple_in_list_of_staged_tuples(x):
    return 1 if (1, 2) in [(x, 2), (3, 4)] else 0


def equal_tuples(x):
    pair = (x, 2)
    return 1 if pair == (1, 2) else 0


def unequal_lists(x):
    return 1 if [x, 2] != [1, 2] else 0


def lists_of_two_lengths(x):
    return 1 if [x, 2] == [x] else 0


def equal_dicts(x):
    record = {"a": x, "b": 2}
    return 1 if record == {"a": 1, "b": 2} else 0


def dicts_of_two_keys(x):
    return 1 if {"a": x} == {"b": x} else 0


def nested(x):
    return 1 if [[x], (2, {"k": x})] == [[1], (2, {"k": 1})] else 0


def list_and_tuple(x):
    return 1 if [x] == (x,) else 0


def order_of_tuples(x):
    return [(x, 2) < (1, 3), (x, 2) <= (1, 2), (1, x) > (1, 1), (x, 0) >= (2,)]


def order_of_nested_lists(x):
    return 1 if [[1, x], 0] < [[1, 1], 5] else 0


def order_in_a_chain(x):
    return 1 if (0, 0) < (x, 1) < (2, 0) else 0


def later_items_are_not_compared(x):
    return 1 if [x, "a"] == [5, 3] else 0


def counted(x):
    grid = [[x, 0], [0, 1]]
    hits = 0
    for row in grid:
        if 1 in row:
            hits += 1
        if row == [0, 1]:
            hits += 10
    return hits


Point = collections.namedtuple("Point", "x y")


class Length:
    def __init__(self, centimetres):
        self.centimetres = centimetres

    def __eq__(self, other):
        return self.centimetres == other.centimetres


def named_tuples(x):
    p, q = Point(x, 1), Point(1, 1)
    r = p._replace(y=x)
    return [p == q, q != r, p == r, Point(x, x) == p]


def unequal_objects(x):
    if (given := Length(x)) != Length(1):
        return 0
    return 1 if given == Length(1) else 2


def made_by_a_function(x):
    pair = [x, 2]
    return 1 if tuple(pair) == tuple(sorted([2, 1])) and sorted(pair) != list(pair) else 0


PROGRAMS = [
    named_tuples,
    unequal_objects,
    made_by_a_function,
    number_in_list,
    number_not_in_tuple,
    number_in_list_changed_by_a_branch,
    number_in_table_written_at_a_tensor,
    tuple_in_list_of_tuples,
    tuple_in_list_of_staged_tuples,
    equal_tuples,
    unequal_lists,
    lists_of_two_lengths,
    equal_dicts,
    dicts_of_two_keys,
    nested,
    list_and_tuple,
    order_of_tuples,
    order_of_nested_lists,
    order_in_a_chain,
    later_items_are_not_compared,
    counted,
]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_structures_are_compared_item_by_item(program):
    check(program, *NUMBERS)


class Version:
    asked = 0

    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        type(self).asked += 1
        return self.n == other.n

    __hash__ = None


def test_python_values_are_compared_by_python():
    """No staged value is among them: `==` of the elements runs as often as in Python."""

    @tf.function
    def program(x):
        same = [Version(1), Version(2)] == [Version(1), Version(3)]
        return x if same else -x

    assert program(tf.constant(3)).numpy() == -3
    assert Version.asked == 2


def test_an_item_is_in_its_list_without_being_compared():
    @tf.function
    def program(x):
        never = x / 0.0 - x / 0.0
        return never in [never], [never] == [never]

    assert program(tf.constant(0.0)) == (True, True)


def test_items_that_have_no_truth_value_are_refused_at_the_line():
    def program(x):
        return 1 if [x] == [x + 1] else 0

    with pytest.raises((ValueError, TypeError, tf.errors.InvalidArgumentError)) as caught:
        tf.function(program)(tf.constant([1, 2]))
    assert "return 1 if [x] == [x + 1] else 0" in "".join(traceback.format_exception(caught.value))


def test_the_text_compares_written_lists_only():
    code = autograph.to_code(order_in_a_chain)
    assert "ag__.compare((0, 0), '<', (x, 1), '<'" in code
    assert "x < y" in autograph.to_code(plain_order)


def plain_order(x, y):
    return x < y
