"""What calls and recordings leave behind: nothing that grows with their number."""

import gc
import tracemalloc

import numpy as np
import pytest

import runtime as tf
from runtime.functions.polymorphic import CACHE_LIMIT


def grown(act, warm_up, count):
    """How many bytes more are in use after `count` acts, behind those of a warm-up."""
    tracemalloc.start()
    try:
        for number in range(warm_up):
            act(number)
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for number in range(warm_up, warm_up + count):
            act(number)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()


def recorded_anew(count):
    """The growth over `count` recordings of one function, each for another number."""
    function = tf.function(lambda x, n: x * n + 1)
    x = tf.constant([1.0, 2.0])
    return grown(lambda number: function(x, number), CACHE_LIMIT + 20, count)


def test_graphs_that_fell_out_of_the_cache_are_freed():
    assert recorded_anew(120) < 400_000


@pytest.mark.slow
def test_ten_thousand_recordings_leave_nothing():
    assert recorded_anew(10_000) < 400_000


def test_objects_that_are_gone_take_their_graphs_along():
    class Scale:
        def __init__(self, factor):
            self.factor = tf.Variable(factor)

        @tf.function
        def apply(self, x):
            return x * self.factor

    x = tf.constant(2.0)

    def act(number):
        assert Scale(float(number)).apply(x).numpy() == np.float32(2 * number)

    assert grown(act, 100, 200) < 400_000


def test_calls_that_fail_leave_nothing():
    function = tf.function(lambda x, i: tf.gather(x, i))
    x = tf.constant([1, 2])

    def act(number):
        with pytest.raises(tf.errors.InvalidArgumentError):
            function(x, tf.constant(5 + number))

    assert grown(act, 50, 500) < 200_000
