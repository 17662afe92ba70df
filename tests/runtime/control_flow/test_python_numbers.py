"""Python numbers that a staged statement decides stay Python numbers: exact, of no own dtype."""

import math
import sys

import numpy as np
import pytest

import runtime as tf

YES = tf.constant(True)
SINGLE, DOUBLE = tf.constant(3.0), tf.constant(3.0, tf.float64)
NARROW, WIDE = tf.constant(3), tf.constant(2**40, tf.int64)


def chosen(use):
    """What `use` makes of 0.1, chosen by a tensor."""

    @tf.function
    def f(test):
        number = 0.1 if test else 0.2
        return use(number)

    return f(YES).numpy()


def same(result, expected):
    return type(result) is type(expected) and bool(result == expected)


def test_a_float_keeps_its_digits_beside_doubles():
    assert same(chosen(lambda number: number * DOUBLE), np.float64(0.1 * 3.0))
    assert same(chosen(lambda number: DOUBLE - number), np.float64(3.0 - 0.1))
    assert same(chosen(lambda number: number / 3 * DOUBLE), np.float64(0.1 / 3 * 3.0))
    assert same(chosen(lambda number: tf.cast(number, tf.float64)), np.float64(0.1))
    assert same(chosen(lambda number: tf.where(YES, number, DOUBLE)), np.float64(0.1))


def test_a_float_takes_the_dtype_of_other_tensors():
    assert same(chosen(lambda number: number * SINGLE), np.float32(0.1) * np.float32(3.0))
    assert chosen(lambda number: number * tf.constant(2.0, tf.float16)).dtype == np.float16
    assert chosen(lambda number: number * [1.0, 2.0]).dtype == np.float32


@pytest.mark.parametrize(
    "use",
    [
        lambda number: number,
        lambda number: tf.sin(number),
        lambda number: number / 2,
        lambda number: number**2,
        lambda number: tf.identity(number),
        lambda number: tf.reshape(number, [1]),
        lambda number: tf.stack([number, number]),
        lambda number: tf.fill([2], number),
        lambda number: tf.zeros_like(number),
        lambda number: tf.reduce_sum([number, 1.0]),
        lambda number: tf.py_function(lambda given: given * 2, [number], tf.float32),
    ],
)
def test_alone_it_ends_as_a_single(use):
    assert chosen(use).dtype == np.float32


def test_variables_and_arrays_take_it():
    variable = tf.Variable(0.0)

    @tf.function
    def f(test):
        number = 0.1 if test else 0.2
        variable.assign(number)
        array = tf.TensorArray(tf.float32, 2).write(0, number).write(1, SINGLE)
        return array.stack()

    assert f(YES).numpy().tolist() == [np.float32(0.1), 3.0]
    assert float(variable) == np.float32(0.1)


def test_a_counter_of_tenths():
    @tf.function
    def f(n):
        i, total = 0, 0.0
        while i < n:
            total += 0.1
            i += 1
        return total * DOUBLE, total, i

    exact = 0.0
    for _ in range(7):
        exact += 0.1
    by_double, total, count = f(tf.constant(7))
    assert same(by_double.numpy(), np.float64(exact * 3.0))
    assert same(total.numpy(), np.float32(exact))
    assert same(count.numpy(), np.int32(7))


def test_a_list_of_python_floats():
    @tf.function
    def f(n):
        parts = [0.1]
        for _ in tf.range(n):
            parts.append(0.7)
        total = 0.0
        for part in parts:
            total = total + part
        return total * DOUBLE, total * SINGLE, tf.stack(parts)

    by_double, by_single, stacked = f(NARROW)
    assert same(by_double.numpy(), np.float64((0.1 + 0.7 + 0.7 + 0.7) * 3.0))
    assert by_single.dtype == tf.float32
    assert stacked.dtype == tf.float32


@pytest.mark.parametrize("tensor", [SINGLE, DOUBLE])
def test_a_list_of_python_floats_that_gets_tensors_later(tensor):
    @tf.function
    def f(n):
        parts = []
        for _ in tf.range(n):
            parts.append(0.1)
        for _ in tf.range(n):
            parts.append(tensor)
        return tf.stack(parts)

    expected = tensor.dtype.as_numpy_dtype([0.1] * 3 + [3.0] * 3)
    result = f(NARROW).numpy()
    assert result.dtype == expected.dtype and result.tolist() == expected.tolist()


def test_what_float_int_and_round_give_meets_any_tensor():
    @tf.function
    def f(narrow, wide, single, double):
        return (
            float(narrow) * single,
            float(wide) * double,
            float(single) * double,
            float(double) * single,
            int(double) + wide,
            int(single) + narrow,
            round(double) + narrow,
        )

    results = f(NARROW, WIDE, SINGLE, DOUBLE)
    assert [r.dtype.name for r in results] == [
        *("float32", "float64", "float64", "float32"),
        *("int64", "int32", "int32"),
    ]
    assert [r.numpy() for r in results] == [9, 2**40 * 3, 9, 9, 3 + 2**40, 6, 6]


def test_the_tensor_given_to_float_stays_as_it_is():
    @tf.function
    def f(double, single):
        float(double)
        return double * single

    with pytest.raises(tf.errors.InvalidArgumentError, match="float64"):
        f(DOUBLE, SINGLE)


def test_an_int_and_a_float_meet_as_a_double():
    @tf.function
    def f(test, wide, narrow):
        if test:
            wide, narrow = 0.1, 0.1
        return wide, narrow

    wide, narrow = f(YES, WIDE, NARROW)
    assert same(wide.numpy(), np.float64(0.1))
    assert same(narrow.numpy(), np.float64(0.1))


def test_a_python_int_beyond_the_dtype_of_a_tensor_meets_it_as_int64():
    @tf.function
    def f(test, narrow):
        best = 2**40
        if test:
            best = narrow
        return best

    assert f(YES, NARROW).numpy() == NARROW.numpy()
    assert f(tf.constant(False), NARROW).numpy() == 2**40


@pytest.mark.parametrize("first", [math.inf, sys.maxsize, -math.inf, 0.5])
def test_the_least_int_is_found_from_any_first_number(first):
    @tf.function
    def least(xs):
        best = first
        for x in xs:
            if x < best:
                best = x
        return best

    for numbers in ([4, 16777217, 3], [-5, -6], [2**31 - 1]):
        assert least(tf.constant(numbers)).numpy() == min(first, *numbers)


def test_it_prints_as_in_python(capfd):
    @tf.function
    def f(test):
        number = 0.1 if test else 0.2
        number = number + 0.2
        tf.print(number)

    f(YES)
    assert capfd.readouterr().err == "0.30000000000000004\n"


def test_a_python_int_that_becomes_a_tensor_has_its_range():
    @tf.function
    def factorial(n):
        y = 1
        while n > 1:
            y *= n
            n -= 1
        return y

    assert int(factorial(tf.constant(12))) == 479001600
    assert int(factorial(tf.constant(14))) == math.factorial(14) % 2**32
    assert int(factorial(tf.constant(14, tf.int64))) == math.factorial(14)
