"""Products over axes, against NumPy."""

import numpy as np
import pytest

import runtime as tf

CUBE = np.arange(24, dtype=np.float32).reshape(2, 3, 4)


@pytest.mark.parametrize(
    ("a", "b", "axes"),
    [
        (CUBE, CUBE.transpose(2, 0, 1), 1),
        (CUBE, CUBE.transpose(1, 2, 0), 2),
        (CUBE, CUBE[0], 0),
        (CUBE, CUBE, [[1], [1]]),
        (CUBE, CUBE, [[2, 0], [2, 0]]),
        (CUBE, CUBE, [[-1], [-1]]),
        (CUBE, CUBE, [[-1, -3], [2, 0]]),
        (CUBE, CUBE[0, 0], [2, 0]),
        (CUBE[0, 0], CUBE[0, 0], [[0], [0]]),
        (CUBE, CUBE[0, 0], [[], []]),
        (CUBE[:0], CUBE, [[2], [2]]),
    ],
)
def test_products_over_axes_are_those_of_numpy(a, b, axes):
    expected = np.tensordot(a, b, axes)
    specs = [tf.TensorSpec([None] * x.ndim, tf.float32) for x in (a, b)]
    function = tf.function(lambda a, b: tf.tensordot(a, b, axes), input_signature=specs)
    np.testing.assert_allclose(function(a, b), expected)
    np.testing.assert_allclose(tf.tensordot(a, b, axes), expected)


def test_axes_that_do_not_fit():
    for axes in (-1, 4, [[0], [0, 1]], [0, 1, 2], [[3], [0]]):
        with pytest.raises(ValueError, match=r"ax[ei]s"):
            tf.tensordot(CUBE, CUBE, axes)
    with pytest.raises(tf.errors.InvalidArgumentError):
        tf.tensordot(CUBE, CUBE, [[0], [1]])


def test_axes_of_a_tensor_of_unknown_rank_are_not_known():
    spec = tf.TensorSpec(None, tf.float32)
    with pytest.raises(ValueError, match="tensordot needs tensors of known rank"):
        tf.function(lambda a: tf.tensordot(a, a, 1), input_signature=[spec])(CUBE)


def test_gradients_of_a_cross_product_are_dense():
    a, b = tf.constant([1.0, 2.0, 3.0]), tf.constant([4.0, 5.0, 6.0])
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        volume = tf.reduce_sum(tf.linalg.cross(a, b) * [1.0, 0.0, 2.0])
    of_a, of_b = tape.gradient(volume, [a, b])
    np.testing.assert_allclose(of_a**2, np.cross([4, 5, 6], [1, 0, 2]) ** 2)
    np.testing.assert_allclose(of_b, np.cross([1, 0, 2], [1, 2, 3]))


def test_gradients_of_gathered_rows_have_the_rows_alone():
    rows = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        read = tf.gather(rows, [2, 0])
    assert isinstance(tape.gradient(read, rows), tf.IndexedSlices)
