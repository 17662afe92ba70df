import pytest

import runtime as tf


@pytest.mark.parametrize("dtype", ["float32", "int32", "string", "bool"])
def test_handles_of_variables_are_not_cast(dtype):
    handle = tf.Variable([1.0]).handle
    with pytest.raises(tf.errors.UnimplementedError, match=f"Cast resource to {dtype} is not"):
        tf.cast(handle, dtype)


def test_strings_are_cast_by_functions_of_their_own():
    for value, dtype in ((["1"], "int32"), ([1], "string")):
        with pytest.raises(tf.errors.UnimplementedError, match="as_string or"):
            tf.cast(value, dtype)
    assert tf.cast(["a"], "string").numpy().tolist() == [b"a"]


def test_saturated_numbers_are_clipped_to_the_range_of_the_dtype():
    assert tf.saturate_cast([-1, 300], "uint8").numpy().tolist() == [0, 255]
    assert tf.saturate_cast([1e20, -1e20], "int32").numpy().tolist() == [2147483520, -(2**31)]
    assert tf.saturate_cast([1 + 2j], "float32").numpy().tolist() == [1.0]


def test_casts_that_saturate():
    cast = tf.saturate_cast
    assert cast([300, -5], tf.int8).numpy().tolist() == [127, -5]
    assert cast([300.0, -1.5], tf.uint8).numpy().tolist() == [255, 0]
    assert cast([1e20], tf.int32).numpy()[0] == 2147483520


def test_strings_are_not_cast():
    with pytest.raises(tf.errors.UnimplementedError, match="to_number"):
        tf.cast("1", tf.int32)
