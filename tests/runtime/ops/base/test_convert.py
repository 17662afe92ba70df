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


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([1, "a"], "mixed types"),
        (["a", 1], "mixed types"),
        ([True, 1], "mixed types"),
        ([1, 1j], "mixed types"),
        ([[1], [1, 2]], "non-rectangular"),
        ([1, [2]], "non-rectangular"),
        (2**70, "out-of-range integer"),
        ([2**63], "out-of-range integer"),
        (1e40, "out of range for a double-precision float"),
        ([1.5, -1e40], "out of range for a double-precision float"),
        (
            None,
            r"Attempt to convert a value \(None\) with an unsupported type \(<class 'NoneType'>",
        ),
        ([1, None], r"Attempt to convert a value \(None\)"),
        ({"a": 1}, "unsupported type"),
        (iter([1]), "unsupported type"),
        (np.array([1, "a"], object), "Unsupported object type int"),
        (np.datetime64("2020"), "Failed to convert a NumPy array"),
        (tf.TensorShape([1, None]), "partially known TensorShape"),
    ],
)
@pytest.mark.parametrize("traced", [False, True])
def test_words_for_what_is_no_tensor(value, words, traced):
    convert = tf.function(lambda: tf.convert_to_tensor(value)) if traced else tf.convert_to_tensor
    with pytest.raises(ValueError, match=words):
        convert() if traced else convert(value)


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


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        ([np.int64(1), 2], "int32"),
        ([np.int64(2**40)], "int64"),
        ([np.float16(1), 2.5], "float16"),
        ([1.5, np.float64(1)], "float32"),
        ([np.array([1.5])], "float64"),
        ([2**40, 1.5], "float32"),
        (["a", b"b"], "string"),
        (range(3), "int32"),
        (bytearray(b"ab"), "int32"),
    ],
)
def test_the_first_element_decides(value, dtype):
    assert tf.constant(value).dtype == dtype


def test_strings_keep_all_bytes():
    assert tf.constant([b"a\0", "é"]).numpy().tolist() == [b"a\0", "é".encode()]


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


def test_a_tensor_of_another_dtype_is_not_converted():
    with pytest.raises(
        ValueError, match="Tensor conversion requested dtype float32 for Tensor with dtype int32"
    ):
        tf.convert_to_tensor(tf.constant(1), tf.float32)


def test_objects_with_an_array():
    class Box:
        def __array__(self, dtype=None, copy=None):
            return np.array([1, 2], np.uint8)

    assert tf.convert_to_tensor(Box()).dtype == tf.uint8
    assert (tf.constant([1, 1]) + Box()).dtype == tf.int32


def test_arrays_of_integers_take_a_dtype_that_the_op_takes():
    image, filters = [[[[3.0]]]], [[[[2.0]]]]
    taken = tf.nn.conv2d_transpose(image, filters, np.ones(4, np.int64), 1)
    assert taken.numpy().tolist() == [[[[6.0]]]]
    for wrong in (np.array([1, 2**40, 1, 1]), np.array([1.0, 1.0, 1.0, 1.0])):
        with pytest.raises(tf.errors.InvalidArgumentError):
            tf.nn.conv2d_transpose(image, filters, wrong, 1)


def test_lists_of_tensors_of_another_dtype():
    halves = [tf.constant(0.5), tf.constant(1.5)]
    with pytest.raises(ValueError, match="Tensor conversion requested dtype int32 for Tensor with"):
        tf.convert_to_tensor(halves, tf.int32)
    assert tf.convert_to_tensor(halves, tf.float32).numpy().tolist() == [0.5, 1.5]


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
