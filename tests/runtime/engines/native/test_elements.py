"""Elementwise computations on whole arrays in machine code agree with the interpreter."""

import random

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import check, floats


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_elementwise_computations_of_edge_values(dtype):
    def f(x, y):
        z = x * y - x / y
        return z, tf.maximum(x, z), tf.where(x < y, x, -z), tf.sqrt(x), tf.sign(y), x == y

    chance = random.Random(1)
    for count in (0, 1, 7, 64, 131):
        check(f, floats(chance, count, dtype=dtype), floats(chance, count, dtype=dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_integers_wrap_around_in_arrays(dtype):
    def f(x, y):
        return x * y + x, x - y, tf.maximum(x, y), tf.bitwise.bitwise_xor(x, y), x < y

    info = np.iinfo(dtype)
    x = np.array([info.min, info.max, 1, 0, 77] * 9, dtype)
    check(f, x, x[::-1].copy())


def test_division_by_zero_in_an_array_is_the_error_of_the_plan():
    def f(x, y):
        return x // y + x % y, x + y

    x = np.array([7, -7, 2**31 - 1, -(2**31)], np.int32)
    check(f, x, np.array([2, 2, -1, -1], np.int32))
    assert "division by zero" in check(f, x, np.array([2, 2, 0, -1], np.int32)).lower()


def test_division_that_nothing_reads_raises():
    def f(x, y):
        unused = x // y
        return x + y, x * 2 + unused * 0

    def g(x, y):
        _ = x // y
        return x + y, x * 2

    x, none = np.array([7, 8], np.int32), np.array([1, 0], np.int32)
    for program in (f, g):
        check(program, x, none)


@pytest.mark.parametrize(
    ("one", "other"), [((3, 4), (4,)), ((3, 4), (3, 1)), ((1, 4), (3, 1)), ((2, 3, 4), (3, 1))]
)
def test_broadcasts(one, other):
    def f(x, y):
        return x + y, tf.where(x > y, x, y) * 2.0

    chance = random.Random(2)
    check(f, floats(chance, *one), floats(chance, *other))


def test_a_value_that_two_results_need_is_computed_once_or_twice_alike():
    def f(x, y):
        z = x * y
        w = z + 1.0
        return z, tf.reduce_sum(w * z, 0), w, tf.reduce_max(z)

    chance = random.Random(3)
    check(f, floats(chance, 5, 6), floats(chance, 5, 6))


def test_broadcasts_that_only_the_running_graph_knows():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)] * 2, jit_compile=True)
    def f(x, y):
        return (x + y) * 2.0

    np.testing.assert_array_equal(f([1.0], [2.0, 3.0]), [6.0, 8.0])
    np.testing.assert_array_equal(f([1.0, 5.0], [2.0, 3.0]), [6.0, 16.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        f([1.0, 2.0, 3.0], [1.0, 2.0])
