"""`sorted`, `max` and `min` of tuples that hold tensors, and of objects with items."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

NUMBERS = [(3,), (-3,), (0,)]


def sorted_pairs(x):
    return sorted([(x, 1), (0, 2)])


def sorted_downwards(x):
    return sorted([(x, 1), (0, 2), (3, 0), (x, 0)], reverse=True)


def sorted_by_a_pair(x):
    return sorted([4, x, 2], key=lambda v: (v % 2, -v))


def equal_ones_keep_their_order(x):
    return sorted([(x, "b"), (3, "a"), (x, "c")], key=lambda pair: (pair[0] * 0, pair[0]))[0][0]


def extremes(x):
    return max((x, 1), (0, 2)), min([(x, 1), (0, 2), (0, x)])


def largest_by_a_pair(x):
    return max([4, x, 2], key=lambda v: (v % 2, v))


def of_bools(x):
    return sorted([(x > 0, 1), (True, 0)])


def of_python_numbers(x):
    return sorted([(1, 2), (0, 3)]), max((1, 2), (0, 3)), x


@pytest.mark.parametrize(
    "program",
    [
        sorted_pairs,
        sorted_downwards,
        sorted_by_a_pair,
        equal_ones_keep_their_order,
        extremes,
        largest_by_a_pair,
        of_bools,
        of_python_numbers,
    ],
    ids=lambda each: each.__name__,
)
def test_tuples_are_ordered_item_by_item(program):
    check(program, *NUMBERS)


def lengths_differ(x):
    return max([(x, 1), (x, 2, 3)])


def arrays(x):
    return sorted([(x, (1, 2)), (0, (2, 1))])


@pytest.mark.parametrize("program", [lengths_differ, arrays])
def test_other_tuples_are_refused(program):
    with pytest.raises(TypeError):
        tf.function(program)(tf.constant(3))


class Bag:
    """Items, of which only the running graph knows how many the program counts."""

    def __init__(self, count, *items):
        self.count, self.items = count, items

    def __len__(self):
        return self.count if self.count > 0 else 0

    def __iter__(self):
        return iter(self.items)


def items_of_a_bag(x):
    bag = Bag(x, 3, x, 2)
    return max(bag), min(bag, key=lambda v: -v), sorted(bag), list(bag), len(bag)


def test_items_of_an_object_are_read_without_its_length():
    check(items_of_a_bag, *NUMBERS)


def test_an_object_without_items_is_not_iterable():
    with pytest.raises(TypeError, match="'NoneType' object is not iterable"):
        tf.function(lambda x: (x, max(None)))(tf.constant(3))
