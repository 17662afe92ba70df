"""VGG19: shapes, names and inputs; its numbers are compared in `tests/runtime/oracle`."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras.applications import vgg19


def test_layers_of_the_net_are_found_by_name():
    model = keras.applications.VGG19(include_top=False, weights=None)
    assert model.get_layer("block4_conv2").output.shape.as_list() == [None, None, None, 512]
    assert model.count_params() == 20_024_384


@pytest.mark.parametrize("make", [np.asarray, tf.constant])
def test_inputs_are_blue_green_and_red_around_their_means(make):
    found = vgg19.preprocess_input(make(np.array([[[1, 2, 3]]], np.uint8)))
    assert isinstance(found, type(make([0.0])))
    np.testing.assert_allclose(np.asarray(found), [[[-100.939, -114.779, -122.68]]], rtol=1e-6)
