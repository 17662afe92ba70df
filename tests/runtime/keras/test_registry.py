"""Objects become JSON-compatible configs and come back."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime.keras.base.variable import DTypePolicy
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize_keras_object,
    get_registered_object,
    register_keras_serializable,
    serialize_keras_object,
)

VALUES = {
    "numbers": [1, 2.5, None, True, "text"],
    "tuple": (1, (2, "a")),
    "dict": {"a": (1,), "b": [None]},
    "slice": slice(1, None, 2),
    "ellipsis": ...,
}


class Pair:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def get_config(self):
        return {"left": self.left, "right": self.right}

    @classmethod
    def from_config(cls, config):
        return cls(**config)


def triple(x):
    return 3 * x


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES)
def test_values_come_back_from_json(value):
    text = json.dumps(serialize_keras_object(value))
    assert deserialize_keras_object(json.loads(text)) == value


def test_arrays_and_tensors_come_back_with_their_dtype():
    array = deserialize_keras_object(serialize_keras_object(np.ones([2], np.int16)))
    tensor = deserialize_keras_object(serialize_keras_object(tf.constant([1, 2], tf.int64)))
    assert array.dtype == np.int16 and tensor.dtype is tf.int64


def test_objects_of_the_package_are_found_under_their_public_module():
    config = serialize_keras_object(DTypePolicy("float16"))
    assert config["module"] == "keras" and config["registered_name"] is None
    assert config["config"] == {"name": "float16"}


def test_classes_of_a_program_are_found_where_they_are_named():
    config = serialize_keras_object(Pair(1, 2))
    with pytest.raises(TypeError, match=r"Could not locate 'Pair'.*custom_objects={'Pair': Pair}"):
        deserialize_keras_object(config)
    assert deserialize_keras_object(config, {"Pair": Pair}).right == 2
    with custom_object_scope({"Pair": Pair}):
        assert deserialize_keras_object(config).left == 1
    assert get_registered_object("Pair") is None


def test_registered_classes_are_found_everywhere():
    register_keras_serializable("tests", "Couple")(Pair)
    config = serialize_keras_object(Pair(1, 2))
    assert config["registered_name"] == "tests>Couple"
    assert deserialize_keras_object(config).left == 1


def test_functions_are_saved_by_name_and_lambdas_are_refused():
    config = serialize_keras_object(triple)
    assert deserialize_keras_object(config, {"triple": triple}) is triple
    with pytest.raises(ValueError, match="Cannot save a lambda"):
        serialize_keras_object(lambda x: x)


def test_modules_outside_the_package_are_not_searched():
    with pytest.raises(TypeError, match="Could not locate"):
        deserialize_keras_object({"module": "os", "class_name": "system", "config": {}})
    with pytest.raises(TypeError, match="Could not locate"):
        deserialize_keras_object({"module": "keras.saving", "class_name": "np", "config": {}})


def test_objects_without_a_config_are_refused():
    with pytest.raises(TypeError, match="Cannot serialize"):
        serialize_keras_object(object())


def test_classes_without_a_config_cannot_be_registered():
    with pytest.raises(ValueError, match="has a `get_config"):
        register_keras_serializable()(type("Empty", (), {}))
