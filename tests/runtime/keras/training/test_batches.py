"""Batches of arrays, lists, tensors and dicts; their order and their end."""

from typing import NamedTuple

import pytest

import runtime as tf
from runtime import keras
from tests.runtime.keras.training.models import MSE, REAL, Regression, X, fit, model_of


def test_one_graph_serves_all_whole_batches_and_one_the_rest():
    model = Regression()
    model.compile("sgd", "mse")
    fit(model, X[:20], REAL[:20], batch_size=8, epochs=3)
    [graphs] = model._step("train")._of_ranks.values()
    assert graphs.experimental_get_tracing_count() == 2


def test_a_seed_repeats_the_order_and_the_variables():
    found = []
    for _ in range(2):
        keras.utils.set_random_seed(7)
        model = model_of(optimizer="adam", loss="mse")
        found.append(fit(model, X, REAL, epochs=2, batch_size=5)["loss"])
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("x", "y"), [([X], [REAL]), (X.tolist(), REAL.tolist()), (tf.constant(X), tf.constant(REAL))]
)
def test_lists_and_tensors_train_as_arrays_do(x, y):
    found = []
    for data in ((x, y), (X, REAL)):
        keras.utils.set_random_seed(3)
        found.append(fit(model_of(**MSE, metrics=[["mae"]]), *data))
    assert found[0] == found[1]


def test_a_dict_of_inputs_trains():
    a, b = keras.Input((4,), name="a"), keras.Input((4,), name="b")
    out = keras.layers.Dense(1)(keras.layers.concatenate([a, b]))
    model = keras.Model({"a": a, "b": b}, out)
    model.compile("sgd", "mse")
    history = fit(model, {"a": X, "b": X}, REAL, epochs=2)
    dataset = tf.data.Dataset.from_tensor_slices(({"a": X, "b": X}, REAL)).batch(8)
    assert history["loss"][1] < history["loss"][0]
    assert fit(model, dataset)["loss"][0] < history["loss"][0]


def test_data_that_ends_early_is_a_warning():
    model = model_of(**MSE)
    batches = iter([(X[:4], REAL[:4])] * 3)
    with pytest.warns(UserWarning, match="ended after 1 of 2 batches"):
        losses = fit(model, batches, steps_per_epoch=2, epochs=2)["loss"]
    assert len(losses) == 2


class Two(NamedTuple):
    """Two outputs, or their labels."""

    a: object
    b: object


def test_a_named_tuple_of_outputs_trains():
    inputs = keras.Input((4,))
    model = keras.Model(inputs, Two(keras.layers.Dense(1)(inputs), keras.layers.Dense(1)(inputs)))
    model.compile("sgd", ["mse", "mae"])
    history = fit(model, X, Two(REAL, REAL), epochs=2)
    assert history["loss"][1] < history["loss"][0]
    assert type(model.predict(X, verbose=0)) is Two
