"""Rows of a tensor that is zero elsewhere."""

import pytest

import runtime as tf


def test_indexed_slices_are_whole_tensors():
    rows = tf.IndexedSlices(tf.constant([[1, 2], [3, 4]]), tf.constant([1, 1]), [2, 2])
    assert tf.convert_to_tensor(rows).numpy().tolist() == [[0, 0], [4, 6]]
    assert rows.shape == [2, 2] and rows.dtype is tf.int32
    assert tf.convert_to_tensor(-rows).numpy().tolist() == [[0, 0], [-4, -6]]
    with pytest.raises(ValueError, match="IndexedSlices without dense_shape"):
        tf.convert_to_tensor(tf.IndexedSlices(tf.constant([1]), tf.constant([0])))


def test_indexed_slices_are_structures_of_functions():
    @tf.function
    def doubled(rows):
        return tf.IndexedSlices(rows.values * 2, rows.indices)

    rows = doubled(tf.IndexedSlices(tf.constant([1]), tf.constant([4])))
    assert rows.values.numpy().tolist() == [2] and rows.indices.numpy().tolist() == [4]


def test_the_text_of_indexed_slices_shows_their_tensors():
    slices = tf.IndexedSlices(tf.constant([1.5, 2.5]), tf.constant([1, 0]), tf.constant([3]))
    assert str(slices) == (
        "IndexedSlices(indices=tf.Tensor([1 0], shape=(2,), dtype=int32), "
        "values=tf.Tensor([1.5 2.5], shape=(2,), dtype=float32), "
        "dense_shape=tf.Tensor([3], shape=(1,), dtype=int32))"
    )
