import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    "value", [tf.constant(1), tf.Variable(1.0), 2, "text", b"bytes", [1, [2]], np.ones(2)]
)
def test_what_converts_to_a_tensor_is_an_instance_of_tensor_like(value):
    assert isinstance(value, tf.types.experimental.TensorLike)


def test_objects_and_dicts_are_not():
    assert not isinstance(object(), tf.types.experimental.TensorLike)
    assert not isinstance({"a": 1}, tf.types.experimental.TensorLike)


def test_functions_are_instances_of_their_types():
    function = tf.function(lambda x: x + 1.0)
    assert isinstance(function, tf.types.experimental.GenericFunction)
    concrete = function.get_concrete_function(tf.TensorSpec([]))
    assert isinstance(concrete, tf.types.experimental.ConcreteFunction)
    assert set(dir(tf.types.experimental)) == set(tf.types.experimental.__all__)
