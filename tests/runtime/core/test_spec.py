"""Dtype and shape of tensors."""

import pickle

import numpy as np
import pytest

import runtime as tf
from runtime.core.spec import spec_of, spec_of_array, without_repetition

SPEC = tf.TensorSpec([None, 2], tf.float32, "x")


def test_specs_are_equal_by_dtype_and_shape():
    assert tf.TensorSpec([None, 2], tf.float32) == SPEC
    assert hash(tf.TensorSpec([None, 2], tf.float32)) == hash(SPEC)
    assert tf.TensorSpec([3, 2], tf.float32) != SPEC
    assert tf.TensorSpec([None, 2], tf.int32) != SPEC


def test_texts():
    assert repr(SPEC) == "TensorSpec(shape=(None, 2), dtype=tf.float32, name='x')"
    assert f"{SPEC} {tf.TensorSpec(None, tf.bool)}" == "float32[?,2] bool[...]"
    assert pickle.loads(pickle.dumps(SPEC)).name == "x"


@pytest.mark.parametrize(
    ("value", "fits"),
    [
        (tf.ones([3, 2]), True),
        (tf.TensorSpec([None, None], tf.float32), True),
        (tf.ones([3, 3]), False),
        (tf.ones([3, 2], tf.float64), False),
        (np.ones([3, 2], np.float32), False),
    ],
)
def test_compatible(value, fits):
    assert SPEC.is_compatible_with(value) is fits


def test_subtypes_have_the_name_or_none_is_asked_for():
    special = tf.TensorSpec([3, 2], tf.float32, "x")
    assert special.is_subtype_of(SPEC)
    assert not SPEC.is_subtype_of(special)
    assert not tf.TensorSpec([3, 2], tf.float32, "y").is_subtype_of(SPEC)
    assert not special.is_subtype_of(tf.float32)


def test_the_common_supertype_leaves_dimensions_open():
    common = SPEC.most_specific_common_supertype([tf.TensorSpec([4, 3], tf.float32, "x")])
    assert common == tf.TensorSpec([None, None], tf.float32)
    assert SPEC.most_specific_common_supertype([tf.TensorSpec([4, 2], tf.int32, "x")]) is None
    assert SPEC.most_specific_common_supertype([tf.TensorSpec([4, 2], tf.float32, "y")]) is None


def test_equal_specs_are_one_object():
    assert spec_of(tf.int32, (2,)) is spec_of(tf.int32, (2,))
    assert spec_of_array(np.ones(2, np.int32)) is spec_of(tf.int32, (2,))
    assert spec_of_array(np.ones(2, ">i4")).dtype is tf.int32


def test_arrays_that_repeat_one_element():
    assert without_repetition(np.broadcast_to(np.int8(1), (4, 4))).shape == ()
    column = np.broadcast_to(np.ones((4, 1)), (4, 4))
    assert without_repetition(column) is column


def test_only_tensors_have_a_spec():
    assert tf.TensorSpec.from_tensor(tf.constant([1, 2])) == tf.TensorSpec([2], tf.int32)
    with pytest.raises(ValueError, match=r"`tensor` should be a tf\.Tensor, but it is 2\.5"):
        tf.TensorSpec.from_tensor(2.5)
