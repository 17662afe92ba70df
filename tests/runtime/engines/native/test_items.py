"""Memory of lists in machine code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import runtime as tf
from tests.runtime.engines.native.loops import check


def test_memory_of_a_list_grows_with_it():
    def f(n):
        items = []
        for i in range(n):
            items.append(i)
            items.append(items[i // 2] + 1)
        return tf.stack(items)

    (found,) = check(f, np.int32(10_000))
    assert len(found) == 20_000


def test_list_that_each_round_makes_begins_empty():
    def f(n):
        lengths = []
        for i in range(n):
            items = []
            for j in range(n - i):
                items.append(j)
            lengths.append(len(items))
        return tf.stack(lengths)

    (found,) = check(f, np.int32(5))
    assert found.tolist() == [5, 4, 3, 2, 1]


def test_entries_before_a_new_one_that_nothing_wrote_are_left_to_the_plan():
    def f(n):
        items = tf.TensorArray(tf.int32, 0, dynamic_size=True, element_shape=[])
        for i in tf.range(n):
            items = items.write(3 * i, i + 1)
        return items.stack()

    (found,) = check(f, np.int32(3))
    assert found.tolist() == [1, 0, 0, 2, 0, 0, 3]


def test_entries_of_unknown_shape_stay_in_the_plan():
    @tf.function(
        jit_compile=True, input_signature=[tf.TensorSpec([None]), tf.TensorSpec([], tf.int32)]
    )
    def f(x, n):
        items = [x]
        for i in tf.range(n):
            items.append(x * tf.cast(i, tf.float32))
        return tf.stack(items)

    assert f([1.0, 2.0], 2).numpy().tolist() == [[1.0, 2.0], [0.0, 0.0], [1.0, 2.0]]


def test_entries_move_where_others_are_removed_and_inserted():
    def f(n):
        row = tf.constant([1.0, 2.0])
        rows, numbers = [], []
        for i in range(n):
            row = row * 0.5 + 1.0
            rows.insert(len(rows) // 2, row)
            numbers.insert(0, i)
            if i % 3 == 2:
                rows.pop(1)
                del numbers[i // 3]
        return tf.stack(rows), tf.stack(numbers)

    check(f, np.int32(40))
    check(f, np.int32(1))
