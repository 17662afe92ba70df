"""What a staged `for` goes through: arrays, ranges, and what is made of them."""

import numpy as np
import pytest

from autograph.adapters.iterables import Enumerate, Listed, Map, Range, Reversed, Rows, Zip
from autograph.errors import StagingError
from autograph.staging import begin_once

ARRAY = np.array([[1, 2], [3, 4], [5, 6]])
ROWS = Rows(ARRAY, ARRAY.shape)
LISTED = Listed(["a", "b"], np.stack)
COUNT = Range(3, 9, 2, lambda start, stop, step: len(range(start, stop, step)))


def listed(items):
    return [each.tolist() if isinstance(each, np.ndarray) else each for each in items]


def test_items_at_known_positions_are_those_of_python():
    assert listed(ROWS) == [[1, 2], [3, 4], [5, 6]]
    assert listed(COUNT) == [3, 5, 7]
    assert listed(Enumerate(COUNT, 1)) == [(1, 3), (2, 5), (3, 7)]
    assert listed(Zip([COUNT, LISTED], min)) == [(3, "a"), (5, "b")]
    assert listed(Map(lambda x, y: f"{x}{y}", Zip([COUNT, LISTED], min))) == ["3a", "5b"]
    assert listed(Reversed(ROWS, np.flip)) == [[6, 5], [4, 3], [2, 1]]


def test_a_row_of_each_column_makes_an_item():
    both = Zip([Enumerate(ROWS, 10), ROWS], min)
    assert len(both.columns) == 2
    assert both.item(["first", "second"], 2) == ((12, "first"), "second")


def test_items_of_a_list_stay_what_they_are():
    assert Zip([LISTED, COUNT], min).listed() == ["a", "b"]
    assert Enumerate(COUNT, 0).listed() == ()


def test_a_scalar_has_no_rows_and_an_unknown_length_is_not_iterated_over():
    with pytest.raises(
        StagingError, match="goes over the rows of an array, but this one is a scalar"
    ):
        Rows(np.array(1.0), ())
    endless = Range(0, None, 1, lambda *_: "unknown")
    with pytest.raises(StagingError, match="Python iterates over a staged range"):
        iter(endless)


def test_an_iterator_is_read_once_alone_or_by_another():
    for pairs, reads in (
        (Zip([COUNT, LISTED], min), list),
        (Enumerate(COUNT, 0), lambda pairs: Zip([pairs], min)),
        (Map(str, Zip([COUNT], min)), begin_once),
    ):
        reads(pairs)
        with pytest.raises(StagingError, match="may have been read before"):
            list(pairs)
    assert list(COUNT) == list(COUNT)
