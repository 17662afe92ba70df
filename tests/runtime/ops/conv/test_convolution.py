"""Convolutions and max pooling of many images equal their definitions, element by element."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import runtime as tf
from runtime.core.machine import blas
from runtime.ops.base.define import call
from runtime.ops.conv import windows
from runtime.ops.conv.windows import window_attrs

NUMBERS = np.random.default_rng(5)

# images, filter, strides, dilations
CASES = [
    ((3, 6, 7, 1), (3, 2, 1, 4), (1, 1), (1, 1)),
    ((3, 6, 5, 8), (3, 3, 8, 2), (1, 1), (1, 1)),
    ((5, 7, 6, 4), (2, 3, 2, 6), (2, 1), (1, 1)),
    ((2, 8, 9, 3), (3, 2, 3, 5), (1, 1), (2, 3)),
    ((2, 5, 5, 6), (1, 1, 6, 3), (2, 2), (1, 1)),
    ((0, 5, 5, 2), (2, 2, 2, 3), (1, 1), (1, 1)),
]


def correlation(x, w, strides, dilations):
    """The definition, for images without margins."""
    reach = [(k - 1) * d + 1 for k, d in zip(w.shape[:2], dilations, strict=True)]
    counts = [(n - r) // s + 1 for n, r, s in zip(x.shape[1:3], reach, strides, strict=True)]
    result = np.zeros((len(x), *counts, w.shape[-1]))
    groups = x.shape[-1] // w.shape[2]
    own = w.shape[-1] // groups
    for i, j, c, f in product(*map(range, w.shape)):
        top, left = i * dilations[0], j * dilations[1]
        rows = slice(top, top + (counts[0] - 1) * strides[0] + 1, strides[0])
        columns = slice(left, left + (counts[1] - 1) * strides[1] + 1, strides[1])
        result[..., f] += x[:, rows, columns, f // own * w.shape[2] + c] * w[i, j, c, f]
    return result


@pytest.fixture(params=["in one block", "image by image", "on two threads"])
def blocks(request, monkeypatch):
    if request.param != "in one block":
        monkeypatch.setattr(windows, "CACHED", 1)
    if request.param == "on two threads":
        monkeypatch.setattr(blas, "LARGE", 0)
        monkeypatch.setattr(type(blas._ONE_THREAD), "to_divide", lambda self: 2)


@pytest.mark.usefixtures("blocks")
@pytest.mark.parametrize(("images", "filters", "strides", "dilations"), CASES)
def test_convolution_and_its_gradients_equal_the_definition(images, filters, strides, dilations):
    x, w = NUMBERS.normal(size=images), NUMBERS.normal(size=filters)
    with tf.GradientTape() as tape:
        variables = tf.constant(x), tf.constant(w)
        tape.watch(variables)
        y = tf.nn.conv2d(*variables, strides, "VALID", dilations=dilations)
        g = NUMBERS.normal(size=y.shape)
        loss = tf.reduce_sum(y * g)
    np.testing.assert_allclose(y, correlation(x, w, strides, dilations), atol=1e-12)
    to_images, to_filter = tape.gradient(loss, variables)
    # The convolution is linear in both: a gradient times a change is the change of the loss.
    dx, dw = NUMBERS.normal(size=images), NUMBERS.normal(size=filters)
    changes = [np.sum(correlation(*each, strides, dilations) * g) for each in ((dx, w), (x, dw))]
    np.testing.assert_allclose(np.sum(to_images * dx), changes[0], atol=1e-11)
    np.testing.assert_allclose(np.sum(to_filter * dw), changes[1], atol=1e-11)


def test_gradients_refuse_a_result_that_the_images_do_not_give():
    image, result = tf.ones([1, 4, 4, 1]), tf.ones([1, 5, 5, 1])
    attrs = window_attrs(2, "VALID", None, strides=1, dilations=1)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[1, 5, 5, 1\], but an image"):
        call("Conv2DBackpropFilter", image, tf.constant([2, 2, 1, 1]), result, **attrs)


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


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int32, np.uint8])
@pytest.mark.parametrize("other", ["zero", "scalar", "array"])
def test_selection_keeps_every_bit(dtype, other):
    x = NUMBERS.integers(0, 100, 5000).astype(dtype)
    if x.dtype.kind == "f":
        x[:4] = np.nan, np.inf, -np.inf, -0.0
    y = {"zero": dtype(0), "scalar": dtype(7), "array": x[::-1].copy()}[other]
    half = NUMBERS.random(5000) < 0.5
    for condition in (half, ~half):
        result = tf.where(condition, x, y).numpy()
        assert result.tobytes() == np.where(condition, x, y).tobytes()


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
