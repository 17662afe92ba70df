"""The decorator `function`, plain and with arguments."""

import numpy as np
import pytest

import runtime as tf


def test_a_function_is_called_like_the_python_function():
    def cube(x):
        return x * x * x

    as_graph = tf.function(cube)
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(as_graph(x), cube(x))

    @tf.function
    def decorated(x):
        return cube(x)

    @tf.function(reduce_retracing=True)
    def decorated_with_arguments(x):
        return cube(x)

    np.testing.assert_array_equal(decorated(x), decorated_with_arguments(x))


def test_the_python_function_stays_at_hand():
    def f(x):
        return x

    assert tf.function(f).python_function is f


def test_fewer_traces_by_request():
    f = tf.function(lambda x: tf.reduce_sum(x), reduce_retracing=True)
    for n in range(1, 6):
        f(tf.ones([n]))
    assert f.experimental_get_tracing_count() == 2


def test_another_choice_of_compilation_is_refused():
    with pytest.raises(ValueError, match=r"jit_compile is True, False, None or .auto., not 'yes'"):
        tf.function(lambda x: x, jit_compile="yes")
