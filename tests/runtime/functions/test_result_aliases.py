"""A result whose parts may be one object, as only the running graph knows."""

import collections

import pytest

import runtime as tf
from runtime.functions.result_aliases import copy_in_words

KEPT = [1.0, 2.0]


def beside_its_candidates(i):
    row, other = [1.0, 2.0], [3.0, 4.0]
    found = row if i > 0 else other
    return found, [row, other]


def grown_under_two_names(i):
    row = []
    other = row
    for x in tf.range(i):
        row.append(x)
    if i > 0:
        row = row[1:]
    return row, other


def one_that_outlives_the_function(i):
    return KEPT if i > 0 else [3.0, 4.0]


def two_that_may_be_one(i):
    row, other = [1.0, 2.0], [3.0, 4.0]
    first = row if i > 0 else other
    second = row if i > 1 else other
    return first, second


@pytest.mark.parametrize(
    "program", [beside_its_candidates, grown_under_two_names, two_that_may_be_one]
)
def test_a_part_that_may_be_another_one_is_refused(program):
    with pytest.raises(TypeError, match="may be another part of it") as caught:
        tf.function(program)(tf.constant(1))
    assert "Return a copy, for instance list(x)." in str(caught.value)


def test_an_old_object_that_may_be_the_result_is_refused():
    with pytest.raises(TypeError, match="an object that outlives the function"):
        tf.function(one_that_outlives_the_function)(tf.constant(1))


def test_the_remedy_is_a_copy_of_the_kind():
    kinds = (list, collections.deque, tuple, collections.Counter, KeyError)
    words = [copy_in_words(kind).split()[:2] for kind in kinds]
    assert words == [["a", "copy,"], ["a", "copy,"], ["a", "new"], ["a", "copy,"], ["a", "new"]]
