"""Reductions that are functions over others: values at the limits of the dtype, and gradients."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf

NUMBERS = np.random.default_rng(5)

ROWS = np.array([[0.5, -1.0, 2.0], [1000.0, 1000.0, -1000.0], [-np.inf, 3.0, -np.inf]])


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1, [0, 1], None])
def test_logsumexp_is_that_of_numpy_along_axes(axis, keepdims):
    axes = tuple(axis) if isinstance(axis, list) else axis
    wanted = np.logaddexp.reduce(ROWS, axis=axes, keepdims=keepdims)
    found = tf.reduce_logsumexp(ROWS, axis, keepdims)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)
    assert found.shape == np.shape(wanted)


@pytest.mark.parametrize(
    ("values", "wanted"),
    [([-np.inf, -np.inf], -np.inf), ([np.inf, 1.0], np.inf), ([], -np.inf), ([np.nan], np.nan)],
)
def test_logsumexp_of_infinities_and_of_nothing(values, wanted):
    found = tf.reduce_logsumexp(np.array(values, np.float32))
    np.testing.assert_equal(found.numpy(), np.float32(wanted))


def test_logsumexp_has_the_gradient_softmax_and_its_derivative():
    x = tf.constant([[0.5, -1.0, 2.0], [700.0, 710.0, 705.0]], tf.float64)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_logsumexp(x, 1)
        slope = inner.gradient(y, x)
    share = np.exp(x - y[:, None])
    np.testing.assert_allclose(slope, share, rtol=1e-12)
    wanted = [np.diag(row) - np.outer(row, row) for row in share]
    np.testing.assert_allclose(outer.batch_jacobian(slope, x), wanted, rtol=1e-10, atol=1e-14)


def test_logsumexp_of_a_tensor_of_unknown_rank():
    graph = tf.function(tf.reduce_logsumexp, input_signature=[tf.TensorSpec(None)])
    np.testing.assert_allclose(graph(tf.zeros([2, 3])), np.log(6.0), rtol=1e-6)


@pytest.mark.parametrize("values", [[1, 2], [1j]])
def test_logsumexp_of_other_dtypes_is_refused(values):
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        tf.reduce_logsumexp(tf.constant(values))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [0, (0, 1), (0, 1, 2), (1, 2), -1])
def test_sum_of_many_rows_equals_that_of_numpy(axis, keepdims):
    x = NUMBERS.normal(size=(40, 20, 30)).astype(np.float32)
    result = tf.reduce_sum(x, axis, keepdims)
    expected = x.sum(axis, np.float64, keepdims=keepdims)
    assert result.shape == expected.shape
    np.testing.assert_allclose(result, expected, rtol=1e-5, atol=1e-3)


def test_sum_of_rows_with_an_infinite_element_is_infinite_in_its_column_alone():
    x = np.zeros((2000, 3), np.float32)
    x[7] = np.inf, -np.inf, np.nan
    assert np.array_equal(tf.reduce_sum(x, 0), [np.inf, -np.inf, np.nan], equal_nan=True)
