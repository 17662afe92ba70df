"""Losses and metrics of a compiled model: their names, order, sums and configs."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.training.models import REAL, X, fit, model_of


def test_a_loss_is_a_metric_by_its_name():
    own = keras.losses.MeanSquaredError(name="own")
    history = fit(model_of(loss="mse", metrics=[own, lambda y, p: p]), X, REAL)
    assert history["own"] == pytest.approx(history["loss"])
    assert "lambda" in history


@pytest.mark.parametrize("names", [["zeta", "alpha"], ["alpha", "zeta"]])
def test_evaluate_returns_the_losses_of_outputs_in_the_order_of_their_dict(names):
    inputs = keras.Input((3,))
    outputs = {name: keras.layers.Dense(1, "relu", name=name)(inputs) for name in ("zeta", "alpha")}
    model = keras.Model(inputs, outputs)
    model.compile("sgd", loss=dict.fromkeys(names, "mse"))
    labels = {"alpha": tf.fill([2, 1], -100.0), "zeta": tf.fill([2, 1], -1000.0)}
    first, second = model.evaluate(tf.ones([2, 3]), labels, verbose=0)[1:]
    assert (first < second) == (names == ["alpha", "zeta"])
    assert model.metrics_names == ["loss", *(f"{name}_loss" for name in names)]


def test_evaluate_returns_numbers_in_the_order_of_metrics_names():
    model = model_of(loss="mse", metrics=[keras.metrics.RootMeanSquaredError(), "mae"])
    by_name = model.evaluate(X, REAL, verbose=0, return_dict=True)
    assert model.metrics_names == ["loss", "root_mean_squared_error", "mae"]
    assert model.evaluate(X, REAL, verbose=0) == [by_name[name] for name in model.metrics_names]


def test_losses_and_metrics_of_the_program_are_converted():
    def loss(y, p):
        error = tf.reduce_mean(tf.abs(y - p))
        if error > 100.0:
            error = error * 0.0
        return error

    class Signs(keras.metrics.Metric):
        def __init__(self):
            super().__init__(name="signs")
            self.count = self.add_weight(name="count")

        def update_state(self, y, p, sample_weight=None):
            if tf.reduce_sum(y) > -1000.0:
                self.count.assign_add(1.0)

        def result(self):
            return self.count

    model = model_of(optimizer="sgd", loss=loss, metrics=[Signs()])
    history = fit(model, X, REAL, batch_size=8, epochs=2)
    assert history["signs"] == [3.0, 3.0]
    assert 0 < history["loss"][1] < history["loss"][0]


def test_compiled_loss_adds_regularization_losses():
    model = model_of(optimizer="sgd", loss="mse")
    value = model.compiled_loss(REAL, REAL + 1.0, regularization_losses=[tf.constant(2.0)])
    np.testing.assert_allclose(value.numpy(), 3.0, rtol=1e-5)
    np.testing.assert_allclose(model.metrics[0].result().numpy(), 3.0, rtol=1e-5)


class Scaled(keras.losses.Loss):
    def __init__(self, factor=1.0, **options):
        super().__init__(**options)
        self.factor = factor

    def call(self, y, p):
        return tf.abs(y - p) * self.factor

    def get_config(self):
        return {**super().get_config(), "factor": self.factor}


def absolute(y, p):
    return tf.reduce_mean(tf.abs(y - p), -1)


@pytest.mark.parametrize(
    ("loss", "metrics", "custom"),
    [
        (absolute, [absolute], {"absolute": absolute}),
        (Scaled(2.0), ["mae"], {"Scaled": Scaled}),
        (keras.losses.Huber(0.5), [keras.metrics.MeanAbsoluteError(name="distance")], {}),
    ],
    ids=["function", "subclass", "built_in"],
)
def test_losses_metrics_and_schedules_are_saved_with_a_model(tmp_path, loss, metrics, custom):
    schedule = keras.optimizers.schedules.ExponentialDecay(0.01, 5, 0.9)
    model = model_of(optimizer=keras.optimizers.Nadam(schedule), loss=loss, metrics=metrics)
    fit(model, X, REAL)
    model.save(tmp_path / "model.keras")
    again = keras.models.load_model(tmp_path / "model.keras", custom_objects=custom)
    here, there = (fit(each, X, REAL, shuffle=False) for each in (model, again))
    assert list(here) == list(there)
    np.testing.assert_allclose(list(here.values()), list(there.values()), rtol=1e-6)


def test_the_loss_of_an_output_may_stand_in_a_list():
    inputs = keras.Input((3,))
    outputs = {name: keras.layers.Dense(1, name=name)(inputs) for name in ("a", "b")}
    model = keras.Model(inputs, outputs)
    model.compile("sgd", loss={"a": ["mse"], "b": "mse"}, metrics={"a": ["mse"]})
    labels = {"a": tf.ones([2, 1]), "b": tf.ones([2, 1])}
    history = fit(model, tf.ones([2, 3]), labels)
    assert history["a_loss"] == history["a_mse"]
