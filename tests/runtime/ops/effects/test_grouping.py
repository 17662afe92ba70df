"""Operations that tell the time, or wait for others."""

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


def test_groups_in_graphs_are_operations():
    with tf.Graph().as_default():
        x = tf.constant(1)
        both = tf.group(x, tf.constant(2))
    assert [op.name for op in both.control_inputs] == ["Const", "Const_1"]
    assert tf.group() is None
