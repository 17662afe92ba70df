"""Models with trained variables are left out, and say so."""

import pytest

from runtime import keras


def test_a_model_with_trained_variables_says_what_to_do_instead():
    with pytest.raises(AttributeError, match=r"'ResNet50'.* read variables with `model.load_weigh"):
        keras.applications.ResNet50()
