"""Values of lists of tensors: versions share their storage, and none sees another's entries."""

import threading

import numpy as np
import pytest

from runtime.core.list_values import ListBoundsError, ListValue


def test_threads_that_append_to_one_list_do_not_see_entries_of_each_other():
    begun = ListValue.of([0])
    found = {}

    def extend(name):
        longer = begun
        for number in range(200):
            longer = longer.appended((name, number))
        found[name] = longer.entries()

    threads = [threading.Thread(target=extend, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {name: [0, *((name, number) for number in range(200))] for name in "abcd"}
    assert begun.entries() == [0]


def test_length_is_not_negative():
    with pytest.raises(ListBoundsError, match="cannot have the size -1"):
        ListValue.of([1]).resized(-1)


def test_entries_that_are_not_written_are_the_given_ones():
    items = ListValue.of([np.float64(2)]).resized(2)
    assert items.numbers(0.5) == items.arrays(0.5) == [2.0, 0.5]
    assert [type(each) for each in items.numbers(0.5)] == [float, float]


def test_entries_are_removed_and_inserted_in_a_new_list():
    items = ListValue.of([1, 2, 3])
    assert items.removed(1).entries() == [1, 3]
    assert items.inserted(3, 4).entries() == [1, 2, 3, 4]
    assert items.entries() == [1, 2, 3]
    for change in (lambda: items.removed(3), lambda: items.inserted(4, 0)):
        with pytest.raises(ListBoundsError):
            change()
