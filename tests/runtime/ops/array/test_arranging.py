"""Padding, reversing, rolling, repeating: results, static shapes, and what is refused."""

import re

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError
ROWS = np.arange(6, dtype=np.int32).reshape(2, 3)


def shape_in_a_graph(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    return concrete.outputs[0].shape


def test_pad_is_numpy_s():
    expected = np.pad(ROWS, [[1, 0], [2, 1]])
    np.testing.assert_array_equal(tf.pad(ROWS, [[1, 0], [2, 1]]).numpy(), expected)


def test_pad_with_amounts_that_are_known_later():
    function = tf.function(lambda n: tf.pad(ROWS, [[0, 5 - n], [0, 0]]), autograph=False)
    assert function(tf.constant(2)).shape == (5, 3)
    assert shape_in_a_graph(
        lambda x: tf.pad(x, [[1, 1], [0, 2]]), tf.TensorSpec([None, 3], tf.int32)
    ) == (None, 5)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: tf.pad(ROWS, [[1, 0]]),
        lambda: tf.pad(ROWS, [[-1, 0], [0, 0]]),
        lambda: tf.reverse(ROWS, [2]),
        lambda: tf.reverse(ROWS, [0, 0]),
        lambda: tf.repeat([1, 2], [1, -1]),
        lambda: tf.tile(ROWS, [1]),
    ],
)
def test_what_does_not_fit(wrong):
    with pytest.raises((Invalid, ValueError)):
        wrong()


@pytest.mark.parametrize("staged", [False, True])
def test_paddings_that_are_no_pairs_are_named(staged):
    pad = tf.function(tf.pad, autograph=False) if staged else tf.pad
    for paddings, shape in (([[1]], "[1,1]"), ([[1, 2, 3]], "[1,3]"), ([1, 2], "[2]")):
        words = re.escape(f"paddings must be a matrix with 2 columns: {shape}")
        with pytest.raises(Invalid, match=words):
            pad([1, 2], paddings)
    words = re.escape("The first dimension of paddings must be the rank of inputs[2,2] [3]")
    with pytest.raises(Invalid, match=words):
        pad([1, 2, 3], [[1, 1], [1, 1]])


def test_unknown_modes():
    with pytest.raises(tf.errors.UnimplementedError, match=r"mode='REFLECT'.*runtime\.reverse"):
        tf.pad(ROWS, [[0, 0], [0, 0]], "REFLECT")
    with pytest.raises(ValueError, match="'xy' or 'ij'"):
        tf.meshgrid([1], indexing="yx")


def test_roll_and_reverse_are_numpy_s():
    np.testing.assert_array_equal(
        tf.roll(ROWS, [1, -1], [0, 1]).numpy(), np.roll(ROWS, [1, -1], [0, 1])
    )
    np.testing.assert_array_equal(tf.reverse(ROWS, [-1]).numpy(), ROWS[:, ::-1])


@pytest.mark.parametrize(
    ("repeats", "axis"), [(2, None), (2, 0), (3, -1), ([2, 0], 0), ([1, 2, 0], 1)]
)
def test_repeat_is_numpy_s(repeats, axis):
    expected = np.repeat(ROWS, repeats, axis)
    np.testing.assert_array_equal(tf.repeat(ROWS, repeats, axis).numpy(), expected)
    spec = tf.TensorSpec([None, 3], tf.int32)
    assert shape_in_a_graph(lambda x: tf.repeat(x, repeats, axis), spec).is_compatible_with(
        expected.shape
    )


def test_grids():
    x, y = tf.meshgrid([1, 2], [3, 4, 5])
    expected = np.meshgrid([1, 2], [3, 4, 5])
    np.testing.assert_array_equal([x.numpy(), y.numpy()], expected)


def test_each_axis_has_its_shift():
    x = tf.ones([2, 3])
    with pytest.raises(ValueError, match="shift and axis must have the same size"):
        tf.roll(x, [1], [0, 1])
    with pytest.raises(ValueError, match="shift and axis must have the same size"):
        tf.function(lambda x: tf.roll(x, [1], [0, 1]))(x)
    with pytest.raises(ValueError, match="1-D or higher"):
        tf.roll(1.0, 1, 0)


def test_axes_in_reverse_are_a_list():
    with pytest.raises(ValueError, match="'dims' must be 1-dimension, not 0"):
        tf.reverse([[1, 2]], 1)


def test_a_scalar_has_no_border():
    assert tf.pad(3.0, np.zeros((0, 2), np.int32)).numpy() == 3.0


@pytest.mark.parametrize("length", [20, 300])
@pytest.mark.parametrize("count", [0, 1, 3, 20])
@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_the_largest_come_in_order_and_of_equal_ones_the_first(dtype, count, length):
    rows = np.random.default_rng(1).integers(0, 9, (2, 3, length)).astype(dtype)
    values, indices = tf.math.top_k(rows, count)
    order = np.argsort(-rows.astype(np.int64), axis=-1, kind="stable")[..., :count]
    np.testing.assert_array_equal(indices, order)
    np.testing.assert_array_equal(values, np.take_along_axis(rows, order, axis=-1))


def test_what_is_no_number_counts_as_the_largest():
    row = np.arange(300, dtype=np.float32)
    row[[7, 9]] = np.nan
    assert tf.math.top_k(row, 4).indices.numpy().tolist() == [7, 9, 299, 298]


@pytest.mark.parametrize("dtype", ["int8", "uint64", "int64", "float32"])
@pytest.mark.parametrize("apart", [1, 50])
def test_distinct_elements_come_in_the_order_of_the_first(dtype, apart):
    numbers = (np.array([2, 0, 2, 1, 0, 2]) * apart).astype(dtype)
    distinct, places = tf.unique(numbers)
    np.testing.assert_array_equal(distinct, numbers[[0, 1, 3]])
    np.testing.assert_array_equal(tf.gather(distinct, places), numbers)


@pytest.mark.parametrize("ends", [[-(2**63), 2**63 - 1], [2**63 - 1, 2**63 - 2], [-(2**63)]])
def test_distinct_elements_at_the_ends_of_a_dtype(ends):
    distinct, places = tf.unique(np.array(ends))
    assert distinct.numpy().tolist() == ends
    assert places.numpy().tolist() == list(range(len(ends)))
