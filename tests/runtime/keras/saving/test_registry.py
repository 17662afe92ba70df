"""Objects become JSON-compatible configs and come back."""

import json

import numpy as np
import pytest

import runtime as tf
from runtime.keras.base.variable import DTypePolicy
from runtime.keras.saving.registry import (
    custom_object_scope,
    deserialize,
    get_registered_object,
    register_keras_serializable,
    serialize,
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
    text = json.dumps(serialize(value))
    assert deserialize(json.loads(text)) == value


def test_arrays_and_tensors_come_back_with_their_dtype():
    array = deserialize(serialize(np.ones([2], np.int16)))
    tensor = deserialize(serialize(tf.constant([1, 2], tf.int64)))
    assert array.dtype == np.int16 and tensor.dtype is tf.int64


def test_objects_of_the_package_are_found_under_their_public_module():
    config = serialize(DTypePolicy("float16"))
    assert config["module"] == "keras" and config["registered_name"] is None
    assert config["config"] == {"name": "float16"}


def test_classes_of_a_program_are_found_where_they_are_named():
    config = serialize(Pair(1, 2))
    with pytest.raises(TypeError, match=r"Could not locate 'Pair'.*custom_objects={'Pair': Pair}"):
        deserialize(config)
    assert deserialize(config, {"Pair": Pair}).right == 2
    with custom_object_scope({"Pair": Pair}):
        assert deserialize(config).left == 1
    assert get_registered_object("Pair") is None


def test_registered_classes_are_found_everywhere():
    register_keras_serializable("tests", "Couple")(Pair)
    config = serialize(Pair(1, 2))
    assert config["registered_name"] == "tests>Couple"
    assert deserialize(config).left == 1


def test_functions_are_saved_by_name_and_lambdas_are_refused():
    config = serialize(triple)
    assert deserialize(config, {"triple": triple}) is triple
    with pytest.raises(ValueError, match="Cannot save a lambda"):
        serialize(lambda x: x)


def test_modules_outside_the_package_are_not_searched():
    with pytest.raises(TypeError, match="Could not locate"):
        deserialize({"module": "os", "class_name": "system", "config": {}})
    with pytest.raises(TypeError, match="Could not locate"):
        deserialize({"module": "keras.saving", "class_name": "np", "config": {}})


def test_objects_without_a_config_are_refused():
    with pytest.raises(TypeError, match="Cannot serialize"):
        serialize(object())


def test_classes_without_a_config_cannot_be_registered():
    with pytest.raises(ValueError, match="has a `get_config"):
        register_keras_serializable()(type("Empty", (), {}))
