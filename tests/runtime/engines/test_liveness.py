"""Dead arrays are written over, and no others."""

import numpy as np

import runtime as tf
from runtime.engines.fused import BLOCK


def test_a_dead_array_takes_the_next_result():
    @tf.function(autograph=False)
    def f(x):
        return (x * 2.0 + 1.0) - x

    spec = tf.TensorSpec([BLOCK], tf.float32)
    text = f.get_concrete_function(spec).plan_source
    assert "out=" in text
    assert "out=x" not in text


def test_groups_free_and_give_arrays_that_are_freed():
    @tf.function(autograph=False)
    def f(x):
        a = tf.tanh(x @ x) * 2.0 + 1.0
        return tf.reduce_sum(a @ x)

    spec = tf.TensorSpec([800, 800], tf.float32)
    text = f.get_concrete_function(spec).plan_source
    assert "del matmul\n" in text
    assert "del add\n" in text


def test_all_names_of_an_array_that_was_written_over_are_deleted():
    @tf.function(autograph=False)
    def f(x):
        a = tf.tanh(x @ x)
        return tf.reduce_sum(a @ x)

    spec = tf.TensorSpec([300, 300], tf.float32)
    text = f.get_concrete_function(spec).plan_source
    assert "tanh = np.tanh(matmul, out=matmul)" in text
    assert "del tanh, matmul\n" in text


def test_neither_arguments_nor_results_nor_variables_are_written_over():
    variable = tf.Variable(tf.zeros([BLOCK]))

    @tf.function(autograph=False)
    def f(x):
        a = tf.sin(x)
        kept = tf.reshape(a, [2, -1])
        b = a * 2.0
        variable.assign(b)
        c = b + 1.0
        return c * c, kept, tf.reduce_sum(c)

    x = tf.ones([BLOCK])
    first = [part.numpy() for part in f(x)]
    held = f(x)
    f(x * 5.0)
    assert x.numpy().tolist() == [1.0] * BLOCK
    for one, two in zip(first, held, strict=True):
        np.testing.assert_array_equal(one, two.numpy())
    np.testing.assert_array_equal(variable.numpy(), np.sin(np.float32(5)) * np.float32(2))
