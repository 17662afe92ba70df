"""Objects that occur several times in what leaves a graph stay one object."""

import pytest

import runtime as tf
from runtime.functions.sharing import (
    part_at,
    parts_with_identity,
    refilled,
    replaced,
    shared_parts,
    shared_spots,
    with_shared_parts,
)


def test_a_function_returns_one_list_in_two_places_as_one():
    @tf.function
    def twice(x):
        row = [x, x + 1.0]
        return row, {"same": row, "other": [x]}

    first, second = twice(tf.constant(1.0))
    assert second["same"] is first
    assert second["other"] is not first
    first.append(None)
    assert len(second["same"]) == 3


def test_later_places_are_paired_with_the_first():
    row = [0]
    assert shared_parts({"a": row, "b": (row, [row])}) == [((0,), (1, 0)), ((0,), (1, 1, 0))]
    assert shared_parts(([0], [0])) == []


def test_tuples_have_no_identity():
    pair = (1, 2)
    assert shared_parts([pair, pair]) == []


def test_roots_share_with_each_other_unless_an_object_stays():
    row = [0]
    spots = [((0, ()), (1, (0,)))]
    assert shared_spots([row, (row,)]) == spots
    assert shared_spots([row, (row,)], stays=lambda value: value is row) == []


def test_a_structure_that_holds_itself_is_walked_once():
    row = [0]
    row.append(row)
    assert [path for path, _ in parts_with_identity(row)] == [(), (1,)]


def test_places_get_the_object_of_an_earlier_one():
    value = with_shared_parts(([0], {"k": ([0], 1)}), [((0,), (1, 0, 0))])
    assert value[1]["k"][0] is value[0]


@pytest.mark.parametrize(
    ("value", "path"), [([1, [2]], (1, 0)), ({"a": (1, 2)}, (0, 1)), ((1, {"b": 2}), (1, 0))]
)
def test_a_part_is_replaced_where_it_is(value, path):
    assert part_at(replaced(value, path, "new"), path) == "new"


def test_lists_change_in_place_and_tuples_are_built_anew():
    inner = [1]
    assert replaced((inner, 2), (0, 0), 5) == ([5], 2)
    assert inner == [5]
    pair = (1, 2)
    assert replaced(pair, (0,), 5) == (5, 2)
    assert pair == (1, 2)


def test_tensors_are_copied_to_the_same_places():
    old, new = {"a": [tf.constant(1), "x"]}, {"a": [tf.constant(2), "y"]}
    kept = old["a"]
    refilled(old, new)
    assert old["a"] is kept
    assert (int(kept[0]), kept[1]) == (2, "x")
