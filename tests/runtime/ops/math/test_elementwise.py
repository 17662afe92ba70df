"""The logistic function at its limits, and error functions of many elements."""

import math

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_sigmoid_is_exact_for_all_normal_numbers(dtype):
    x = np.linspace(-800, 800, 20001).astype(dtype)
    with np.errstate(over="ignore"):
        expected = (1 / (1 + np.exp(-x.astype(np.longdouble)))).astype(dtype)
    normal = expected >= np.finfo(dtype).tiny
    for sigmoid in (tf.sigmoid, tf.function(tf.sigmoid, autograph=False)):
        found = sigmoid(tf.constant(x)).numpy()
        np.testing.assert_array_max_ulp(found[normal], expected[normal], 4)
        assert (found[~normal] < np.finfo(dtype).tiny).all()
        assert not np.isnan(found).any()


def test_tiny_sigmoid_of_float16_is_not_rounded_to_zero():
    assert tf.sigmoid(tf.constant(-15.0, tf.float16)).numpy() == np.float16(np.exp(-15.0))


@pytest.mark.parametrize("name", ["erf", "erfc"])
def test_error_functions_are_those_of_python(name):
    reals = np.linspace(-5.97, 30.0, 240).reshape(4, 60)
    wanted = np.vectorize(getattr(math, name))(reals)
    found = getattr(tf.math, name)(reals)
    np.testing.assert_array_equal(found.numpy(), wanted)
    assert getattr(tf.math, name)(tf.constant(0.5, tf.float16)).dtype is tf.float16


def test_erf_of_many_numbers_is_within_a_bit_of_python():
    special = [0.0, -0.0, 1e-45, -1e-30, 4.0, np.inf, -np.inf, np.nan]
    for dtype in (np.float32, np.float16):
        x = np.concatenate([special, np.linspace(-6, 6, 19_992)]).astype(dtype).reshape(4, -1)
        wanted = np.vectorize(math.erf)(x.astype(float)).astype(dtype)
        found = tf.math.erf(x).numpy()
        np.testing.assert_array_max_ulp(found[x == x], wanted[x == x], 1)
        assert np.mean(found != wanted) < 1e-3
        assert np.signbit(found).tolist()[0][:2] == [False, True]
        assert np.isnan(found).sum() == 1


def test_erf_of_many_doubles_is_that_of_python():
    x = np.linspace(-6.0, 6.0, 1001)
    np.testing.assert_array_equal(tf.math.erf(x).numpy(), np.vectorize(math.erf)(x))
