"""Gradients of matrices that loops multiply by: one product of all rows after the loop."""

import numpy as np
import pytest

import runtime as tf

NUMBERS = np.random.default_rng(0)
W = NUMBERS.normal(size=(5, 5)).astype(np.float32) * 0.5
X = NUMBERS.normal(size=(1, 5)).astype(np.float32)


def recurrent(x, w, steps):
    for i in tf.range(steps):
        x = tf.tanh(tf.matmul(x, w)) + tf.cast(i, tf.float32)
    return tf.reduce_sum(x * x)


def two_products(x, w, steps):
    for _ in tf.range(steps):
        x = tf.sin(tf.matmul(x, w)) + tf.matmul(tf.cos(x), w)
    return tf.reduce_sum(x)


def nested(x, w, steps):
    for _ in tf.range(steps):
        for _ in tf.range(2):
            x = tf.tanh(tf.matmul(x, w))
    return tf.reduce_sum(x)


def transposed(x, w, steps):
    for _ in tf.range(steps):
        x = tf.tanh(tf.matmul(x, w, transpose_b=True))
    return tf.reduce_sum(x)


def slopes(program, x, w, steps):
    with tf.GradientTape() as tape:
        tape.watch([x, w])
        result = program(x, w, steps)
    return tape.gradient(result, [x, w], unconnected_gradients="zero")


@pytest.mark.parametrize("rows", [1, 2, 40])
@pytest.mark.parametrize("steps", [0, 1, 6])
@pytest.mark.parametrize("program", [recurrent, two_products, nested, transposed])
def test_gradients_of_products_are_those_of_plain_python(program, steps, rows):
    x, w = tf.constant(np.repeat(X, rows, 0)), tf.constant(W)
    staged = tf.function(slopes)(tf.function(program), x, w, tf.constant(steps))
    for found, wanted in zip(staged, slopes(program, x, w, steps), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("program", [recurrent, two_products])
def test_second_derivatives_of_products_are_those_of_plain_python(program):
    def twice(program, x, w, steps):
        with tf.GradientTape() as tape:
            tape.watch(w)
            square = tf.reduce_sum(slopes(program, x, w, steps)[1] ** 2)
        return tape.gradient(square, w)

    x, w = tf.constant(X), tf.constant(W)
    found = tf.function(twice)(tf.function(program), x, w, tf.constant(4))
    np.testing.assert_allclose(found, twice(program, x, w, 4), rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(("rows", "acts"), [(1, True), (40, False), (None, False)])
def test_one_product_follows_the_loop_where_its_operands_are_smaller(rows, acts):
    spec = tf.TensorSpec([rows, 5], tf.float32)
    step = tf.function(lambda x, w, n: slopes(recurrent, x, w, n))
    concrete = step.get_concrete_function(spec, tf.constant(W), tf.TensorSpec([], tf.int32))
    loops = [op for op in concrete.graph.get_operations() if op.type.endswith("While")]
    after = concrete.graph.get_operations()
    stacks = [op for op in after if op.type == "TensorListStack"]
    assert (len(loops), bool(stacks)) == (2, acts)


def test_a_variable_is_kept_for_each_iteration_only_if_the_loop_changes_it():
    def slope(v, x, doubles):
        with tf.GradientTape() as tape:
            for _ in tf.range(3):
                x = tf.tanh(x @ v)
                if doubles:
                    v.assign(v * 2.0)
            loss = tf.reduce_sum(x)
        return tape.gradient(loss, v)

    x = tf.linspace([0.1, 0.2], [0.5, 0.9], 3)
    lists = []
    for doubles in (False, True):
        v = tf.Variable([[0.3, -0.2], [0.1, 0.4]])
        staged = tf.function(slope)
        lists.append(staged.get_concrete_function(v, x, doubles).plan_source.count(".append("))
        found = staged(v, x, doubles)
        v.assign([[0.3, -0.2], [0.1, 0.4]])
        np.testing.assert_allclose(found, slope(v, x, doubles), rtol=1e-5)
    assert lists[0] == lists[1] - 1


def test_a_variable_that_changes_after_the_loop_is_kept_as_the_loop_read_it():
    v = tf.Variable([[0.3, -0.2], [0.1, 0.4]])

    def step(x):
        with tf.GradientTape() as tape:
            for _ in tf.range(3):
                x = tf.tanh(x @ v)
            loss = tf.reduce_sum(x)
        v.assign(v * 10.0)
        first = tape.gradient(loss, v)
        return first, tf.zeros_like(v) + first

    x = tf.linspace([0.1, 0.2], [0.5, 0.9], 3)
    staged = tf.function(step)
    found = [staged(x), staged(x)]
    v.assign([[0.3, -0.2], [0.1, 0.4]])
    for each in found:
        for one, other in zip(each, step(x), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_variable_is_created_from_another_after_such_a_gradient():
    v, made = tf.Variable([[0.3, -0.2], [0.1, 0.4]]), []
    count = tf.Variable(0.0)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            for _ in tf.range(3):
                x = tf.tanh(x @ v)
            loss = tf.reduce_sum(x)
        count.assign_add(1.0)
        gradient = tape.gradient(loss, v)
        if not made:
            made.append(tf.Variable(tf.zeros_like(v)))
        return made[0] + gradient

    assert np.isfinite(step(tf.ones([3, 2]))).all()
