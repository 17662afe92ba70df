"""NumPy arrays outside a function: large ones are read by reference, small ones are compared."""

import numpy as np
import pytest

import runtime as tf
from runtime.functions.watched_arrays import COMPARED_BYTES

LARGE = COMPARED_BYTES // 8 + 1
ONE = tf.constant(1.0, tf.float64)


class Model:
    def __init__(self):
        self.weights = np.ones(LARGE)
        self.parts = [np.ones(LARGE)]
        self.total = tf.function(self.compute)

    def compute(self, x):
        return x * tf.reduce_sum(self.weights) + tf.reduce_sum(self.parts[0])


def test_a_large_array_may_change_in_place_without_a_new_trace():
    weights = np.ones(LARGE)
    total = tf.function(lambda x: x + tf.reduce_sum(weights))
    assert total(ONE).numpy() == 1 + LARGE
    weights[0] = 11
    assert total(ONE).numpy() == 11 + LARGE
    assert total.experimental_get_tracing_count() == 1


def test_another_array_of_the_same_kind_needs_no_new_trace():
    model = Model()
    assert model.total(ONE).numpy() == 2 * LARGE
    model.weights = np.zeros(LARGE)
    assert model.total(ONE).numpy() == LARGE
    assert model.total.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("other", [np.zeros(LARGE + 1), np.zeros(LARGE, np.float32)])
def test_an_array_of_another_shape_or_dtype_is_traced_anew(other):
    model = Model()
    model.total(ONE)
    model.weights = other.astype(other.dtype)
    if other.dtype == np.float64:
        assert model.total(ONE).numpy() == LARGE
    else:
        with pytest.raises(TypeError):
            model.total(ONE)
    assert model.total.experimental_get_tracing_count() <= 2


def test_a_small_array_is_compared():
    weights = np.ones(3)

    def positive(x):
        return x if weights[0] > 0 else -x

    choose = tf.function(positive)
    assert choose(ONE).numpy() == 1
    weights[0] = -1
    assert choose(ONE).numpy() == -1


@pytest.mark.parametrize(
    "look",
    [
        lambda array: array[0],
        lambda array: array.sum(),
        lambda array: np.max(array),
        lambda array: array + 1.0,
        lambda array: next(iter(array)),
        lambda array: array.tolist()[0],
        lambda array: 1.0 if 1.0 in array else 0.0,
    ],
)
def test_python_code_may_not_look_into_a_large_array(look):
    weights = np.ones(LARGE)

    def compute(x):
        return x + look(weights)

    with pytest.raises(ValueError, match=r"`weights`, an array outside the function of \d+ bytes"):
        tf.function(compute)(ONE)
    assert type(weights) is np.ndarray
    assert weights.flags.writeable


def test_a_large_array_is_not_changed_by_a_graph():
    weights = np.ones(LARGE)

    def change(x):
        weights[0] = 5
        return x

    with pytest.raises(ValueError, match="changes `weights`"):
        tf.function(change)(ONE)
    assert weights[0] == 1


def test_results_and_variables_do_not_share_the_memory_of_an_array():
    weights = np.ones(LARGE)
    variable = tf.Variable(tf.zeros(LARGE, tf.float64))
    same = tf.function(lambda: tf.identity(weights))
    assign = tf.function(lambda: variable.assign(weights))
    result = same()
    assign()
    weights[0] = 7
    assert result.numpy()[0] == 1
    assert variable.numpy()[0] == 1


def test_functions_that_call_others_read_the_array_of_now():
    weights = np.ones(LARGE)
    inner = tf.function(lambda x: x + tf.reduce_sum(weights))
    outer = tf.function(lambda x: 2.0 * inner(x))
    assert outer(ONE).numpy() == 2 + 2 * LARGE
    weights[:] = 0
    assert outer(ONE).numpy() == 2


def test_shape_and_dtype_are_known_while_tracing():
    weights = np.ones(LARGE)
    assert tf.function(lambda: tf.constant(weights.shape[0]))().numpy() == LARGE
    assert tf.function(lambda: tf.zeros(1, weights.dtype))().dtype is tf.float64
