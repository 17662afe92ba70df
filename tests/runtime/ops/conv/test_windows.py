"""Convolutions and pools refuse attributes that describe no moving window."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.core.dispatch import execute
from runtime.core.opdef import lookup

X, FILTER = tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1])
WINDOW = {"strides": (1, 1), "padding": "SAME"}
ATTRS = {
    "Conv2D": {**WINDOW, "dilations": (1, 1)},
    "MaxPool": {**WINDOW, "ksize": (2, 2)},
}
BAD = [
    ({"padding": "x"}, "'padding' of \"x\" is not in the list of allowed values"),
    ({"strides": (1,)}, "must contain 2 values"),
    ({"strides": (1, 0)}, "Stride must be > 0, but got 0"),
    ({"strides": (-1, 1)}, "Stride must be > 0, but got -1"),
]
DILATIONS = [
    ({"dilations": (1, 1, 1)}, "must contain 2 values"),
    ({"dilations": (0, 1)}, "Dilation rate must be >= 1, but got 0"),
    ({"dilations": (1, -2)}, "Dilation rate must be >= 1, but got -2"),
]
SIZES = [
    ({"ksize": (1,)}, "must contain 1 values"),
    ({"ksize": (0, 1)}, "ksize must be positive"),
    ({"ksize": (1, -1)}, "ksize must be positive"),
]


def executed(op_type, inputs, attrs):
    """Run an operation with attributes as a saved model may have them."""
    (y,) = execute(lookup(op_type), inputs, {**ATTRS[op_type], **attrs})
    return y


def conv(**attrs):
    return executed("Conv2D", [X, FILTER], attrs)


def max_pool(**attrs):
    return executed("MaxPool", [X], attrs)


@pytest.mark.parametrize(
    ("op", "attrs", "words"),
    [
        *((conv, attrs, words) for attrs, words in BAD + DILATIONS),
        *((max_pool, attrs, words) for attrs, words in BAD + SIZES),
    ],
)
def test_bad_attribute_is_a_public_error(op, attrs, words):
    function = tf.function(op, autograph=False)
    with pytest.raises((ValueError, tf.errors.OpError)) as caught:
        function(**attrs)
    assert words in str(caught.value)


@pytest.mark.parametrize("strides", [0, -1])
@pytest.mark.parametrize("pool", [tf.nn.max_pool2d, tf.nn.avg_pool2d])
def test_pool_moves_forward(pool, strides):
    with pytest.raises(tf.errors.InvalidArgumentError, match="Stride must be > 0"):
        pool(X, 2, strides, "SAME")


def test_dilation_is_positive():
    with pytest.raises(tf.errors.InvalidArgumentError, match="Dilation rate must be >= 1"):
        tf.nn.conv2d(X, FILTER, 1, "SAME", dilations=0)


def test_numbers_of_every_axis_are_one_for_batch_and_channels():
    assert tf.nn.conv2d(X, FILTER, [1, 2, 3, 1], "SAME").shape == (1, 3, 2, 1)
    with pytest.raises(tf.errors.UnimplementedError, match="strides in the batch"):
        tf.nn.conv2d(X, FILTER, [2, 1, 1, 1], "SAME")
    with pytest.raises(tf.errors.UnimplementedError, match="ksize in the batch"):
        tf.nn.max_pool2d(X, [1, 1, 1, 2], 1, "SAME")
    with pytest.raises(ValueError, match="strides should be of length 1, 2 or 4"):
        tf.nn.conv2d(X, FILTER, [1, 1, 1], "SAME")


def test_channels_are_last_and_margins_have_names():
    with pytest.raises(tf.errors.UnimplementedError, match=r"channels last.*runtime\.transpose"):
        tf.nn.conv2d(X, FILTER, 1, "SAME", data_format="NCHW")
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"runtime\.pad adds other margins"):
        tf.nn.max_pool2d(X, 2, 1, [[0, 0], [1, 1], [1, 1], [0, 0]])
    assert tf.nn.max_pool(X, 2, 1, "valid", data_format="NHWC").shape == (1, 4, 4, 1)


@pytest.mark.parametrize("strides", ["a", [1, "a"], object(), float("inf")])
def test_strides_that_are_no_integers_are_named(strides):
    with pytest.raises(ValueError, match="strides should be integers"):
        tf.nn.conv2d(tf.zeros([1, 4, 4, 1]), tf.zeros([2, 2, 1, 1]), strides, "SAME")
