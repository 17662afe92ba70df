import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, "int32"),
        (2**40, "int64"),
        (1.5, "float32"),
        (True, "bool"),
        ("text", "string"),
        ([1, 2.5], "float32"),
        ([[10, 10], [11.0, 1.0]], "float32"),
        ([], "float32"),
        (1j, "complex128"),
        (np.arange(3), "int64"),
        (np.array([1.0]), "float64"),
        (np.float64(1), "float64"),
        ([np.float64(1)], "float64"),
    ],
)
def test_natural_dtypes(value, dtype):
    assert tf.convert_to_tensor(value).dtype == dtype


@pytest.mark.parametrize("value", [[[1], [2, 3]], object(), [object()], 10**30])
def test_what_is_no_tensor_is_refused(value):
    with pytest.raises((TypeError, ValueError)):
        tf.convert_to_tensor(value)


def test_python_numbers_take_the_dtype_of_the_tensor():
    assert (tf.constant(1.0, tf.float64) + 1).dtype == tf.float64
    assert (1 + tf.constant(1, tf.int64)).dtype == tf.int64
    assert (tf.constant([1.0]) * np.array([2.0])).dtype == tf.float32


def test_a_python_float_does_not_turn_an_integer_tensor_into_a_float():
    with pytest.raises(TypeError):
        tf.constant(1) + 0.5


def test_two_dtypes_are_refused_by_name():
    left, right = tf.constant([1.0, 2.0]), tf.constant(1)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        left + right
    assert "`left` is float32[2]" in str(caught.value)
    assert "`right` is int32[]" in str(caught.value)
    assert "runtime.cast(x, runtime.float32)" in str(caught.value)
    assert isinstance(caught.value, TypeError)


def test_lists_that_hold_tensors_are_packed():
    packed = tf.convert_to_tensor([tf.constant(1.0), 2])
    np.testing.assert_array_equal(packed.numpy(), [1.0, 2.0])
    assert packed.dtype == tf.float32


def test_what_does_not_fit_the_dtype_is_refused():
    with pytest.raises(TypeError):
        tf.constant(1.5, tf.int32)
    with pytest.raises(ValueError, match="does not fit"):
        tf.constant(300, tf.int8)


def test_an_array_that_changes_later_does_not_change_the_tensor():
    array = np.zeros(2)
    tensor = tf.constant(array)
    array[0] = 5
    tensor.numpy()[1] = 7
    np.testing.assert_array_equal(tensor.numpy(), [0, 0])
