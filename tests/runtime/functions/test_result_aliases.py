"""A result whose parts may be one object, as only the running graph knows."""

import collections

import pytest

import runtime as tf
from runtime.functions.result_aliases import copy_in_words

KEPT = [1.0, 2.0]


def beside_its_candidates(i):
    rows = [[1.0, 2.0], [3.0, 4.0]]
    return rows[i], rows


def grown_under_two_names(i):
    row = []
    other = row
    for x in tf.range(i):
        row.append(x)
    if i > 0:
        row = row[1:]
    return row, other


def one_that_outlives_the_function(i):
    rows = [KEPT, [3.0, 4.0]]
    return rows[i]


@pytest.mark.parametrize("program", [beside_its_candidates, grown_under_two_names])
def test_a_part_that_may_be_another_one_is_refused(program):
    with pytest.raises(TypeError, match="may be another part of it") as caught:
        tf.function(program)(tf.constant(1))
    assert "Return a copy, for instance list(x)." in str(caught.value)


def test_an_old_object_that_may_be_the_result_is_refused():
    with pytest.raises(TypeError, match="an object that outlives the function"):
        tf.function(one_that_outlives_the_function)(tf.constant(1))


def test_two_references_to_one_object_are_an_error_of_the_run():
    @tf.function
    def two_of(i, j):
        rows = [[1.0, 2.0], [3.0, 4.0]]
        return rows[i], rows[j]

    first, second = two_of(tf.constant(0), tf.constant(1))
    assert [float(x) for x in (*first, *second)] == [1.0, 2.0, 3.0, 4.0]
    with pytest.raises(TypeError, match="is two parts of the result"):
        two_of(tf.constant(1), tf.constant(1))


def test_the_remedy_is_a_copy_of_the_kind():
    kinds = (list, collections.deque, tuple, collections.Counter, KeyError)
    words = [copy_in_words(kind).split()[:2] for kind in kinds]
    assert words == [["a", "copy,"], ["a", "copy,"], ["a", "new"], ["a", "copy,"], ["a", "new"]]
