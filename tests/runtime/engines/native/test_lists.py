"""Lists that loops of known length fill are arrays in machine code."""

import numpy as np
import pytest

import runtime as tf
from runtime.engines.native.lists import as_arrays
from runtime.passes.pipeline import optimize
from runtime.passes.rewriting import holds

pytest.importorskip("llvmlite")


def values(*shape):
    return tf.constant(np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32))


def recurrent(x, w):
    h = tf.zeros([3, 4])
    for i in tf.range(5):
        h = tf.tanh(x[i] + h @ w)
    return h


def of_single_rows(x, w):
    """The gradient of `w` is larger than the rows that make it: one product after the loop."""
    rows, h = tf.reduce_sum(x, axis=1, keepdims=True), tf.zeros([1, 4])
    for i in tf.range(5):
        h = tf.tanh(rows[i] + h @ w)
    return h


def from_another_start(x, w):
    h = tf.zeros([3, 4])
    for i in tf.range(2, 5):
        h = tf.sin(x[i] * h + w[i - 2])
    return h


def of_unknown_length(x, w):
    h, n = tf.zeros([3, 4]), tf.cast(tf.reduce_sum(w) * 0.0, tf.int32) + 4
    for i in tf.range(n):
        h = tf.tanh(x[i] + h @ w)
    return h


def that_ends_early(x, w):
    h = tf.zeros([3, 4])
    for i in tf.range(5):
        h = tf.tanh(x[i] + h @ w)
        if tf.reduce_sum(h) > 100.0:
            break
    return h


def of_nested_loops(x, w):
    h = tf.zeros([3, 4])
    for i in tf.range(3):
        for _ in tf.range(2):
            h = tf.tanh(x[i] + h @ w)
    return h


def without_iterations(x, w):
    h = x[0] * 1.0
    for i in tf.range(0):
        h = tf.tanh(x[i] + h @ w)
    return h


def gradients(function):
    def run(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = tf.reduce_sum(tf.square(function(x, w)))
        return tape.gradient(y, [x, w])

    return run


def second_order(function):
    def run(x, w):
        with tf.GradientTape() as tape:
            tape.watch(w)
            found = gradients(function)(x, w)[1]
        return [tape.gradient(found, w)]

    return run


def is_list(op):
    return any(tensor.dtype is tf.variant for tensor in op.outputs)


def with_lists(function, *args):
    """Whether a graph has lists, before and after."""
    graph = optimize(tf.function(function).get_concrete_function(*args).graph, {})
    return holds(graph, is_list), holds(as_arrays(graph), is_list)


def assert_close(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("function", [recurrent, of_single_rows, from_another_start])
def test_gradients_of_counted_loops_have_no_lists(function):
    x, w = values(5, 3, 4), values(4, 4)
    own = gradients(function)
    assert with_lists(own, x, w) == (True, False)
    native = tf.function(own, jit_compile=True)
    assert_close(native(x, w), tf.function(own)(x, w))
    assert "runs as Python" not in native.get_concrete_function(x, w).plan_source


@pytest.mark.parametrize(
    "function", [of_unknown_length, that_ends_early, of_nested_loops, without_iterations]
)
def test_gradients_of_other_loops_agree(function):
    x, w = values(5, 3, 4), values(4, 4)
    own = gradients(function)
    for _ in range(2):
        assert_close(tf.function(own, jit_compile=True)(x, w), tf.function(own)(x, w))


@pytest.mark.parametrize("function", [of_unknown_length, that_ends_early])
def test_lists_of_unknown_length_stay_lists(function):
    assert with_lists(gradients(function), values(5, 3, 4), values(4, 4)) == (True, True)


@pytest.mark.parametrize("function", [recurrent, of_single_rows, from_another_start])
def test_second_derivatives_agree(function):
    x, w = values(5, 3, 4), values(4, 4)
    own = second_order(function)
    assert_close(tf.function(own, jit_compile=True)(x, w), tf.function(own)(x, w))


def test_lists_of_rows_of_unknown_shape_stay_lists():
    own = gradients(recurrent)
    specs = [tf.TensorSpec([5, None, 4], tf.float32), tf.TensorSpec([4, 4], tf.float32)]

    def run(x, w):
        h = tf.zeros_like(x[0])
        for i in tf.range(5):
            h = tf.tanh(x[i] + h @ w)
        return h

    own = gradients(run)
    assert with_lists(own, *specs) == (True, True)
    x, w = values(5, 3, 4), values(4, 4)
    assert_close(tf.function(own, specs, jit_compile=True)(x, w), tf.function(own)(x, w))


def test_an_array_of_tensors_that_is_read_in_any_order_stays_a_list():
    def run(x):
        rows = tf.TensorArray(tf.float32, 0, dynamic_size=True)
        for i in tf.range(4):
            rows = rows.write(i, x[i] * 2.0)
        total = tf.zeros([3])
        for i in tf.range(4):
            total += rows.read((i * 3) % 4)
        return total, rows.stack()

    x = values(4, 3)
    assert_close(tf.function(run, jit_compile=True)(x), tf.function(run)(x))
    with pytest.raises(tf.errors.OpError):
        tf.function(lambda x: run(x)[1][9], jit_compile=True)(x)


def test_a_layer_trains_in_machine_code_alone():
    tf.keras.utils.set_random_seed(0)
    layers = tf.keras.layers
    model = tf.keras.Sequential([tf.keras.Input((6, 3)), layers.LSTM(5), layers.Dense(1)])
    start, x, y = model.get_weights(), values(8, 6, 3), values(8, 1)
    found = []
    for jit_compile in (False, True):
        model.set_weights(start)
        model.compile("sgd", "mse", jit_compile=jit_compile)
        model.fit(x, y, epochs=3, batch_size=4, shuffle=False, verbose=0)
        found.append(model.get_weights())
    assert_close(*found)


def even_numbers(n):
    found = []
    for i in range(n):
        if i % 2 == 0:
            found.append(i)
    found.append(-1)
    return found, len(found)


def test_a_list_that_a_function_returns_is_made_of_an_array():
    staged = tf.function(even_numbers, numpy=True, jit_compile=True)
    for n in (9, 0):
        assert staged(np.int64(n)) == even_numbers(n)
    text = staged.get_concrete_function(np.int64(9)).plan_source
    assert text.count("_results is False:") == 1, text
    assert text.count("runs as Python") == 1, text  # the list itself


def test_a_list_that_a_round_makes_and_does_not_read():
    def run(n, k):
        empty, last, total = [], [n, k], 0
        for _ in range(k):
            for _ in range(n):
                last = empty[:]
                for _ in range(n):
                    total = (total + 2) % 23
        return total, last

    staged = tf.function(run, jit_compile=True)
    total, last = staged(tf.constant(3), tf.constant(2))
    assert (int(total), last) == run(3, 2)
