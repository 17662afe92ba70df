"""Convolutions and pooling against loops."""

import numpy as np
import pytest

import runtime as tf

RANDOM = np.random.default_rng(4)


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
        ([[0, 0], [2, 1], [0, 3], [0, 0]], 2, [(2, 1), (0, 3)]),
    ],
)
def test_convolution_is_a_sum_of_products(padding, stride, margins):
    image, weights = numbers(2, 5, 6, 3), numbers(3, 2, 3, 4)
    found = tf.nn.conv2d(image, weights, stride, padding)
    np.testing.assert_allclose(found.numpy(), looped(image, weights, stride, margins), rtol=1e-12)


def test_channels_first_is_the_same_turned():
    image, weights = numbers(1, 4, 4, 2), numbers(2, 2, 2, 3)
    last = tf.nn.conv2d(image, weights, 1, "SAME")
    first = tf.nn.conv2d(np.moveaxis(image, -1, 1), weights, 1, "SAME", data_format="NCHW")
    np.testing.assert_allclose(np.moveaxis(first.numpy(), 1, -1), last.numpy(), rtol=1e-12)


def test_channels_that_do_not_fit_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="evenly divisible by filter depth"):
        tf.nn.conv2d(numbers(1, 3, 3, 3), numbers(2, 2, 2, 1), 1, "SAME")


def test_padding_does_not_count_in_a_mean():
    ones = tf.ones([1, 3, 3, 1])
    assert (tf.nn.avg_pool2d(ones, 2, 1, "SAME").numpy() == 1).all()
