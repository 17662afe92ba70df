"""Errors for operands whose dtypes do not fit name both dtypes."""

import pytest

import runtime as tf


def test_two_dtypes_are_refused_by_name():
    left, right = tf.constant([1.0, 2.0]), tf.constant(1)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        left + right
    assert "`left` is float32[2]" in str(caught.value)
    assert "`right` is int32[]" in str(caught.value)
    assert "runtime.cast(x, runtime.float32)" in str(caught.value)
    assert isinstance(caught.value, TypeError)


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1.5, tf.int32),
        ([1.5], tf.int64),
        ("a", tf.int32),
        (1, tf.string),
        (1, tf.bool),
        (1j, "float32"),
    ],
)
def test_words_for_another_dtype(value, dtype):
    name = tf.as_dtype(dtype).type_word
    with pytest.raises(TypeError, match=f"Cannot convert .* to EagerTensor of dtype {name}"):
        tf.constant(value, dtype)
    with pytest.raises(TypeError, match=f"Expected {tf.as_dtype(dtype).name}, but got"):
        tf.function(lambda: tf.constant(value, dtype))()


def test_a_tensor_of_another_dtype_is_not_converted():
    with pytest.raises(
        ValueError, match="Tensor conversion requested dtype float32 for Tensor with dtype int32"
    ):
        tf.convert_to_tensor(tf.constant(1), tf.float32)


def test_lists_of_tensors_of_another_dtype():
    halves = [tf.constant(0.5), tf.constant(1.5)]
    with pytest.raises(ValueError, match="Tensor conversion requested dtype int32 for Tensor with"):
        tf.convert_to_tensor(halves, tf.int32)
    assert tf.convert_to_tensor(halves, tf.float32).numpy().tolist() == [0.5, 1.5]
