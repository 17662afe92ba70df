"""Tensors and shapes as messages."""

import numpy as np
import pytest

import runtime as tf
from runtime.export.messages import TensorProto, TensorShapeProto
from runtime.export.tensors import array_of, dims_of, shape_message, tensor_message

ARRAYS = [
    np.float32(1.5),
    np.arange(6, dtype=np.int64).reshape(2, 3),
    np.array([], np.float64),
    np.array([True, False]),
    np.array([1 + 2j, 3], np.complex64),
    np.array([1.5, -2], np.float16),
    np.float16(-0.5),
    np.array(7, np.uint8),
    np.array(2**63 + 1, np.uint64),
    np.array([b"a", b"\xff"], object),
    np.array(float("nan"), np.float32),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{np.asarray(array).dtype}")
def test_tensors_come_back(array):
    dtype = tf.as_dtype(np.asarray(array).dtype)
    message = TensorProto.FromString(tensor_message(array, dtype).SerializeToString())
    back = array_of(message)
    assert back.dtype == np.asarray(array).dtype
    np.testing.assert_array_equal(back, array)


def test_elements_that_are_left_out_are_like_the_last():
    message = TensorProto(dtype=1, float_val=[1.0, 2.0])
    message.tensor_shape.CopyFrom(shape_message((2, 2)))
    np.testing.assert_array_equal(array_of(message), [[1, 2], [2, 2]])


@pytest.mark.parametrize(
    ("fields", "dims", "text"),
    [
        ({"dtype": 1, "tensor_content": b"123"}, (1,), "has 3 bytes"),
        ({"dtype": 1, "float_val": [1.0, 2.0]}, (1,), "2 elements do not fit"),
        ({"dtype": 1, "float_val": [1.0, 2.0]}, (10**9, 10**9), "at most 1048576"),
        ({"dtype": 1, "float_val": [1.0]}, (None,), "has no value"),
        ({"dtype": 999}, (), "not known"),
        ({"dtype": 20}, (), "has no value"),
    ],
)
def test_tensors_that_are_none(fields, dims, text):
    message = TensorProto(**fields)
    message.tensor_shape.CopyFrom(shape_message(dims))
    with pytest.raises(ValueError, match=text):
        array_of(message)


def test_shapes_come_back():
    for dims in ((), (2, None), None):
        assert dims_of(TensorShapeProto.FromString(shape_message(dims).SerializeToString())) == dims
    message = TensorShapeProto()
    message.dim.add(size=-2)
    with pytest.raises(ValueError, match="size -2"):
        dims_of(message)
