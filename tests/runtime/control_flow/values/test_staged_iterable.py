"""Iterables that only the running graph knows: ranges, and what is made of them."""

import pytest

import runtime as tf


def python_first_after(n, least):
    seen = -1
    for i in range(n):
        seen = i
        if i >= least:
            break
    return seen


@pytest.mark.parametrize("n", [3_000_000_000, 2**62])
def test_python_range_of_int64_counts_beyond_int32(n):
    f = tf.function(python_first_after)
    assert f(tf.constant(n, tf.int64), 7).numpy() == 7


@pytest.mark.parametrize("bounds", [(5, 2, 1), (2, 5, -1), (0, -3, 1), (3, 3, -2), (7, 0, -3)])
def test_python_range_is_empty_where_python_is(bounds):
    def count(start, stop, step):
        total = 0
        for i in range(start, stop, step):
            total += i + 100
        return total

    expected = count(*bounds)
    args = [tf.constant(each) for each in bounds]
    assert tf.function(count)(*args).numpy() == expected


def test_python_range_by_zero_raises_value_error():
    @tf.function
    def f(n, step):
        for _ in range(0, n, step):
            n += 1
        return n

    with pytest.raises(ValueError, match="must not be zero"):
        f(tf.constant(3), 0)


def test_items_of_a_range_act_like_python_ints():
    @tf.function
    def f(x, n):
        for i in range(n):
            x += i * 0.5
        return x

    assert float(f(tf.constant(1.0), tf.constant(4))) == 4.0
