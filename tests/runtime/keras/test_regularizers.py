"""Regularizers are losses of a layer."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras import regularizers
from tests.runtime.keras.base.own_layers import Affine


def test_an_activity_regularizer_adds_a_loss():
    layer = Affine(2, activity_regularizer="l2")
    outputs = layer(tf.ones([2, 3]))
    np.testing.assert_allclose(layer.losses[0], 0.01 * np.sum(outputs.numpy() ** 2) / 2, rtol=1e-5)


@pytest.mark.parametrize("factor", [-0.1, float("inf"), float("nan")])
def test_a_factor_is_finite_and_not_negative(factor):
    for kind in (regularizers.L1, regularizers.L2, regularizers.L1L2):
        with pytest.raises(
            ValueError, match=r"Invalid value for argument l[12]: expected a non-neg"
        ):
            kind(factor)


def test_names_of_keras_mean_regularizers():
    x = tf.constant([3.0, -4.0])
    assert [float(regularizers.get(name)(x)) for name in ("l1", "l2", "l1_l2")] == pytest.approx(
        [0.07, 0.25, 0.32]
    )
    again = regularizers.deserialize(regularizers.serialize(regularizers.L1L2(0.5, 1.0)))
    assert again.get_config() == {"l1": 0.5, "l2": 1.0}
