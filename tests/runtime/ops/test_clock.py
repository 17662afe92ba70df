"""Operations that tell the time, and values that are promised to stay."""

import time

import runtime as tf


def test_the_time_is_that_of_the_run():
    now = tf.function(lambda: tf.timestamp())
    before = time.time()
    first, second = now(), now()
    assert before <= first <= second <= time.time()
    assert (first.dtype, first.shape) == (tf.float64, [])


def test_each_of_several_times_is_taken():
    graph = tf.function(lambda: tf.timestamp() - tf.timestamp()).get_concrete_function()
    kinds = [op.type for op in graph.optimized_graph.operations]
    assert kinds.count("Timestamp") == 2
