import numpy as np
import pytest

import runtime as tf


def test_python_numbers_take_the_dtype_of_the_tensor():
    assert (tf.constant(1.0, tf.float64) + 1).dtype == tf.float64
    assert (1 + tf.constant(1, tf.int64)).dtype == tf.int64
    assert (tf.constant([1.0]) * np.array([2.0])).dtype == tf.float32


def test_a_python_float_does_not_turn_an_integer_tensor_into_a_float():
    with pytest.raises(TypeError):
        tf.constant(1) + 0.5


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


def test_double_precision_is_kept():
    third = 1 / 3
    for x in (
        tf.constant(third, tf.float64),
        tf.constant([third], tf.float64)[0],
        tf.constant(0.0, tf.float64) + third,
        tf.convert_to_tensor(third, dtype_hint=tf.float64),
        tf.function(lambda: tf.constant(0.0, tf.float64) + third)(),
    ):
        assert float(x) == third


@pytest.mark.parametrize(("value", "dtype"), [(300, tf.uint8), (-1, tf.uint8), ([128], tf.int8)])
def test_integers_do_not_become_others(value, dtype):
    with pytest.raises(ValueError, match="does not fit into"):
        tf.constant(value, dtype)
    assert int(tf.constant(127, tf.int8)) == 127


def test_truth_values_are_numbers_where_numbers_are_wanted():
    assert int(tf.constant(True, tf.int32)) == 1
    assert float(tf.constant(3.0) + True) == 4.0
    assert tf.constant([1, True]).numpy().tolist() == [1, 1]
    assert (tf.constant(True) + 1).numpy() == 2


def test_empty_lists_take_any_dtype():
    assert tf.concat([[1], []], 0).dtype == tf.int32
    assert tf.add(tf.constant([], tf.int64), []).dtype == tf.int64
    assert tf.constant([]).dtype == tf.float32


def test_arrays_take_the_dtype_of_a_tensor_if_nothing_is_lost():
    assert (tf.constant([1, 2]) + np.array([1, 2])).dtype == tf.int32
    assert (np.array([1, 2]) * tf.constant([1.0, 2.0])).dtype == tf.float32
    for lossy in (np.array([1.5, 2.0]), np.array([2**40, 1])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="cannot compute AddV2"):
            tf.constant([1, 2]) + lossy


def test_arrays_of_integers_take_a_dtype_that_the_op_takes():
    image, filters = [[[[3.0]]]], [[[[2.0]]]]
    taken = tf.nn.conv2d_transpose(image, filters, np.ones(4, np.int64), 1)
    assert taken.numpy().tolist() == [[[[6.0]]]]
    for wrong in (np.array([1, 2**40, 1, 1]), np.array([1.0, 1.0, 1.0, 1.0])):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.nn.conv2d_transpose(image, filters, wrong, 1)


@pytest.mark.parametrize("value", [3.4028235e38, -3.4028235e38, [1.0, 3.4028235e38]])
def test_the_largest_float32_as_it_is_written(value):
    assert tf.constant(value).dtype == tf.float32
    assert np.isfinite(tf.constant(value).numpy()).all()


@pytest.mark.parametrize("value", [3.4028236e38, -1e39, [1.0, 1e300]])
def test_more_than_the_largest_float32(value):
    with pytest.raises(ValueError, match="does not fit into float32"):
        tf.constant(value)


KINDS = ["i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"]
BIG_ENDIAN = [np.dtype(kind).newbyteorder(">") for kind in KINDS]


@pytest.mark.parametrize("dtype", BIG_ENDIAN, ids=str)
def test_big_endian_array_is_taken(dtype):
    array = np.array([1, 2, 3], dtype)
    native = array.astype(dtype.newbyteorder("="))
    assert tf.as_dtype(dtype) is tf.as_dtype(native.dtype)
    for tensor in (
        tf.constant(array),
        tf.convert_to_tensor(array),
        tf.function(lambda x: tf.identity(x))(array),
        tf.function(lambda: tf.constant(array))(),
        tf.Variable(array).read_value(),
        tf.stack(list(array)),
        tf.cast(array, native.dtype),
    ):
        assert tensor.numpy().dtype == native.dtype
        assert tensor.numpy().dtype.isnative
        assert tensor.numpy().tolist() == native.tolist()


def test_big_endian_array_is_an_operand():
    array = np.array([[1, 2], [3, 4]], ">f4")
    assert (tf.ones([2, 2]) + array).numpy().tolist() == [[2, 3], [4, 5]]
    assert tf.matmul(array, array).numpy().tolist() == [[7, 10], [15, 22]]
    decorated = tf.function(lambda x: x * 2.0)
    decorated(array), decorated(array.astype(np.float32))
    assert decorated.experimental_get_tracing_count() == 1


@pytest.mark.parametrize("make", [tf.constant, tf.convert_to_tensor, tf.Variable])
@pytest.mark.parametrize(
    "value",
    [2**64 - 1, 2**63, 0, [2**64 - 1], [2**64 - 1, 1], [[0], [2**63]], (2**63 - 1, 2**63)],
    ids=str,
)
def test_uint64_holds_all_its_numbers(make, value):
    tensor = make(value, dtype=tf.uint64)
    assert tensor.numpy().tolist() == np.array(value, np.uint64).tolist()
    traced = tf.function(lambda: tf.constant(value, tf.uint64))()
    assert traced.numpy().tolist() == tensor.numpy().tolist()


def test_python_number_meets_a_tensor_of_uint64():
    zeros = tf.zeros([2], tf.uint64)
    assert (zeros + (2**64 - 1)).numpy().tolist() == [2**64 - 1] * 2
    assert tf.add(zeros, [2**64 - 1, 1]).numpy().tolist() == [2**64 - 1, 1]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (2**64, tf.uint64),
        (-1, tf.uint64),
        ([2**64 - 1, -1], tf.uint64),
        ([2**64, 0], tf.uint64),
        ([2**63, 0], tf.int64),
        ([2**63, 0], None),
        (2**63, None),
        (256, tf.uint8),
        (-1, tf.uint8),
    ],
    ids=str,
)
def test_integer_that_does_not_fit_is_refused(value, dtype):
    with pytest.raises(ValueError, match="out-of-range integer"):
        tf.constant(value, dtype)
