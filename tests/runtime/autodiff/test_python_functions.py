"""Functions of Python on tensors have gradients, and run once."""

import pytest

import runtime as tf


@pytest.mark.parametrize("around", [lambda f: f, tf.function])
def test_python_functions_run_once_and_have_gradients(around):
    ran = []

    def squared(v):
        ran.append(float(v))
        return v * v * 3.0, tf.cast(v, tf.int32)

    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y, _ = tf.py_function(squared, [x], [tf.float32, tf.int32])
            z = y * 2.0
        return tape.gradient(z, x)

    assert float(around(slope)(tf.constant(2.0))) == 24.0
    assert ran == [2.0]


def test_python_functions_in_functions_have_gradients_across_the_call():
    f = tf.function(lambda x: tf.py_function(lambda v: v**3, [x], tf.float32) * 2.0)
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 24.0


def fourth_power(x):
    return tf.py_function(lambda v: v**4, [x], tf.float32)


def squared_twice(x):
    for _ in tf.range(2):
        x = tf.ensure_shape(tf.py_function(lambda v: v * v, [x], tf.float32), [])
    return x


@pytest.mark.parametrize("function", [fourth_power, squared_twice])
@pytest.mark.parametrize("inner", [lambda f: f, tf.function])
@pytest.mark.parametrize("around", [lambda f: f, tf.function])
def test_python_functions_have_gradients_of_higher_order(function, inner, around):
    def slope(f):
        def of(x):
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return of

    f = inner(function)
    orders = [around(each) for each in (slope(f), slope(slope(f)), slope(slope(slope(f))))]
    assert [float(order(tf.constant(2.0))) for order in orders] == [32.0, 48.0, 48.0]


def test_the_second_order_of_a_python_function_reaches_all_arguments():
    def slopes(x, y):
        with tf.GradientTape() as outer:
            outer.watch([x, y])
            with tf.GradientTape() as inner:
                inner.watch(x)
                z = tf.py_function(lambda x, n, y: x**2 * y**3 * 2.0, [x, 7, y], tf.float32)
            first = inner.gradient(z, x)
        return outer.gradient(first, [x, y])

    for run in (slopes, tf.function(slopes)):
        made = run(tf.constant(3.0), tf.constant(2.0))
        assert [float(each) for each in made] == [32.0, 144.0]
