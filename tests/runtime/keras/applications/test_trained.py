"""Variables of nets for images from local files; inputs."""

import numpy as np
import pytest

from runtime import keras
from runtime.keras.applications import trained

SMALL = {"input_shape": (32, 32, 3)}


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("KERAS_HOME", str(tmp_path))
    (tmp_path / "models").mkdir()
    return tmp_path / "models"


def test_variables_come_from_a_file_whose_absence_is_explained(home):
    with pytest.raises(FileNotFoundError, match=r"mobilenet_1\.00\.npz'.*\n.*MobileNet\(\)"):
        keras.applications.MobileNet(**SMALL)
    whole = keras.applications.MobileNet(**SMALL, weights=None)
    values = [np.full(each.shape, i, np.float32) for i, each in enumerate(whole.weights)]
    np.savez(home / "mobilenet_1.00.npz", *values)
    for options in ({}, {"include_top": False}):
        found = keras.applications.MobileNet(**SMALL, **options).get_weights()
        assert [array.max() for array in found] == list(range(len(found)))


def test_variables_of_another_net_are_refused(home):
    np.savez(home / "mobilenet_1.00.npz", *[np.zeros(3)] * 200)
    with pytest.raises(ValueError, match="shape"):
        keras.applications.MobileNet(**SMALL)


def test_variables_come_from_a_path(tmp_path):
    made = keras.applications.MobileNet(**SMALL, weights=None)
    made.save_weights(tmp_path / "own.weights.h5")
    found = keras.applications.MobileNet(**SMALL, weights=tmp_path / "own.weights.h5")
    for here, there in zip(found.get_weights(), made.get_weights(), strict=True):
        np.testing.assert_array_equal(here, there)


def test_what_no_net_can_take_is_refused():
    with pytest.raises(ValueError, match="height and width of 32 or more"):
        trained.image_input((16, 64, 3), True)
    with pytest.raises(ValueError, match="must be known"):
        trained.image_input((None, None, 3), True)


def test_other_nets_say_what_to_do_instead():
    with pytest.raises(AttributeError, match=r"'ResNet50'.* read variables with `model.set_weigh"):
        keras.applications.ResNet50()
