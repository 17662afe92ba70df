import pytest

import runtime as tf
from runtime.core.shapes import broadcast, generalise, includes


def test_text():
    assert str(tf.TensorShape([2, None])) == "(2, None)"
    assert repr(tf.TensorShape(None)) == "TensorShape(None)"
    assert str(tf.TensorSpec([None, 2], tf.float32)) == "float32[?,2]"


def test_sequence():
    shape = tf.TensorShape([2, None, 3])
    assert shape[0] == 2
    assert shape[1:] == [None, 3]
    assert list(shape) == [2, None, 3]
    assert shape.num_elements() is None
    assert shape.concatenate([4]).as_list() == [2, None, 3, 4]


def test_unknown_rank():
    shape = tf.TensorShape(None)
    assert shape.rank is None
    assert not shape
    with pytest.raises(ValueError, match="unknown"):
        len(shape)


def test_merge():
    assert tf.TensorShape([2, None]).merge_with([None, 3]) == [2, 3]
    with pytest.raises(ValueError, match="not compatible"):
        tf.TensorShape([2]).merge_with([3])


def test_rules():
    assert broadcast((3, 1), (None,)) == (3, None)
    assert generalise((2, 3), (2, 4)) == (2, None)
    assert generalise((2,), (2, 3)) is None
    assert includes((None, 2), (5, 2))
    assert not includes((5, 2), (None, 2))


@pytest.mark.parametrize("dims", [[-1], ["a"], 1.5])
def test_what_is_no_shape(dims):
    with pytest.raises((TypeError, ValueError, AttributeError)):
        tf.TensorShape(dims)
