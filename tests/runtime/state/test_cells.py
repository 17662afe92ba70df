"""Rows of a variable change in place, unless something else holds its array."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import runtime as tf


def table(rows=200):
    variable = tf.Variable(tf.zeros([rows, 64]))
    # The first change copies what the variable was created from.
    variable.scatter_nd_add([[0]], tf.zeros([1, 64]))
    return variable


def address(variable):
    return variable._cell.peek().ctypes.data


def add_one(variable):
    variable.scatter_nd_add([[1], [3]], tf.ones([2, 64]))


def in_graph(variable):
    tf.function(add_one)(variable)


def reads_first(variable):
    @tf.function
    def step(ids):
        rows = tf.gather(variable, ids)
        variable.scatter_add(tf.IndexedSlices(rows + 1.0, ids))

    step(tf.constant([1, 3]))


@pytest.mark.parametrize("change", [add_one, in_graph, reads_first])
def test_rows_change_in_place(change):
    variable = table()
    before = address(variable)
    change(variable)
    assert address(variable) == before
    assert np.array_equal(np.nonzero(variable.numpy()[:, 0])[0], [1, 3])


@pytest.mark.parametrize(
    "snapshot",
    [
        lambda variable: variable.read_value(),
        lambda variable: variable.read_value()[1],
        lambda variable: tf.convert_to_tensor(variable),
        lambda variable: variable.numpy(),
        lambda variable: np.asarray(variable)[:, 3:],
        lambda variable: memoryview(np.asarray(variable)),
        lambda variable: tf.identity(variable),
        lambda variable: tf.reshape(variable, [-1]),
    ],
)
@pytest.mark.parametrize("change", [add_one, in_graph, reads_first])
def test_what_was_read_before_stays(snapshot, change):
    variable = table()
    held = snapshot(variable)
    change(variable)
    assert not np.any(held)
    assert variable.numpy()[1, 0] == 1.0


def test_value_that_a_graph_returns_is_that_of_before_the_change():
    variable = table()

    @tf.function
    def step():
        before = variable.read_value()
        add_one(variable)
        return before, variable.read_value()

    before, after = step()
    add_one(variable)
    assert not np.any(before)
    assert np.max(after) == 1.0
    assert np.max(variable) == 2.0


def test_variable_assigned_from_another_one_does_not_change_with_it():
    first, second = table(), table()
    second.assign(first)
    add_one(second)
    assert not np.any(first)


def test_rows_change_in_place_again_when_nothing_refers_to_what_was_read():
    variable = table()
    part = variable.numpy()[1:3, 2:].T
    add_one(variable)
    before = address(variable)
    add_one(variable)
    assert address(variable) == before
    assert not part.any()


def test_rows_of_texts_change_in_a_copy():
    variable = tf.Variable(["a", "b"])
    variable.scatter_nd_update([[1]], ["c"])
    held = variable.numpy()
    variable.scatter_nd_update([[1]], ["d"])
    assert (held[1], variable.numpy()[1]) == (b"c", b"d")


def test_array_of_the_user_stays():
    array = np.zeros((200, 64), np.float32)
    add_one(tf.Variable(array))
    assert not array.any()


def test_failed_change_leaves_the_variable():
    variable = table()
    with pytest.raises(tf.errors.InvalidArgumentError):
        variable.scatter_nd_update([[1], [500]], tf.ones([2, 64]))
    assert not np.any(variable)
    add_one(variable)
    assert np.max(variable) == 1.0


def test_readers_in_other_threads_see_whole_changes():
    variable = tf.Variable(tf.zeros([2000, 16]))
    rows, every = tf.ones([2000, 16]), tf.reshape(tf.range(2000), [-1, 1])
    torn, finished = [], threading.Event()

    def look():
        while not finished.is_set():
            value = variable.read_value().numpy()
            lowest, highest = value.min(), value.max()
            if lowest != highest:
                torn.append((lowest, highest))

    readers = [threading.Thread(target=look) for _ in range(2)]
    for reader in readers:
        reader.start()
    for _ in range(50):
        variable.scatter_nd_add(every, rows)
    finished.set()
    for reader in readers:
        reader.join()
    assert not torn
    assert np.array_equal(variable, np.full((2000, 16), 50.0))
