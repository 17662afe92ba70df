"""Metrics: state, configs and errors; their numbers are compared with Keras elsewhere."""

import numpy as np
import pytest

import runtime as tf
from runtime.keras import losses, metrics

EVERY = metrics.CLASSES


@pytest.mark.parametrize("kind", EVERY, ids=lambda kind: kind.__name__)
def test_a_metric_is_created_anew_from_its_config_and_name(kind):
    metric = kind(name="mine")
    again = metrics.deserialize(metrics.serialize(metric))
    assert type(again) is kind
    assert again.get_config() == metric.get_config()
    assert type(metrics.get(kind.__name__)) is kind


def test_a_subclass_holds_other_metrics():
    class Spread(metrics.Metric):
        def __init__(self):
            super().__init__(name="spread")
            self.mean, self.squares = metrics.Mean(), metrics.Mean()

        def update_state(self, values):
            self.mean.update_state(values)
            self.squares.update_state(tf.square(values))

        def result(self):
            return tf.sqrt(self.squares.result() - self.mean.result() ** 2)

    spread = Spread()
    spread.update_state([1.0, 3.0])
    spread.update_state([2.0, 2.0])
    assert len(spread.variables) == 4
    np.testing.assert_allclose(spread.result().numpy(), np.std([1, 3, 2, 2]), rtol=1e-6)
    spread.reset_state()
    assert not any(v.numpy() for v in spread.variables)


def test_a_compiled_update_creates_no_state():
    mean = metrics.Mean()
    update = tf.function(mean.update_state)
    for batch in ([1.0, 2.0], [3.0, 6.0]):
        update(tf.constant(batch))
    assert mean.result().numpy() == 3.0


def test_each_number_of_a_vector_is_a_sample_of_accuracy_with_its_weight():
    accuracy = metrics.BinaryAccuracy()
    assert accuracy([0, 1, 1, 0], [0.1, 0.9, 0.4, 0.6]).numpy() == 0.5
    accuracy.update_state([1, 0], [0.8, 0.9], sample_weight=[4.0, 0.0])
    assert accuracy.result().numpy() == 0.75


def test_a_prediction_outside_of_probabilities_counts_as_the_nearest_one():
    """As in Keras 3, for the outputs of a layer without activation."""
    area = metrics.AUC()
    area.update_state([0, 0, 1, 1], [-0.5, 0.2, 0.8, 1.5])
    assert area.result().numpy() == 1.0
    area.reset_state()
    area.update_state([0, 1, 1, 0], [2.0, 3.0, 5.0, -8.0])
    assert area.result().numpy() == 0.75


BAD = {
    "name": (lambda: metrics.get("accuraci"), "metric identifier: 'accuraci'. Did you mean 'accu"),
    "loss": (lambda: losses.get("msee"), "loss identifier: 'msee'. Did you mean"),
    "reduction": (lambda: losses.Huber(reduction="avg"), "`reduction` of Huber: 'avg'"),
    "weights": (
        lambda: metrics.MeanAbsoluteError()([0.0, 1.0], [0.5, 0.5], sample_weight=[1.0, 2.0]),
        r"`sample_weight` of shape \(2,\) has more axes .* labels and predictions of shape \(b",
    ),
    "labels of a class": (
        lambda: losses.MeanSquaredError(tf.ones([2]), tf.ones([2])),
        r"created: `MeanSquaredError\(\)\(y_true, y_pred\)`",
    ),
    "labels of a metric": (
        lambda: metrics.MeanSquaredError(tf.ones([2]), tf.ones([2])),
        r"created: `MeanSquaredError\(\)\(\.\.\.\)`",
    ),
    "option": (lambda: losses.MeanSquaredError(from_logits=True), "from_logits"),
    "lengths": (
        lambda: metrics.AUC()([0, 1], [0.1, 0.2, 0.3]),
        r"`y_true` has shape \(2,\) and `y_pred` has shape \(3,\), which do not fit",
    ),
    "transposed": (
        lambda: metrics.Precision()(tf.ones([2, 3]), tf.ones([3, 2])),
        r"`y_true` has shape \(2, 3\) and `y_pred` has shape \(3, 2\)",
    ),
    "loss of other lengths": (
        lambda: losses.BinaryCrossentropy()([0, 1], [0.1, 0.2, 0.3]),
        r"`y_true` has shape \(2,\) and `y_pred` has shape \(3,\)",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_arguments_are_errors_that_name_them(case):
    call, message = BAD[case]
    with pytest.raises((ValueError, TypeError), match=message):
        call()


def test_variables_are_named_alone_and_have_the_metric_in_their_path():
    accuracy = metrics.BinaryAccuracy(name="hits")
    assert [v.name for v in accuracy.variables] == ["total", "count"]
    assert [v.path for v in accuracy.variables] == ["hits/total", "hits/count"]
