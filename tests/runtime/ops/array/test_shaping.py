"""Other shapes of the same elements, and what does not fit one."""

import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError


MISFITS = {
    "expand_dims": (
        lambda x: tf.expand_dims(x, 3),
        "Tried to expand dim index 3 for tensor with 2",
    ),
    "expand_dims at two": (lambda x: tf.expand_dims(x, [0, 1]), "a tensor with a single value"),
    "squeeze a length": (
        lambda x: tf.squeeze(x, 1),
        r"Can not squeeze dim\[1\], expected .* got 3",
    ),
    "squeeze an axis": (lambda x: tf.squeeze(x, -3), "Tried to squeeze dim index -3 for tensor"),
    "reshape twice -1": (lambda x: tf.reshape(x, [-1, -1]), "Only one input size may be -1"),
    "reshape negative": (lambda x: tf.reshape(x, [3, -2]), "Size 1 must be non-negative, not -2"),
    "reshape by a matrix": (lambda x: tf.reshape(x, [[3, 1]]), "sizes input must be 1-D, not"),
    "transpose short": (lambda x: tf.transpose(x, [0]), "transpose expects a vector of size 2"),
    "transpose twice": (lambda x: tf.transpose(x, [0, 0]), "1 is missing from {0,0}"),
    "transpose far": (lambda x: tf.transpose(x, [0, 2]), r"2 is out of range \[0 .. 2\)"),
    "broadcast up": (
        lambda x: tf.broadcast_to(x, [1]),
        "Rank of input .2. must be no greater than",
    ),
    "broadcast down": (lambda x: tf.broadcast_to(x, [1, 1]), "Unable to broadcast tensor of shape"),
    "broadcast aside": (
        lambda x: tf.broadcast_to(x, [1, 2]),
        "Incompatible shapes: .1,3. vs. .1,2",
    ),
    "broadcast below 0": (lambda x: tf.broadcast_to(x, [1, -1]), "Dimension -1 must be >= 0"),
    "ensure_shape": (lambda x: tf.ensure_shape(x, [3]), "is not compatible with expected shape .3"),
    "tile": (lambda x: tf.tile(x, [2]), "a vector of length 2 but got length 1"),
    "tile by a scalar": (lambda x: tf.tile(x, 2), "Expected multiples to be 1-D"),
}


@pytest.mark.parametrize(("call", "words"), MISFITS.values(), ids=MISFITS)
def test_what_does_not_fit_a_shape(call, words):
    x = tf.constant([[1.0, 2.0, 3.0]])
    with pytest.raises(Invalid, match=words):
        call(x)
    for known in ([1, 3], None):
        with pytest.raises(ValueError):
            tf.function(call, input_signature=[tf.TensorSpec(known)], autograph=False)(x)


def test_nothing_in_another_shape():
    assert tf.reshape(tf.zeros([0]), [0, -1]).shape == (0, 1)
    assert tf.reshape(tf.zeros([0, 3]), [0, -1]).shape == (0, 3)
    assert tf.reshape(tf.zeros([2, 0]), [-1]).shape == (0,)


def test_dimensions_counted_from_the_end():
    x = tf.zeros([2, 3, 4])
    assert tf.transpose(x, [-1, 0, -2]).shape == (4, 2, 3)
    assert tf.function(lambda x: tf.transpose(x, [-1, 0, -2]))(x).shape == (4, 2, 3)
    assert tf.squeeze(tf.zeros([1, 2]), [0, -2]).shape == (2,)


@pytest.mark.parametrize("call", [tf.squeeze, tf.reduce_sum, tf.reverse, tf.expand_dims])
def test_axes_are_whole_numbers(call):
    with pytest.raises(TypeError, match="`axis` has to be an integer"):
        call(tf.zeros([1, 1]), axis=[0.5])


def test_empty_lists_are_of_the_dtype_that_is_taken():
    assert tf.tile(5.0, []).numpy() == 5.0
    assert not tf.reduce_any([])
    assert tf.reduce_sum([]).dtype == tf.float32
