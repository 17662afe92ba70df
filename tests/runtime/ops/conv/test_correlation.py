"""Kernels of convolutions and of their gradients equal the definition, element by element."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import runtime as tf
from runtime.core.machine import blas
from runtime.ops.conv import windows

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
        monkeypatch.setattr(blas, "threads_of_loops", lambda: 2)


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
