"""Sums and means over samples, with weights and masks."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from runtime.keras import reductions

VALUES = tf.constant([[1.0, 2.0], [3.0, 6.0]])


@pytest.mark.parametrize(
    ("reduction", "weights", "expected"),
    [
        ("sum", None, 12.0),
        ("sum_over_batch_size", None, 3.0),
        ("sum_over_batch_size", [[1.0, 0.0], [0.0, 1.0]], 7 / 4),
        ("none", [[2.0], [0.0]], [[2.0, 4.0], [0.0, 0.0]]),
        ("none", [2.0, 0.0], [[2.0, 4.0], [0.0, 0.0]]),
    ],
)
def test_weighted_numbers_are_reduced(reduction, weights, expected):
    weights = None if weights is None else tf.constant(weights)
    found = reductions.reduce_values(VALUES, weights, None, reduction)
    np.testing.assert_allclose(found, expected)


@pytest.mark.parametrize("samples", [3, 5])
@pytest.mark.parametrize("masked", [False, True])
def test_a_weight_of_a_sample_counts_for_all_steps_of_its_sequence(samples, masked):
    steps = np.random.default_rng(0).uniform(0.1, 1.0, (samples, 5, 2)).astype(np.float32)
    results = []
    for weights in (np.arange(samples), np.repeat(np.arange(samples)[:, None], 5, 1)):
        first = [keras.layers.Masking(0.0)] if masked else []
        last = keras.layers.Dense(1, kernel_initializer="ones")
        model = keras.Sequential([keras.Input((5, 2)), *first, last])
        model.compile("sgd", "mse", weighted_metrics=["mae"])
        fitted = model.fit(
            steps, steps[..., :1] * 3, sample_weight=weights.astype(np.float32), verbose=0
        )
        results.append([fitted.history["loss"], fitted.history["mae"], *model.get_weights()])
    for one, other in zip(*results, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_masked_numbers_do_not_count_in_a_mean():
    mask = tf.constant([[True, False], [True, True]])
    found = reductions.reduce_values(VALUES, None, mask, "sum_over_batch_size")
    np.testing.assert_allclose(found, 10 / 3, rtol=1e-6)


def test_a_last_axis_of_length_1_is_added_or_removed():
    one, other = reductions.same_rank(tf.ones([3, 1]), tf.ones([3]))
    assert one.shape == other.shape
    one, other = reductions.same_rank(tf.ones([3, 2]), tf.ones([3]))
    assert (one.shape, other.shape) == ([3, 2], [3])


def test_a_loss_of_a_program_is_reduced_as_those_of_the_package():
    class Absolute(keras.losses.Loss):
        def call(self, y_true, y_pred):
            return tf.reduce_mean(tf.abs(y_true - y_pred), axis=-1)

    y_true, y_pred = [[1.0, 2.0], [3.0, 4.0]], [[1.0, 3.0], [3.0, 7.0]]
    assert float(Absolute()(y_true, y_pred)) == 1.0
    assert float(Absolute(reduction="sum")(y_true, y_pred)) == 2.0
    assert float(Absolute()(y_true, y_pred, sample_weight=[1.0, 0.0])) == 0.25
    with pytest.raises(ValueError, match="reduction"):
        Absolute(reduction="product")


@pytest.mark.parametrize(
    ("labels", "predictions", "fits"),
    [
        ([4], [4, 1], True),
        ([4, 1], [4, 3], True),
        ([3], [4, 3], True),
        ([4, 2], [4, 3], False),
        ([5], [4], False),
    ],
)
def test_labels_fit_predictions_of_their_shape_or_broadcast_to_them(labels, predictions, fits):
    if fits:
        found = reductions.pair(tf.ones(labels), tf.ones(predictions))
        assert tf.math.add(*found).shape[0] == 4
    else:
        with pytest.raises(ValueError, match="which do not fit"):
            reductions.pair(tf.ones(labels), tf.ones(predictions))


def test_labels_of_unknown_shape_may_fit():
    @tf.function(input_signature=[tf.TensorSpec(None), tf.TensorSpec([None, 2])])
    def both(labels, predictions):
        return reductions.pair(labels, predictions)

    labels, predictions = both(tf.ones([3, 2]), tf.zeros([3, 2]))
    assert labels.shape == predictions.shape == (3, 2)
