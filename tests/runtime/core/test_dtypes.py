import copy
import pickle

import numpy as np
import pytest

import runtime as tf

NUMBERS = [
    tf.int8, tf.int16, tf.int32, tf.int64, tf.uint8, tf.uint16, tf.uint32, tf.uint64, tf.float16,
    tf.float32, tf.float64, tf.complex64, tf.complex128,
]  # fmt: skip


@pytest.mark.parametrize("dtype", [*NUMBERS, tf.bool, tf.string])
def test_there_is_one_object_for_each_type(dtype):
    assert tf.as_dtype(dtype.name) is tf.as_dtype(dtype.as_datatype_enum) is dtype
    assert pickle.loads(pickle.dumps(dtype)) is copy.deepcopy(dtype) is dtype
    assert dtype == dtype.name
    assert dtype.is_compatible_with(dtype.name)
    assert str(dtype) == f"<dtype: '{dtype.name}'>"
    assert repr(dtype) == f"tf.{dtype.name}"


@pytest.mark.parametrize("dtype", NUMBERS)
def test_numbers(dtype):
    assert dtype.size == np.dtype(dtype.as_numpy_dtype).itemsize
    assert dtype.is_integer + dtype.is_floating + dtype.is_complex == 1
    assert dtype.is_unsigned == dtype.name.startswith("u")


def test_types_without_a_size():
    assert [d.size for d in (tf.string, tf.resource, tf.variant)] == [0, 0, 0]


@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (float, tf.float32), (bool, tf.bool), (object, tf.string), ("float", tf.float32),
        (np.float64, tf.float64), (np.dtype("int8"), tf.int8), (np.str_, tf.string),
        (1, tf.float32),
    ],
)  # fmt: skip
def test_what_stands_for_a_type(value, dtype):
    assert tf.as_dtype(value) is dtype


@pytest.mark.parametrize("value", [int, str, bytes, complex, None, "foo", "f4", "int", 999, [1]])
def test_what_stands_for_none(value):
    with pytest.raises(TypeError, match="Cannot convert the argument `type_value`: "):
        tf.as_dtype(value)
    assert tf.float32 != value


def test_a_tensor_is_no_dtype():
    with pytest.raises(TypeError, match=r"Cannot convert the argument `type_value`: <tf\.Tensor"):
        tf.as_dtype(tf.constant([2.0]))


def test_int_is_ambiguous():
    with pytest.raises(TypeError, match="Say which one: int32 or int64"):
        tf.cast(1.5, int)


def test_bfloat16_can_be_named_but_not_used():
    assert tf.float32 not in (tf.float16, tf.bfloat16)
    for name in (tf.bfloat16, "bfloat16"):
        with pytest.raises(
            TypeError, match=r"bfloat16 tensors are not supported.* float16, float32, float64"
        ):
            tf.constant(1, name)


def test_ranges():
    assert (tf.int8.min, tf.int8.max) == (-128, 127)
    assert tf.float32.max == np.finfo(np.float32).max


@pytest.mark.parametrize("dtype", [tf.bool, tf.complex64, tf.string])
def test_types_without_a_range(dtype):
    with pytest.raises(TypeError, match="Cannot find minimum value of"):
        _ = dtype.min
    with pytest.raises(TypeError, match="Cannot find maximum value of"):
        _ = dtype.max


def test_real_types():
    assert tf.complex64.real_dtype is tf.float32
    assert tf.complex128.real_dtype is tf.float64
    assert tf.int8.real_dtype is tf.int8
