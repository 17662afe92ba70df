"""Variables that functions create."""

import numpy as np
import pytest

import runtime as tf


def test_created_in_a_function_at_every_call_is_refused():
    @tf.function
    def f():
        return tf.Variable(12.0) + 1.0

    with pytest.raises(
        ValueError,
        match=r"tf\.function-decorated function tried to create variables on non-first call\.",
    ):
        f()


def test_created_once_in_a_function():
    class Model:
        def __init__(self):
            self.b = None

        @tf.function
        def __call__(self, x):
            if self.b is None:
                self.b = tf.Variable(tf.zeros([2]) + 12.0)
            self.b.assign_add(x)
            return self.b.read_value()

    model = Model()
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal(model(x).numpy(), [13, 14])
    np.testing.assert_array_equal(model(x).numpy(), [14, 16])


def test_initial_value_that_depends_on_an_argument_without_a_value_is_refused():
    kept = []

    @tf.function
    def f(x):
        if not kept:
            kept.append(tf.Variable(x * 2.0))
        return kept[0].read_value()

    with pytest.raises(ValueError, match="depends on an argument"):
        f.get_concrete_function(tf.TensorSpec([], tf.float32))
    assert [float(f(tf.constant(x))) for x in (1.0, 5.0)] == [2.0, 2.0]


def test_each_instance_makes_its_variables_at_its_first_call():
    class Layer:
        def __init__(self):
            self.w = None

        @tf.function
        def __call__(self, x):
            if self.w is None:
                self.w = tf.Variable(x * 2.0)
            return self.w + x

    first, second = Layer(), Layer()
    assert [float(first(tf.constant(x))) for x in (1.0, 5.0)] == [3.0, 7.0]
    assert [float(second(tf.constant(x))) for x in (5.0, 1.0)] == [15.0, 11.0]
    first.w = None
    with pytest.raises(ValueError, match="non-first call"):
        first(tf.constant([1.0]))


def test_a_variable_of_a_staged_statement_is_made_before_it():
    class Lazy(tf.Module):
        def __init__(self):
            self.scale = None

        def __call__(self, x):
            if self.scale is None:
                self.scale = tf.Variable(2.0)
            return x * self.scale

    lazy = Lazy()

    @tf.function
    def program(x, count):
        for _ in tf.range(count):
            x = lazy(x)
        return x

    with pytest.raises(ValueError, match="Create the variable before the staged branch or loop"):
        program(tf.constant(1.0), tf.constant(3))
    assert lazy(1.0) == 2.0
    assert program(tf.constant(1.0), tf.constant(3)) == 8.0


def test_what_is_set_up_with_a_variable_stays_in_a_function_that_may_raise():
    class Lazy(tf.Module):
        def __init__(self):
            self.scale = None

        def __call__(self, x):
            if self.scale is None:
                self.size = x.shape[-1]
                self.scale = tf.Variable(2.0)
            return x * self.scale + self.size

    lazy = Lazy()

    @tf.function
    def program(x):
        if tf.reduce_sum(x) < 0.0:
            raise ValueError("negative")
        return lazy(x)

    assert program(tf.ones([1])) == 3.0
    assert lazy.size == 1
