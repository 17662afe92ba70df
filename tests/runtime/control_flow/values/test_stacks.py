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


def test_rows_that_were_read_one_by_one_are_the_tensor_that_they_were_read_from():
    def program(grid, i):
        rows = [list(row) for row in grid]
        swapped = [grid[1], grid[0], grid[2]]
        return rows[i][i], swapped[i]

    staged = tf.function(program)
    arguments = tf.reshape(tf.range(9), [3, 3]), tf.constant(1)
    one, row = staged(*arguments)
    assert (int(one), row.numpy().tolist()) == (4, [0, 1, 2])
    operations = staged.get_concrete_function(*arguments).graph.operations
    packs = [op for op in operations if op.type == "Pack"]
    assert [len(op.inputs) for op in packs] == [3], "only the swapped rows are stacked"
