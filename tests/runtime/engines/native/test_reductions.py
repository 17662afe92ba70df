"""Reductions in machine code add in the order of NumPy."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import check

SHAPES = [(1,), (7,), (8,), (9,), (128,), (129,), (1000,), (3, 5), (4, 130), (9, 1), (1, 9),
          (2, 3, 4), (4, 1, 6), (3, 4, 129)]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_have_the_bits_of_numpy(shape, dtype):
    axes = [None, *range(len(shape)), *([(0, 1), (0, len(shape) - 1)] if len(shape) > 2 else [])]
    rng = np.random.default_rng(0)
    x = (rng.normal(size=shape) * 100).astype(dtype)
    for axis in axes:
        for keepdims in (False, True):

            def f(x, axis=axis, keepdims=keepdims):
                doubled = x + x
                return tf.reduce_sum(doubled, axis, keepdims)

            (total,) = check(f, x)
            np.testing.assert_array_equal(total, np.add.reduce(x + x, axis, keepdims=keepdims))


def test_sum_of_negative_zeros_is_zero():
    (total,) = check(lambda x: tf.reduce_sum(x * 1.5), np.full(9, -0.0))
    assert not np.signbit(total)


@pytest.mark.parametrize("shape", [(1,), (6,), (3, 5), (2, 3, 4)])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_extremes_products_and_truth(shape, axis):
    def f(x, k):
        y = x * 2.0
        truth = y > 0.0
        return (
            tf.reduce_max(y, axis), tf.reduce_min(y, axis), tf.reduce_prod(x, axis),
            tf.reduce_any(truth, axis), tf.reduce_all(truth, axis), tf.reduce_mean(y, axis),
            tf.reduce_max(k + 1, axis), tf.reduce_prod(k, axis),
        )  # fmt: skip

    rng = np.random.default_rng(4)
    k = rng.integers(-9, 9, shape).astype(np.int32)
    check(f, rng.normal(size=shape), k)
    check(f, np.full(shape, np.nan), k)
    check(f, np.full(shape, np.inf), k)


def test_positions_of_extremes_skip_nan():
    def f(x):
        y = x * 2.0
        return [g(y, axis) for g in (tf.argmax, tf.argmin) for axis in (0, 1)]

    rng = np.random.default_rng(5)
    x = rng.integers(0, 4, (5, 6)).astype(np.float64)
    x[1, 2] = x[3, 3] = np.nan
    check(f, x)
    check(f, np.full((2, 3), np.nan))


@pytest.mark.parametrize("engine", [{}, {"jit_compile": True}])
@pytest.mark.parametrize(
    "row", [[1, np.nan, 3, np.nan], [np.nan, 1, 2, 3], [-np.inf, np.inf, 1, 2], [4, 2, 4, 2]]
)
def test_positions_of_a_numpy_program_are_those_of_the_first_nan(row, engine):
    def f(x):
        places = np.zeros(4, np.int64)
        for i in range(2):
            places[2 * i] = np.argmax(x[i])
            places[2 * i + 1] = x[i].argmin()
        return places, x.argmax(axis=0), x.argmin(axis=1)

    x = np.array([row, row[::-1]], np.float64)
    for one, other in zip(tf.function(f, numpy=True, **engine)(x), f(x), strict=True):
        np.testing.assert_array_equal(one, other)


def test_extreme_of_no_elements_of_an_unknown_number():
    @tf.function(
        input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True, autograph=False
    )
    def f(x):
        y = x * 2.0 + 1.0
        return tf.reduce_max(y), tf.reduce_sum(y)

    assert [float(v) for v in f(tf.constant([]))] == [-np.inf, 0.0]
    assert [float(v) for v in f(tf.constant([1.0, 3.0]))] == [7.0, 10.0]
