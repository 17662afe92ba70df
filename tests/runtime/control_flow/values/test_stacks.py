"""Items of one kind are rows of one tensor."""

from __future__ import annotations

import runtime as tf


def test_floats_keep_their_digits():
    def program(i):
        xs = [0.1, 0.2]
        xs[i] += 0.1
        return tf.cast(xs[i], tf.float64)

    assert float(tf.function(program)(tf.constant(0))) == 0.1 + 0.1


def test_tensors_of_one_shape_are_rows():
    rows = [tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])]
    assert tf.function(lambda i: rows[i])(tf.constant(1)).numpy().tolist() == [3.0, 4.0]


def test_lists_of_tuples():
    def program(i):
        points = [(1, 0.5), (2, 1.5), (3, 2.5)]
        point = points.pop(i)
        points.insert(i, (4, 0.0))
        return point, points

    result = tf.function(program)(tf.constant(1))
    assert tf.nest.map_structure(float, result) == program(1)
