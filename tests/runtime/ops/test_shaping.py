"""Other shapes and dtypes of the same elements, joining and splitting."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.opdef import NOT_DIFFERENTIABLE, lookup

Invalid = tf.errors.InvalidArgumentError


def test_parts_of_lengths_that_are_known_later():
    function = tf.function(lambda x, n: tf.split(x, n), autograph=False)
    parts = function(tf.range(4), tf.constant([1, 3]))
    assert [part.numpy().tolist() for part in parts] == [[0], [1, 2, 3]]


@pytest.mark.parametrize(("parts", "lengths"), [(2, [2, 2]), ([1, 3], [1, 3]), ([1, -1], [1, 3])])
def test_parts(parts, lengths):
    assert [len(part) for part in tf.split(tf.range(4), parts)] == lengths


@pytest.mark.parametrize("parts", [3, [1, 1]])
def test_parts_that_do_not_fit(parts):
    with pytest.raises(Invalid):
        tf.split(tf.range(4), parts)


def test_casts_that_saturate():
    cast = tf.saturate_cast
    assert cast([300, -5], tf.int8).numpy().tolist() == [127, -5]
    assert cast([300.0, -1.5], tf.uint8).numpy().tolist() == [255, 0]
    assert cast([1e20], tf.int32).numpy()[0] == 2147483520


def test_the_same_bits():
    assert tf.bitcast([1.0], tf.uint8).shape == (1, 4)
    assert tf.bitcast(tf.bitcast([1.0], tf.uint8), tf.float32).numpy().tolist() == [1.0]
    with pytest.raises(Invalid, match="Cannot bitcast"):
        tf.bitcast(tf.constant([1, 2, 3]), tf.int64)


def test_strings_are_not_cast():
    with pytest.raises(tf.errors.UnimplementedError, match="to_number"):
        tf.cast("1", tf.int32)


def test_joint_shapes():
    assert tf.broadcast_static_shape([None, 1], [2, 3]) == [2, 3]
    assert tf.broadcast_dynamic_shape([1, 3], [2, 1]).numpy().tolist() == [2, 3]
    with pytest.raises(ValueError, match="Incompatible shapes for broadcasting"):
        tf.broadcast_static_shape([2], [3])
    with pytest.raises(Invalid):
        tf.broadcast_dynamic_shape([2], [3])


def test_numbers_in_a_row():
    assert tf.range(tf.constant(0), tf.constant(3, tf.int64)).dtype == tf.int64
    assert tf.range(1, 5, 1.5).numpy().tolist() == [1.0, 2.5, 4.0]
    with pytest.raises(Invalid, match="Requires start <= limit when delta > 0: 5/2"):
        tf.range(5, 2)


def test_rows_of_equal_distances():
    made = tf.linspace([0.0, 1.0], [10.0, 21.0], 3, axis=-1)
    np.testing.assert_array_equal(made.numpy(), [[0, 5, 10], [1, 11, 21]])


def test_unit_matrices_of_a_batch_and_of_later_size():
    assert tf.eye(2, batch_shape=[3]).shape == (3, 2, 2)
    function = tf.function(lambda n: tf.eye(n), autograph=False)
    np.testing.assert_array_equal(function(tf.constant(2)).numpy(), np.eye(2))


def test_nothing_flows_back_through_a_stop():
    assert lookup("StopGradient").grad is NOT_DIFFERENTIABLE
    assert float(tf.stop_gradient(2.0)) == 2.0


def test_fill_takes_one_value():
    assert tf.fill([2], 7).numpy().tolist() == [7, 7]
    for call in (tf.fill, tf.function(tf.fill, autograph=False)):
        with pytest.raises(tf.errors.InvalidArgumentError, match="value must represent a scalar"):
            call([2], tf.constant([1, 2]))


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
