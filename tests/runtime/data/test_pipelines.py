"""Pipelines start over for each loop, and end with it."""

import threading

import pytest

import runtime as tf
from tests.runtime.data.shown import values

Dataset = tf.data.Dataset


def test_a_cache_asks_its_source_once():
    asked = []

    def note(x):
        asked.append(int(x))
        return x

    noted = Dataset.range(3).map(lambda x: tf.py_function(note, [x], tf.int64)).cache()
    assert values(noted) == values(noted) == [0, 1, 2]
    assert asked == [0, 1, 2]


def test_a_loop_that_ends_early_leaves_no_thread():
    before = threading.active_count()
    for _ in Dataset.range(1000).prefetch(2):
        break
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon is False:
            thread.join(0.01)
    for _ in range(100):
        if threading.active_count() <= before:
            break
        threading.Event().wait(0.05)
    assert threading.active_count() <= before


def test_a_generator_that_raises_on_a_thread_raises_in_the_loop():
    def broken():
        yield 1
        raise RuntimeError("no more")

    dataset = Dataset.from_generator(broken, output_types=tf.int32, output_shapes=[])
    with pytest.raises(RuntimeError, match="no more"):
        values(dataset.prefetch(2))
