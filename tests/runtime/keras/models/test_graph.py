"""The calls between symbolic inputs and outputs of a model."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.models.small import X, functional, sequential


def test_functions_of_the_runtime_are_parts_of_functional_models():
    inputs = keras.Input((3,))
    model = keras.Model(inputs, tf.reduce_sum(tf.nn.relu(inputs), axis=1))
    np.testing.assert_allclose(model(X), np.maximum(X, 0.0).sum(1), rtol=1e-5)
    with pytest.raises(ValueError, match=r"applies the operation Relu .* cannot be saved"):
        model.to_json()


def test_features_of_inner_layers_are_outputs_of_another_model():
    model = sequential()
    model(X)
    features = keras.Model(model.inputs, [layer.output for layer in model.layers])
    hidden, outputs = features(X)
    np.testing.assert_allclose(hidden, model.layers[0](X), rtol=1e-6)
    np.testing.assert_array_equal(outputs, model(X))


def test_a_part_of_a_model_begins_at_an_inner_tensor():
    model = functional()
    assert model.get_layer(index=1) is model.layers[1]
    hidden = model.get_layer("hidden").output
    part = keras.Model(hidden, model.output)
    np.testing.assert_allclose(part(model.get_layer("hidden")(X)), model(X), rtol=1e-6)


def test_inputs_are_found_by_name_and_fitted():
    model = functional()
    np.testing.assert_array_equal(model({"inputs": X, "other": 1}), model(X))
    column = keras.Sequential([keras.Input((1,)), keras.layers.Dense(2)])
    assert column(np.ones(4)).shape == (4, 2)


def test_layers_are_shared_between_calls():
    shared = keras.layers.Dense(2)
    left, right = keras.Input((3,)), keras.Input((3,))
    model = keras.Model([left, right], [shared(left), shared(right)])
    first, second = model([X, X])
    np.testing.assert_array_equal(first, second)
    assert len(model.weights) == 2
