"""Reversing, rolling, repeating, grids: results, static shapes, and what is refused."""

import numpy as np
import pytest

import runtime as tf

Invalid = tf.errors.InvalidArgumentError
ROWS = np.arange(6, dtype=np.int32).reshape(2, 3)


def shape_in_a_graph(function, *specs):
    concrete = tf.function(function, autograph=False).get_concrete_function(*specs)
    return concrete.outputs[0].shape


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


def test_no_axes_leave_a_scalar():
    assert tf.reverse("a", []).numpy() == b"a"


def test_an_axis_of_a_list_is_known_while_recording():
    with pytest.raises(ValueError, match="`axis` has to be known while the graph is recorded"):
        tf.function(lambda n: tf.reverse(tf.ones([2, 3]), [n]))(tf.constant(1))
    assert tf.reverse([1, 2], [tf.constant(0)]).numpy().tolist() == [2, 1]
