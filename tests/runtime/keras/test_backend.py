"""Names of `keras.backend` that programs still use."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

backend = keras.backend


def test_a_value_is_set_in_the_dtype_of_its_variable():
    v = tf.Variable([1.0, 2.0])
    backend.set_value(v, np.array([3, 4], np.int64))
    assert backend.get_value(v).tolist() == [3.0, 4.0]
    with pytest.raises(ValueError, match=r"shape"):
        backend.set_value(v, [1.0])


def test_names_of_layers_start_anew_with_the_session():
    backend.clear_session()
    assert keras.layers.Dense(1).name == "dense"
    assert keras.layers.Dense(1).name == "dense_1"
    backend.clear_session()
    assert keras.layers.Dense(1).name == "dense"


def test_what_is_left_out_names_the_operations_of_the_runtime():
    with pytest.raises(AttributeError, match="use the operations of `tf`"):
        backend.bias_add()
