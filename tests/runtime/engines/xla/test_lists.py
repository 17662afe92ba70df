"""Lists of arrays that a loop fills are the rows of one array, or Python."""

import numpy as np
import pytest

pytest.importorskip("jax")

import runtime as tf
from tests.runtime.engines.xla.programs import check

pytestmark = pytest.mark.sample

X = np.array([1.5, -2.0, 0.25, 3.0], np.float32)


def filled(n):
    rows = tf.TensorArray(tf.float32, 5)
    for i in tf.range(5):
        rows = rows.write(i, tf.cast(i * n, tf.float32))
    return rows.stack()


def appended(x):
    squares = []
    for i in tf.range(4):
        squares.append(x[i] * x[i])
    return tf.stack(squares)


def read_while_it_grows(x):
    sums = [x[0]]
    for i in tf.range(1, 4):
        sums.append(sums[i - 1] + x[i])
    return tf.stack(sums), sums[-1]


@pytest.mark.parametrize(
    ("program", "array"), [(filled, np.int32(3)), (appended, X), (read_while_it_grows, X)]
)
def test_a_list_has_the_rows_of_the_plan(program, array):
    check(program, array)


def test_an_entry_out_of_range_is_the_error_of_the_plan():
    def program(x, n):
        rows = tf.TensorArray(tf.float32, 3, clear_after_read=False, element_shape=[])
        for i in tf.range(3):
            rows = rows.write(i, x[i] * 2.0)
        return rows.read(n)

    assert check(program, X, np.int32(2))[0] == 0.5
    with pytest.raises(tf.errors.OutOfRangeError, match="index 3"):
        tf.function(program, jit_compile=True)(X, np.int32(3))
