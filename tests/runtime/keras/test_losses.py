"""Losses: configs; their numbers are compared with Keras elsewhere."""

import numpy as np
import pytest

from runtime.keras import losses


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
