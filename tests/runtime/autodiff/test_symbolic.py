"""`gradients` and `hessians`, in graphs."""

import pytest

import runtime as tf


def run(function, *values):
    return tf.function(function)(*map(tf.constant, values))


def test_gradients_of_several_tensors_are_added():
    def program(x):
        y = x * x
        z = y * x
        return tf.gradients([y, z], [x, y])

    assert [float(each) for each in run(program, 1.5)] == [9.75, 2.5]


def test_tensors_may_count_as_constants():
    def program(x):
        y = x * x
        return tf.gradients(y * x, x, stop_gradients=[y])

    assert float(run(program, 3.0)[0]) == 9.0


def test_constants_may_be_sources_too():
    def program(a):
        b = 2.0 * a
        return tf.gradients(a + b, [a, b], stop_gradients=[a, b]), tf.gradients(a + b, [a, b])

    partial, total = run(program, 1.0)
    assert [float(each) for each in partial] == [1.0, 1.0]
    assert [float(each) for each in total] == [3.0, 1.0]


def test_gradients_may_be_weighted_and_zero():
    def program(x):
        first = tf.gradients(x * x, x, grad_ys=[tf.constant([1.0, 10.0])])
        return first + tf.gradients(tf.constant(1.0), x, unconnected_gradients="zero")

    first, none = run(program, [1.0, 2.0])
    assert first.numpy().tolist() == [2.0, 40.0]
    assert none.numpy().tolist() == [0.0, 0.0]


def test_gradients_by_variables():
    v = tf.Variable(2.0)
    assert float(run(lambda x: tf.gradients(v * x, v), 3.0)[0]) == 3.0


@pytest.mark.parametrize("derivative", [tf.gradients, tf.hessians])
def test_gradients_are_by_tensors_and_variables_only(derivative):
    with pytest.raises(ValueError, match=r"Passed in object 2\.0 of type 'float'"):
        run(lambda x: derivative(x * x, 2.0), 3.0)


def test_gradients_need_a_graph():
    with pytest.raises(RuntimeError, match="GradientTape"):
        tf.gradients(tf.constant(1.0), tf.constant(1.0))


def test_hessians_are_the_jacobian_of_the_gradient():
    def program(x):
        return tf.hessians(x[0] ** 2 * x[1], x)

    assert run(program, [2.0, 3.0])[0].numpy().tolist() == [[6.0, 4.0], [4.0, 0.0]]
