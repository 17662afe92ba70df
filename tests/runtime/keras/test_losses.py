"""Losses: configs; their numbers are compared with Keras elsewhere."""

import pytest

from runtime.keras import losses


@pytest.mark.parametrize("kind", losses.CLASSES, ids=lambda kind: kind.__name__)
def test_a_loss_is_created_anew_from_its_config_and_name(kind):
    loss = kind(reduction="sum")
    again = losses.deserialize(losses.serialize(loss))
    assert type(again) is kind
    assert again.get_config() == loss.get_config()
    assert type(losses.get(kind.__name__)) is kind
