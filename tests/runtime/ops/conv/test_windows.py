"""Convolutions and pools refuse attributes that describe no moving window."""

from __future__ import annotations

import pytest

import runtime as tf
from runtime.core.dispatch import execute
from runtime.core.opdef import lookup

X, FILTER = tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1])
WINDOW = {
    "strides": (1, 1, 1, 1),
    "padding": "SAME",
    "explicit_paddings": (),
    "data_format": "NHWC",
}
ATTRS = {
    "Conv2D": {**WINDOW, "dilations": (1, 1, 1, 1)},
    "MaxPool": {**WINDOW, "ksize": (1, 2, 2, 1)},
}
EXPLICIT = {"padding": "EXPLICIT"}
BAD = [
    ({"padding": "x"}, "'padding' of \"x\" is not in the list of allowed values"),
    ({"data_format": "x"}, "'data_format' of \"x\" is not in the list of allowed values"),
    ({"strides": [1, 1]}, "strides must contain 4 values, but got: 2"),
    ({"strides": [1] * 5}, "strides must contain 4 values, but got: 5"),
    ({"strides": [1, 0, 1, 1]}, "Stride must be > 0, but got 0"),
    ({"strides": [1, 1, -1, 1]}, "Stride must be > 0, but got -1"),
    ({"strides": [2, 1, 1, 1]}, "does not yet support strides in the batch"),
    (EXPLICIT, "must contain 8 values, but got: 0"),
    ({**EXPLICIT, "explicit_paddings": [1, 2, 3]}, "must contain 8 values, but got: 3"),
    ({**EXPLICIT, "explicit_paddings": [1] * 8}, "in the batch or depth dimensions"),
    ({**EXPLICIT, "explicit_paddings": [0, 0, -1, 0, 0, 0, 0, 0]}, "must be nonnegative"),
    ({"explicit_paddings": [1] * 8}, "must be empty if the padding attribute is not EXPLICIT"),
]
DILATIONS = [
    ({"dilations": [1, 1]}, "dilations must contain 4 values"),
    ({"dilations": [1, 0, 1, 1]}, "Dilation rate must be >= 1, but got 0"),
    ({"dilations": [1, -2, 1, 1]}, "Dilation rate must be >= 1, but got -2"),
    ({"dilations": [2, 1, 1, 1]}, "does not yet support dilations in the batch"),
]
SIZES = [
    ({"ksize": [1, 1]}, "ksize must contain 4 values"),
    ({"ksize": [1, 0, 1, 1]}, "ksize must be positive"),
    ({"ksize": [1, -1, 1, 1]}, "ksize must be positive"),
    ({"ksize": [2, 1, 1, 1]}, "does not yet support ksize in the batch"),
]


def executed(op_type, inputs, attrs):
    """Run an operation with attributes as a saved model may have them."""
    given = {name: tuple(value) if type(value) is list else value for name, value in attrs.items()}
    (y,) = execute(lookup(op_type), inputs, {**ATTRS[op_type], **given})
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


def test_attributes_that_describe_a_window_are_taken():
    explicit = [0, 0, 1, 0, 0, 1, 0, 0]
    assert conv(**EXPLICIT, explicit_paddings=explicit).shape == (1, 5, 5, 1)
    assert conv(dilations=[1, 2, 2, 1], strides=[1, 2, 3, 1]).shape == (1, 3, 2, 1)
    assert max_pool(**EXPLICIT, explicit_paddings=explicit).shape == (1, 5, 5, 1)


@pytest.mark.parametrize("strides", ["a", [1, "a"], object()])
def test_strides_that_are_no_integers_are_named(strides):
    with pytest.raises(ValueError, match="strides should be integers"):
        tf.nn.conv2d(tf.zeros([1, 4, 4, 1]), tf.zeros([2, 2, 1, 1]), strides, "SAME")
