import math
import operator

import numpy as np
import pytest

import runtime as tf

COMPARISONS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
NUMBERS = (0.5, -0.5, 3.0, 2.5, math.inf, -math.inf, math.nan, 2**31, -(2**31) - 1, 2**70, -(2**70))


@pytest.mark.parametrize("compare", COMPARISONS)
@pytest.mark.parametrize("number", NUMBERS)
def test_ints_are_compared_with_python_numbers_as_python_compares_them(compare, number):
    for dtype in ("int8", "uint8", "int32", "int64"):
        for value in (3, 0, 100):
            x = tf.constant(value, dtype)
            staged = tf.function(lambda x: (compare(x, number), compare(number, x)))
            expected = compare(value, number), compare(number, value)
            assert (bool(compare(x, number)), bool(compare(number, x))) == expected
            assert tuple(map(bool, staged(x))) == expected


@pytest.mark.parametrize(("dtype", "number"), [("uint8", -1), ("uint8", 300), ("int8", 200)])
def test_a_python_int_beyond_a_small_dtype_does_not_wrap_around(dtype, number):
    x = tf.constant(44, dtype)
    assert bool(x == number) is False and bool(x < number) is (number > 0)

    @tf.function
    def f(x, n):
        limit = 0
        for _ in range(n):
            limit = number
        return x < limit, x == limit

    below, equal = f(x, tf.constant(1))
    assert bool(below) is (number > 0) and bool(equal) is False


def test_elements_of_a_tensor_are_compared_each():
    assert (tf.constant([1, 2]) < 1.5).numpy().tolist() == [True, False]


def test_an_int64_and_a_double_of_many_digits_are_refused():
    with pytest.raises(TypeError):
        operator.gt(tf.constant(2**53 + 1), float(2**53))


def test_float_tensors_keep_their_dtype():
    compared = tf.function(lambda x: x == 0.1)
    assert bool(compared(tf.constant(0.1))) and bool(tf.constant(0.1) == 0.1)
    assert not bool(tf.constant(np.float32(0.1), tf.float64) == 0.1)


def test_tensors_of_two_dtypes_are_refused():
    with pytest.raises(TypeError, match="float32"):
        operator.lt(tf.constant(1), tf.constant(1.5))
