"""Losses and metrics return the numbers that they return in Keras."""

import numpy as np
import pytest

import runtime
from runtime.keras import losses as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

NUMBERS = np.random.default_rng(0)
REAL = (NUMBERS.normal(size=(6, 4)), NUMBERS.normal(size=(6, 4)))
POSITIVE = tuple(np.abs(values) + 0.1 for values in REAL)
SHARES = tuple(values / values.sum(-1, keepdims=True) for values in POSITIVE)
ONE_HOT = (np.eye(4)[[0, 1, 3, 2, 1, 0]], SHARES[1])
LOGITS = (ONE_HOT[0], REAL[1])
BINARY = (NUMBERS.integers(0, 2, (6, 4)).astype(float), NUMBERS.uniform(size=(6, 4)))
BINARY_LOGITS = (BINARY[0], REAL[1])
SPARSE = (np.array([0, 1, 3, 2, 1, 0]), SHARES[1])
COLUMN = (SPARSE[0][:, None], REAL[1])
STEPS = (NUMBERS.integers(0, 4, (6, 5)), NUMBERS.normal(size=(6, 5, 4)))

CASES = [
    ("MeanSquaredError", {}, REAL),
    ("MeanAbsoluteError", {}, REAL),
    ("MeanAbsolutePercentageError", {}, REAL),
    ("MeanSquaredLogarithmicError", {}, POSITIVE),
    ("CosineSimilarity", {}, REAL),
    ("CosineSimilarity", {"axis": 0}, REAL),
    ("Huber", {}, REAL),
    ("Huber", {"delta": 0.3}, REAL),
    ("LogCosh", {}, REAL),
    ("Poisson", {}, POSITIVE),
    ("KLDivergence", {}, SHARES),
    ("Hinge", {}, BINARY_LOGITS),
    ("Hinge", {}, (np.sign(REAL[0]), REAL[1])),
    ("SquaredHinge", {}, BINARY_LOGITS),
    ("CategoricalHinge", {}, ONE_HOT),
    ("BinaryCrossentropy", {}, BINARY),
    ("BinaryCrossentropy", {"label_smoothing": 0.2}, BINARY),
    ("BinaryCrossentropy", {"from_logits": True}, BINARY_LOGITS),
    ("CategoricalCrossentropy", {}, ONE_HOT),
    ("CategoricalCrossentropy", {"label_smoothing": 0.2}, ONE_HOT),
    ("CategoricalCrossentropy", {"from_logits": True}, LOGITS),
    ("CategoricalCrossentropy", {"from_logits": True, "axis": 0}, LOGITS),
    ("SparseCategoricalCrossentropy", {}, SPARSE),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, COLUMN),
    ("SparseCategoricalCrossentropy", {"from_logits": True}, STEPS),
    ("SparseCategoricalCrossentropy", {"from_logits": True, "ignore_class": 1}, STEPS),
]
REDUCTIONS = ("sum_over_batch_size", "sum", "none", "mean_with_sample_weight")


def arrays(values):
    return [value.astype("float32" if value.dtype == float else "int32") for value in values]


def assert_same(here, there):
    np.testing.assert_allclose(np.asarray(here), np.asarray(there), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize(("name", "options", "values"), CASES, ids=str)
def test_losses_are_those_of_keras(name, options, values, reduction):
    labels, predictions = arrays(values)
    mine = getattr(own, name)(**options, reduction=reduction)
    theirs = getattr(keras.losses, name)(**options, reduction=reduction)
    assert mine.get_config().keys() >= theirs.get_config().keys()
    weights = np.linspace(0.5, 2.0, np.prod(mine.call(labels, predictions).shape[:1]))
    weights = weights.astype("float32")
    assert_same(mine(labels, predictions), theirs(labels, predictions))
    assert_same(mine(labels, predictions, weights), theirs(labels, predictions, weights))


@pytest.mark.parametrize(("name", "options", "values"), CASES, ids=str)
def test_gradients_of_losses_are_those_of_keras(name, options, values):
    labels, predictions = arrays(values)
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
    labels = LOGITS[0].astype("float32")
    values = (LOGITS[1] * scale).astype("float32")
    name = {"Softmax": "categorical_crossentropy", "Sigmoid": "binary_crossentropy"}[kind]
    found = []
    for library, losses in ((runtime, own), (tf, keras.losses)):
        squash = getattr(library.nn, kind.lower())
        loss = library.function(lambda x, f=squash, g=getattr(losses, name): g(labels, f(x)))
        found.append(loss(library.constant(values)).numpy())
    assert_same(*found)
