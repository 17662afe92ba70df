# ruff: noqa: SIM108 - the programs are as people write them
"""A Python number that a loop or a branch turns into a tensor still acts like a Python number."""

import math

import pytest

import runtime as tf


def test_counter_meets_floats():
    @tf.function
    def f(x):
        i = 0
        while i < 3:
            i += 1
            x = x * i
        return x, i

    x, i = f(tf.constant(2.0))
    assert (float(x), i) == (12.0, 3) or (float(x), int(i)) == (12.0, 3)


def test_counter_of_a_staged_loop_meets_floats():
    @tf.function
    def f(x, n):
        i = 0
        while i < n:
            i += 1
            x = x * i + i / 2
        return x + i, i

    x, i = f(tf.constant(2.0), tf.constant(2))
    assert float(x) == (2.0 * 1 + 0.5) * 2 + 1.0 + 2
    assert i.dtype == tf.int32


def test_tensors_do_not():
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            x += tf.cast(i, tf.float32)
        return x

    assert float(f(tf.constant(1.0), tf.constant(4))) == 7.0


def test_number_of_a_branch():
    @tf.function
    def f(x):
        if x > 0.0:
            scale = 2
        else:
            scale = 3
        return x * scale

    assert float(f(tf.constant(1.5))) == 3.0
    assert float(f(tf.constant(-1.0))) == -3.0


def test_python_ints_do_not_wrap_around():
    @tf.function
    def factorial(n):
        result = 1
        for i in range(1, n + 1):
            result *= i
        return result

    assert int(factorial(tf.constant(12))) == math.factorial(12)
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int32"):
        factorial(tf.constant(13))
    assert int(factorial(tf.constant(13, tf.int64))) == math.factorial(13)


@pytest.mark.parametrize(
    "step", [lambda v: v + v, lambda v: v * v, lambda v: -v - v, lambda v: v**3]
)
def test_every_operation_that_can_overflow_is_checked(step):
    @tf.function
    def f(n):
        value = 3
        for _ in tf.range(n):
            value = step(value)
        return value

    expected = 3
    for _ in range(2):
        expected = step(expected)
    assert int(f(tf.constant(2))) == expected
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit"):
        f(tf.constant(40))


def test_tensors_wrap_around():
    @tf.function
    def f(n):
        value = tf.constant(3)
        for _ in tf.range(n):
            value = value + value
        return value

    assert int(f(tf.constant(40))) == 0


def inverted_exclusive_or(x):
    p = True
    for _ in range(3):
        if x > 0:
            p = p ^ True
    return ~p, ~(p ^ False), ~(True ^ p)


def exclusive_or_of_two_that_were_chosen(x):
    p, q = x > 0, False
    if x > 1:
        q = True
    r = (1 if p else 0) ^ q
    return r, ~(q ^ q)


@pytest.mark.parametrize("x", [3, -3])
@pytest.mark.parametrize("f", [inverted_exclusive_or, exclusive_or_of_two_that_were_chosen])
def test_exclusive_or_of_truth_values_of_python_is_one(f, x):
    assert [int(each) for each in tf.function(f)(tf.constant(x))] == [int(each) for each in f(x)]


def test_exclusive_or_with_a_tensor_of_truth_values_is_a_tensor_of_them():
    mask = tf.constant([True, False])
    inverted = tf.function(lambda x: ~(x ^ True))(mask)
    assert inverted.numpy().tolist() == [True, False]


def returned_number_or_none(x):
    at = None
    if x > 2:
        at = x
    return float("inf") if x > 0 else (5 if at is None else at)


@pytest.mark.parametrize("x", [3, 1, -3])
def test_a_number_that_is_an_int_or_a_float_is_returned_beside_none(x):
    assert float(tf.function(returned_number_or_none)(tf.constant(x))) == returned_number_or_none(x)
