import numpy as np
import pytest

import runtime as tf


def test_assignment():
    v = tf.Variable([1.0, 2.0], name="weights")
    v.assign([3.0, 4.0])
    v.assign_add([1.0, 1.0])
    v.assign_sub(tf.constant([2.0, 0.0]))
    np.testing.assert_array_equal(v.numpy(), [2, 5])
    assert v.name == "weights:0"
    assert (
        repr(tf.Variable(12.0)) == "<tf.Variable 'Variable:0' shape=() dtype=float32, numpy=12.0>"
    )


def test_a_variable_is_used_like_a_tensor():
    v = tf.Variable(3.0)
    assert float(v + 1.0) == 4.0
    assert float(2.0 * v) == 6.0
    assert float(tf.square(v)) == 9.0
    assert bool(v > 2.0)
    assert float(tf.stack([v, v])[1]) == 3.0


def test_read_values_do_not_change_later():
    v = tf.Variable(1.0)
    before = v.read_value()
    v.assign(2.0)
    assert float(before) == 1.0


@pytest.mark.parametrize("value", [[1.0], [[1.0, 2.0]]])
def test_shape_is_fixed(value):
    with pytest.raises(ValueError, match="Shape mismatch"):
        tf.Variable([1.0, 2.0]).assign(value)


def test_dtype_is_fixed():
    with pytest.raises(TypeError):
        tf.Variable(1).assign(1.5)


def test_needs_a_value():
    with pytest.raises(ValueError, match="initial value"):
        tf.Variable()


def test_argument_is_updated_in_place():
    a = tf.Variable(0)

    @tf.function
    def g(x):
        x.assign_add(1)
        return x

    assert [int(g(a)) for _ in range(3)] == [1, 2, 3]
    assert int(a) == 3


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


def test_initial_value_that_depends_on_an_argument_is_refused():
    kept = []

    @tf.function
    def f(x):
        if not kept:
            kept.append(tf.Variable(x * 2.0))
        return kept[0].read_value()

    with pytest.raises(ValueError, match="depends on an argument"):
        f(tf.constant(1.0))


def test_value_cannot_be_frozen_into_a_graph_by_accident():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        return v.numpy()

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError):
        f()
