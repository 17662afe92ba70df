"""Losses: configs; their numbers are compared with Keras elsewhere."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras import losses, metrics


@pytest.mark.parametrize("kind", losses.CLASSES, ids=lambda kind: kind.__name__)
def test_a_loss_is_created_anew_from_its_config_and_name(kind):
    loss = kind(reduction="sum")
    again = losses.deserialize(losses.serialize(loss))
    assert type(again) is kind
    assert again.get_config() == loss.get_config()
    assert type(losses.get(kind.__name__)) is kind


@pytest.mark.parametrize("function", [losses.binary_crossentropy, losses.categorical_crossentropy])
def test_a_crossentropy_needs_a_label_for_each_prediction(function):
    with pytest.raises(ValueError, match=r"\(3, 1\) and `y_pred` has shape \(3, 2\), which do not"):
        function([[0.0], [1.0], [1.0]], [[0.5, 0.5]] * 3)
    assert function([[0.0, 1.0]], [[0.5, 0.5]]).shape == (1,)


def test_a_loss_is_computed_in_single_precision_as_in_keras():
    doubles = np.ones([2, 2])
    assert losses.MeanSquaredError()(doubles, doubles).dtype == "float32"
    assert losses.mse(doubles, doubles).dtype == "float64"


NUMBERS = [losses.mse, losses.mae, losses.mean_absolute_percentage_error, losses.huber]


@pytest.mark.parametrize("function", [*NUMBERS, losses.binary_crossentropy])
@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "bool"])
def test_losses_of_integers_are_those_of_floats(function, dtype):
    labels, predictions = np.array([[0, 1, 1], [1, 1, 0]], dtype), np.array([[1, 1, 0]] * 2, dtype)
    found = function(labels, predictions)
    assert found.dtype == tf.float32
    expected = function(labels.astype(np.float32), predictions.astype(np.float32))
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize(
    "kind", [metrics.MeanAbsoluteError, metrics.MeanSquaredError, metrics.RootMeanSquaredError]
)
@pytest.mark.parametrize("dtype", [int, "uint8"])
def test_means_of_integers_are_not_truncated(kind, dtype):
    labels, predictions = np.array([0, 1, 1], dtype), np.array([1, 1, 1], dtype)
    expected = kind()(labels.astype(np.float32), predictions.astype(np.float32))
    assert kind()(labels, predictions).numpy() == expected.numpy() > 0


@pytest.mark.parametrize("function", losses.FUNCTIONS, ids=lambda function: function.__name__)
def test_the_name_of_a_function_is_the_function(function):
    assert losses.get(function.__name__) is function
    assert losses.serialize(function) == function.__name__
