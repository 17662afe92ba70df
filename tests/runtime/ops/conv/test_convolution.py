"""Convolutions equal their definition, and refuse what does not fit."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.ops.base.define import call
from runtime.ops.conv.windows import window_attrs

RANDOM = np.random.default_rng(4)


def test_gradients_refuse_a_result_that_the_images_do_not_give():
    image, result = tf.ones([1, 4, 4, 1]), tf.ones([1, 5, 5, 1])
    attrs = window_attrs(2, "VALID", None, strides=1, dilations=1)
    assert tf.nn.conv2d  # loads the op types
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \[1, 5, 5, 1\], but an image"):
        call("Conv2DBackpropFilter", image, tf.constant([2, 2, 1, 1]), result, **attrs)


def numbers(*shape):
    return RANDOM.normal(size=shape)


def looped(image, weights, stride, margins):
    wide = np.pad(image, [(0, 0), *margins, (0, 0)])
    rows = range(0, wide.shape[1] - weights.shape[0] + 1, stride)
    columns = range(0, wide.shape[2] - weights.shape[1] + 1, stride)
    parts = [
        [wide[:, r : r + weights.shape[0], c : c + weights.shape[1]] for c in columns] for r in rows
    ]
    return np.moveaxis(np.einsum("rcnhwi,hwio->rcno", parts, weights), 2, 0)


@pytest.mark.parametrize(
    ("padding", "stride", "margins"),
    [
        ("VALID", 1, [(0, 0), (0, 0)]),
        ("VALID", 2, [(0, 0), (0, 0)]),
        ("SAME", 1, [(1, 1), (0, 1)]),
    ],
)
def test_convolution_is_a_sum_of_products(padding, stride, margins):
    image, weights = numbers(2, 5, 6, 3), numbers(3, 2, 3, 4)
    found = tf.nn.conv2d(image, weights, stride, padding)
    np.testing.assert_allclose(found.numpy(), looped(image, weights, stride, margins), rtol=1e-12)


def test_channels_that_do_not_fit_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="evenly divisible by filter depth"):
        tf.nn.conv2d(numbers(1, 3, 3, 3), numbers(2, 2, 2, 1), 1, "SAME")
