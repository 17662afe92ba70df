"""Input that is no good: arrays that change later, tests that are NaN or no single truth."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    "keep",
    [
        tf.constant,
        tf.convert_to_tensor,
        tf.Variable,
        tf.identity,
        tf.stack,
        lambda array: tf.cast(array, tf.float64),
        lambda array: tf.reshape(array, [3, 1]),
        lambda array: tf.convert_to_tensor(array)[1:],
        lambda array: tf.function(lambda x: x)(array),
        lambda array: tf.function(lambda x: tf.reshape(x, [3, 1]))(array),
        lambda array: tf.function(lambda x: (x, x[1:]))(array)[1],
    ],
)
def test_what_was_made_of_an_array_stays_when_the_array_changes(keep):
    array = np.ones(3)
    kept = keep(array)
    array[:] = 9.0
    assert set(kept.numpy().ravel().tolist()) == {1.0}


def test_what_a_variable_held_stays_when_it_changes():
    variable = tf.Variable([1.0, 2.0])
    read = tf.function(lambda: variable.read_value())
    before = variable.numpy(), variable.read_value().numpy(), read().numpy()
    variable.assign_add([1.0, 1.0])
    assert [array.tolist() for array in before] == [[1.0, 2.0]] * 3


def test_an_array_changes_while_functions_read_it():
    array = np.ones(3)
    total = tf.function(lambda: tf.reduce_sum(tf.constant(array)))
    assert float(total()) == 3.0
    array[0] = 5.0
    assert float(total()) == 7.0


def test_nan_decides_as_in_python():
    def decided(test, left):
        result = 1 if test else 0
        rounds = 0
        while left > 0 and rounds < 3:
            left = left - 1
            rounds += 1
        return result, rounds

    nan = float("nan")
    results = tf.function(decided)(tf.constant(nan), tf.constant(nan))
    assert tuple(map(int, results)) == decided(nan, nan) == (1, 0)


@pytest.mark.parametrize("use", ["if", "while", "and", "cond", "assert"])
@pytest.mark.parametrize("test", [[True, False], [], [0.0, 1.0]])
def test_several_truths_are_none(use, test):
    def by_statement(value):
        if use == "if":
            return 1 if value else 0
        if use == "and":
            return value and True
        if use == "cond":
            return tf.cond(value, lambda: 1, lambda: 0)
        if use == "assert":
            assert value
        while use == "while" and value:
            value = value[:0]
        return value

    with pytest.raises(ValueError, match=r"the truth of `value`.* is ambiguous"):
        tf.function(by_statement)(tf.constant(test))


@pytest.mark.parametrize("test", [[True], [[True]]])
def test_one_element_is_one_truth(test):
    assert int(tf.function(lambda value: 1 if value else 0)(tf.constant(test))) == 1
