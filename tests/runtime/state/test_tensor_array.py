import numpy as np
import pytest

import runtime as tf
from runtime.ops.lists import ListValue


def test_write_read_stack():
    ta = tf.TensorArray(tf.float32, size=2)
    ta = ta.write(0, 1.0).write(1, 2.0)
    assert float(ta.read(1)) == 2.0
    assert int(ta.size()) == 2
    np.testing.assert_array_equal(ta.stack().numpy(), [1, 2])


def test_unstack_gather_concat():
    ta = tf.TensorArray(tf.int32, size=2).unstack([[1, 2], [3, 4]])
    np.testing.assert_array_equal(ta.read(1).numpy(), [3, 4])
    np.testing.assert_array_equal(ta.gather([1, 0]).numpy(), [[3, 4], [1, 2]])
    np.testing.assert_array_equal(ta.concat().numpy(), [1, 2, 3, 4])


@pytest.mark.parametrize("index", [2, -1])
def test_out_of_bounds(index):
    with pytest.raises(tf.errors.InvalidArgumentError, match="size is: 2|negative indices"):
        tf.TensorArray(tf.float32, size=2).write(index, 1.0)


def test_reading_what_was_never_written():
    with pytest.raises(tf.errors.InvalidArgumentError, match="never written"):
        tf.TensorArray(tf.float32, size=2).read(0)


def test_elements_of_one_dtype_and_shape():
    ta = tf.TensorArray(tf.float32, size=2).write(0, [1.0, 2.0])
    with pytest.raises(ValueError, match="Incompatible shape for value"):
        ta.write(1, 1.0)
    with pytest.raises(TypeError):
        ta.write(1, tf.constant([1, 2]))


@pytest.mark.parametrize("dynamic", [True, False])
def test_in_a_loop(dynamic):
    @tf.function
    def squares(n):
        ta = tf.TensorArray(tf.int32, size=0 if dynamic else n, dynamic_size=dynamic)
        for i in tf.range(n):
            ta = ta.write(i, i * i)
        return ta.stack()

    np.testing.assert_array_equal(squares(tf.constant(4)).numpy(), [0, 1, 4, 9])
    np.testing.assert_array_equal(squares(tf.constant(0)).numpy(), [])


def test_versions_of_a_list_are_independent():
    empty = ListValue.of([])
    one = empty.appended("a")
    two, other = one.appended("b"), one.appended("c")
    changed = two.with_item(0, "z")
    assert [v.entries() for v in (empty, one, two, other, changed)] == [
        [],
        ["a"],
        ["a", "b"],
        ["a", "c"],
        ["z", "b"],
    ]
    assert two.resized(1).appended("d").entries() == ["a", "d"]
    assert two.resized(3).entries() == ["a", "b", None]
