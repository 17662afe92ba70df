"""Columns: entries, rows, and other dtypes."""

import pytest

import runtime as tf
from runtime.control_flow.values.columns import Column
from runtime.core import dtypes


def test_a_column_of_rows_has_their_shape_and_gives_them_back():
    column = Column.from_rows(tf.constant([[1, 2], [3, 4]]))
    assert (column.spec, column.weak) == (tf.TensorSpec([2], tf.int32), False)
    assert column.item(1).numpy().tolist() == [3, 4]
    assert column.rows().numpy().tolist() == [[1, 2], [3, 4]]
    assert column.of_rows(tf.constant([[5, 6]])).rows().numpy().tolist() == [[5, 6]]


def test_rows_of_unknown_rank_are_entries_of_unknown_rank():
    @tf.function(input_signature=[tf.TensorSpec(None)])
    def rank(x):
        return tf.constant(Column.from_rows(x).spec.shape.rank is None)

    assert rank(tf.constant([1.0]))


@pytest.mark.parametrize("dtype", [dtypes.int32, dtypes.float64])
def test_another_dtype_converts_the_entries_and_the_same_one_keeps_the_column(dtype):
    column = Column.from_rows(tf.constant([1, 2]))
    other = column.with_dtype(dtype)
    assert (other is column) == (dtype is dtypes.int32)
    assert other.rows().dtype is dtype
    assert other.rows().numpy().tolist() == [1, 2]


def test_an_item_that_nothing_reads_is_out_of_range_as_in_python():
    @tf.function
    def f(n):
        items = []
        for k in tf.range(n):
            items.append(k)
        _item = items[2]
        return n

    assert f(tf.constant(3)).numpy() == 3
    with pytest.raises(IndexError, match="in f"):
        f(tf.constant(2))
