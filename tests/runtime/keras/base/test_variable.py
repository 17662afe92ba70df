"""Variables of layers, and the dtypes in which a layer computes and holds them."""

import numpy as np

import runtime as tf
from runtime import keras
from tests.runtime.keras.base.own_layers import Affine
from tests.runtime.keras.training.models import REAL, X, fit, model_of


def test_a_mixed_precision_model_scales_its_loss():
    keras.mixed_precision.set_global_policy("mixed_float16")
    try:
        model = model_of(optimizer="sgd", loss="mse")
    finally:
        keras.mixed_precision.set_global_policy("float32")
    assert isinstance(model.optimizer, keras.optimizers.LossScaleOptimizer)
    losses = fit(model, X, REAL, epochs=5)["loss"]
    assert losses[-1] < losses[0]


def test_floats_are_cast_to_the_dtype_of_the_layer():
    layer = Affine(2)
    assert layer(np.ones([1, 3])).dtype is tf.float32
    mixed = Affine(2, dtype="mixed_float16")
    assert mixed(np.ones([1, 3])).dtype is tf.float16
    assert mixed.kernel.dtype is tf.float32
