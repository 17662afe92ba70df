"""Pooling: means count no padding, and gradients go to the first largest element."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.ops.conv import windows

NUMBERS = np.random.default_rng(5)


def test_padding_does_not_count_in_a_mean():
    ones = tf.ones([1, 3, 3, 1])
    assert (tf.nn.avg_pool2d(ones, 2, 1, "SAME").numpy() == 1).all()


@pytest.mark.parametrize("block", [windows.CACHED, 1])
@pytest.mark.parametrize(("size", "stride", "padding"), [(2, 2, "VALID"), (3, 2, "SAME")])
def test_gradient_of_max_pooling_goes_to_the_first_largest_element(
    size, stride, padding, block, monkeypatch
):
    monkeypatch.setattr(windows, "CACHED", block)
    x = NUMBERS.integers(0, 3, (3, 5, 6, 2)).astype(np.float32)
    with tf.GradientTape() as tape:
        image = tf.constant(x)
        tape.watch(image)
        y = tf.nn.max_pool2d(image, size, stride, padding)
        g = NUMBERS.normal(size=y.shape).astype(np.float32)
        loss = tf.reduce_sum(y * g)
    expected = np.zeros_like(x)
    missing = [max((-(-n // stride) - 1) * stride + size - n, 0) for n in x.shape[1:3]]
    top, left = (0, 0) if padding == "VALID" else (total // 2 for total in missing)
    for n, i, j, c in np.ndindex(*y.shape):
        rows = slice(max(i * stride - top, 0), i * stride - top + size)
        columns = slice(max(j * stride - left, 0), j * stride - left + size)
        covered = x[n, rows, columns, c]
        assert y[n, i, j, c] == covered.max()
        row, column = np.unravel_index(np.argmax(covered), covered.shape)
        expected[n, rows.start + row, columns.start + column, c] += g[n, i, j, c]
    np.testing.assert_allclose(tape.gradient(loss, image), expected, atol=1e-6)


def test_infinite_gradient_of_max_pooling_stays_where_it_belongs():
    x, g = tf.constant([[1.0], [2.0]]), tf.constant([np.inf])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.nn.max_pool1d(x[None], 2, 2, "VALID")[0, :, 0]
    assert np.array_equal(tape.gradient(y, x, g), [[0.0], [np.inf]])
