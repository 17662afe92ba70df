"""Gradients of functions that call themselves."""

import numpy as np

import runtime as tf

MATRIX = tf.Variable([[0.5, 0.1], [0.2, 0.3]])


class Counter:
    def __init__(self):
        self.count = 0

    def down(self, x):
        self.count += 1
        return x if x <= 0 else self.down(x - 1) * 2


def test_the_gradient_of_a_recursion_that_changes_an_attribute():
    @tf.function
    def f(x):
        counter = Counter()
        return counter.down(x), counter.count

    x = tf.Variable(2.5)
    with tf.GradientTape() as tape:
        value, count = f(x)
    assert (value.numpy(), count.numpy()) == (-4.0, 4)
    assert tape.gradient(value, x).numpy() == 8.0


def sums(totals, x):
    if x > 1:
        totals[0] += x * x
        sums(totals, x - 1)


def test_the_gradient_of_what_a_recursion_stores():
    @tf.function
    def f(x):
        totals = [0.0, x]
        sums(totals, x)
        return totals[0]

    x = tf.Variable(3.5)
    with tf.GradientTape() as tape:
        value = f(x)
    assert value.numpy() == 3.5**2 + 2.5**2 + 1.5**2
    assert tape.gradient(value, x).numpy() == 2 * (3.5 + 2.5 + 1.5)


def of_powers(x, n):
    if n <= 0:
        return x * 0.0 + 1.0
    return x * of_powers(x, n - 1)


def of_a_tree(v, depth, number):
    if depth == 0:
        return v * tf.cast(number, tf.float32)
    left = of_a_tree(v, depth - 1, 2 * number)
    right = of_a_tree(v, depth - 1, 2 * number + 1)
    return tf.tanh(left @ MATRIX + right)


def test_functions_that_call_themselves_have_gradients_of_all_orders():
    run = tf.function(of_powers)

    def slopes(x, n):
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = run(x, n)
            first = inner.gradient(y, x)
        return first, outer.gradient(first, x)

    x, n = tf.constant(2.0), tf.constant(4)
    assert [float(each) for each in slopes(x, n)] == [32.0, 48.0]
    assert [float(each) for each in tf.function(slopes)(x, n)] == [32.0, 48.0]


def test_recursion_on_trees_has_the_gradient_that_it_has_in_python():
    v = tf.constant([[0.1, 0.2]])

    def slopes(depth):
        with tf.GradientTape() as tape:
            tape.watch(v)
            y = tf.reduce_sum(run(v, depth, 1))
        return tape.gradient(y, [v, MATRIX])

    run = of_a_tree
    plain = slopes(3)
    run = tf.function(of_a_tree)
    for a, b in zip(plain, slopes(tf.constant(3)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
