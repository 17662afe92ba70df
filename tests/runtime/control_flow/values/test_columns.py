"""Columns: entries, rows, and other dtypes."""

import pytest

import runtime as tf
from runtime.control_flow.values.columns import Column, Rows
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


def test_rows_of_known_length_change_without_a_list():
    @tf.function
    def f(x, n):
        rows = Rows(x).with_entry(n, tf.constant(9))
        assert (rows.count, rows.spec) == (3, tf.TensorSpec([], tf.int32))
        return rows.rows(), rows.item(n), rows.with_dtype(dtypes.float32).rows()

    whole, item, floats = f(tf.constant([1, 2, 3]), tf.constant(1))
    assert (whole.numpy().tolist(), int(item)) == ([1, 9, 3], 9)
    assert floats.numpy().tolist() == [1.0, 9.0, 3.0]


def test_rows_become_a_list_of_unknown_length_only_with_rows_of_unknown_number():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(x):
        rows = Rows(tf.constant([1, 2, 3]))
        assert (rows.of_rows(x).count, rows.of_rows(x[:2]).count) == (None, None)
        assert rows.of_rows(tf.constant([4, 5])).count == 2
        return rows.of_rows(x).rows()

    assert f(tf.constant([7])).numpy().tolist() == [7]
