"""Values and shapes that are known while a graph is recorded."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.static import packed, static_dims, static_entries, static_value
from runtime.core.structural import CONSTANT_LIMIT


@pytest.fixture
def graph():
    with tf.Graph().as_default():
        yield


@pytest.fixture
def x(graph):
    return tf.compat.v1.placeholder(tf.float32, [None, 3])


def test_values_follow_from_constants(graph):
    assert static_value(tf.constant(2) * 3 + 1) == 7
    assert static_value(tf.range(3)).tolist() == [0, 1, 2]


def test_values_follow_from_known_shapes(x):
    assert static_value(tf.rank(x)) == 2
    assert static_value(tf.shape(tf.ones([4, 3]))).tolist() == [4, 3]
    assert static_value(tf.shape(x)) is None


def test_entries_of_joined_and_cut_shapes_are_known(x):
    shape = tf.shape(x)
    for vector, entries in (
        (tf.concat([shape[:1], [6]], 0), [None, 6]),
        (tf.concat([[2], shape[1:], shape[:1]], 0), [2, 3, None]),
        (shape[::-1], [3, None]),
        (tf.stack([shape[0], shape[1], shape[-1]]), [None, 3, 3]),
        (tf.concat([shape, shape], 0)[1:3], [3, None]),
    ):
        assert static_entries(vector) == entries
    assert static_entries(tf.concat([shape[:1], tf.range(shape[0])], 0)) is None
    assert tf.reshape(x, tf.concat([shape[:1], [1, 3]], 0)).shape == [None, 1, 3]


def test_a_long_chain_of_joined_vectors_has_unknown_entries(x):
    vector = tf.shape(x)
    for _ in range(2000):
        vector = tf.concat([vector[1:], vector[:1]], 0)
    assert static_entries(vector) == [None, None]


def test_what_is_random_large_or_fails_has_no_static_value(graph):
    assert static_value(tf.random.uniform([])) is None
    assert static_value(tf.ones([CONSTANT_LIMIT + 1]) + 1.0) is None
    assert static_value(tf.constant(1) // tf.constant(0)) is None


def test_an_eager_tensor_has_its_value():
    assert static_value(tf.constant([1, 2])).tolist() == [1, 2]


def test_entries_are_known_one_by_one(x):
    dims = tf.shape(x)
    assert static_entries(tf.stack([dims[0], 4, 3])) == [None, 4, 3]
    assert static_dims(tf.stack([dims[0], -1, 3])) == (None, None, 3)
    assert static_entries(tf.compat.v1.placeholder(tf.int32, [2])) == [None, None]
    assert static_entries(tf.compat.v1.placeholder(tf.int32, [None])) is None


def test_a_tensor_has_at_most_254_dimensions(graph):
    with pytest.raises(ValueError, match="at most 254 dimensions, and these are 300"):
        static_entries(tf.constant(np.ones(300, np.int32)))


def test_entries_of_a_long_vector_are_indices_not_dimensions():
    @tf.function
    def counted(indices):
        counts = tf.zeros([7], tf.int32)
        for k in tf.range(300):
            counts = tf.tensor_scatter_nd_add(counts, [[indices[k]]], [1 + counts[indices[k]]])
        return counts

    indices = np.arange(300) % 7
    expected = np.zeros(7, int)
    for index in indices:
        expected[index] += 1 + expected[index]
    expected = ((expected + 2**31) % 2**32 - 2**31).tolist()
    assert counted(tf.constant(indices, tf.int32)).numpy().tolist() == expected


def test_the_scalars_of_a_vector(x):
    first, second = tf.shape(x)[0], tf.shape(x)[1]
    assert packed(tf.stack([first, second])) == (first, second)
    assert packed(tf.shape(x)) is None


def test_the_shape_of_a_tensor_of_unknown_rank_has_no_known_number_of_entries(graph):
    shape = tf.shape(tf.compat.v1.placeholder(tf.float32, None))
    assert static_entries(shape) is None
    assert static_dims(shape) is None
    assert tf.reshape(tf.ones([1, 2]), shape).shape.rank is None
