"""Convolutions and pooling against loops, losses and einsum against their definitions."""

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


def test_a_class_that_does_not_exist_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="label value of 9 which is outside"):
        tf.nn.sparse_softmax_cross_entropy_with_logits([0, 9], tf.ones([2, 3]))


def test_cross_entropies_of_one_class_agree():
    logits = numbers(4, 3)
    sparse = tf.nn.sparse_softmax_cross_entropy_with_logits([2, 0, 1, 1], logits)
    dense = tf.nn.softmax_cross_entropy_with_logits(np.eye(3)[[2, 0, 1, 1]], logits)
    np.testing.assert_allclose(sparse.numpy(), dense.numpy(), rtol=1e-12)


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("ij,jk", [(2, 3), (3, 4)]),
        ("abc,cd,db->a", [(2, 3, 4), (4, 5), (5, 3)]),
        ("...ij,...jk->...ik", [(5, 1, 2, 3), (4, 3, 4)]),
        ("ijj->i", [(3, 4, 4)]),
        ("i...,i...->...", [(2, 1, 3), (2, 4, 1)]),
    ],
)
def test_einsum_agrees_with_numpy(equation, shapes):
    arrays = [numbers(*shape) for shape in shapes]
    found = tf.einsum(equation, *arrays).numpy()
    np.testing.assert_allclose(found, np.einsum(equation, *arrays), rtol=1e-12)


@pytest.mark.parametrize(
    ("equation", "words"),
    [
        ("ij->ik", "label k not present"),
        ("i->ii", "more than once"),
        ("i;j", "incorrect format"),
        ("ij,jk", "Got 1 inputs"),
    ],
)
def test_einsum_refuses_what_does_not_fit(equation, words):
    with pytest.raises(ValueError, match=words):
        tf.einsum(equation, numbers(2, 2))


def test_letters_do_not_broadcast():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Expected dimension 1 at axis 0"):
        tf.einsum("ij,jk->ik", numbers(1, 1), numbers(2, 1))


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
