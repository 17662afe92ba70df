"""Losses and metrics return the numbers that they return in Keras."""

import numpy as np
import pytest

import runtime
from runtime.keras import losses as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

NUMBERS = np.random.default_rng(0)
REAL = (NUMBERS.normal(size=(6, 4)), NUMBERS.normal(size=(6, 4)))
SHARES = NUMBERS.dirichlet(np.ones(4), 6)
CLASSES = np.array([0, 1, 3, 2, 1, 0])
BITS = NUMBERS.integers(0, 2, (6, 4)).astype(float)
DATA = {
    "real": REAL,
    "one_hot": (np.eye(4)[CLASSES], SHARES),
    "one_hot_logits": (np.eye(4)[CLASSES], REAL[1]),
    "binary": (BITS, NUMBERS.uniform(size=(6, 4))),
    "binary_logits": (BITS, REAL[1]),
    "sparse": (CLASSES, SHARES),
    "column_logits": (CLASSES[:, None], REAL[1]),
    "steps_logits": (NUMBERS.integers(0, 4, (6, 5)), NUMBERS.normal(size=(6, 5, 4))),
}

CASES = [
    ("MeanSquaredError", {}, "real"),
    ("MeanAbsoluteError", {}, "real"),
    ("MeanAbsolutePercentageError", {}, "real"),
    ("Huber", {}, "real"),
    ("Huber", {"delta": 0.3}, "real"),
    ("BinaryCrossentropy", {}, "binary"),
    ("BinaryCrossentropy", {"from_logits": True}, "binary_logits"),
    ("BinaryCrossentropy", {"from_logits": True, "label_smoothing": 0.2}, "binary_logits"),
    ("CategoricalCrossentropy", {}, "one_hot"),
    ("CategoricalCrossentropy", {"from_logits": True}, "one_hot_logits"),
    ("CategoricalCrossentropy", {"from_logits": True, "label_smoothing": 0.2}, "one_hot_logits"),
    ("SparseCategoricalCrossentropy", {}, "sparse"),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, "column_logits"),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, "steps_logits"),
]
REDUCTIONS = ("sum_over_batch_size", "sum", "none")


def arrays(data):
    return [value.astype("float32" if value.dtype == float else "int32") for value in DATA[data]]


def assert_same(here, there):
    np.testing.assert_allclose(np.asarray(here), np.asarray(there), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(("name", "options", "data"), CASES, ids=str)
def test_losses_are_those_of_keras(name, options, data, reduction):
    labels, predictions = arrays(data)
    mine = getattr(own, name)(**options, reduction=reduction)
    theirs = getattr(keras.losses, name)(**options, reduction=reduction)
    assert mine.name == theirs.name
    assert mine.get_config().keys() <= {*theirs.get_config(), "delta"}
    each = mine.call(labels, predictions).shape
    weights = np.linspace(0.5, 2.0, each[0], dtype="float32").reshape([-1] + [1] * (len(each) - 1))
    assert_same(mine(labels, predictions), theirs(labels, predictions))
    assert_same(mine(labels, predictions, weights), theirs(labels, predictions, weights))


@pytest.mark.parametrize(("name", "options", "data"), CASES, ids=str)
def test_gradients_of_losses_are_those_of_keras(name, options, data):
    labels, predictions = arrays(data)
    found = []
    for library, losses in ((runtime, own), (tf, keras.losses)):
        x = library.constant(predictions)
        with library.GradientTape() as tape:
            tape.watch(x)
            loss = getattr(losses, name)(**options)(labels, x)
        found.append(tape.gradient(loss, x).numpy())
    np.testing.assert_allclose(*found, rtol=5e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["Softmax", "Sigmoid"])
@pytest.mark.parametrize("scale", [1.0, 200.0])
def test_probabilities_of_a_graph_lose_no_precision_in_a_crossentropy(kind, scale):
    labels = DATA["one_hot"][0].astype("float32")
    values = (DATA["real"][1] * scale).astype("float32")
    name = {"Softmax": "categorical_crossentropy", "Sigmoid": "binary_crossentropy"}[kind]
    found = []
    for library, losses in ((runtime, own), (tf, keras.losses)):
        squash, function = getattr(library.nn, kind.lower()), getattr(losses, name)
        loss = library.function(lambda x, f=squash, g=function: g(labels, f(x)))
        found.append(loss(library.constant(values)).numpy())
    assert_same(*found)
