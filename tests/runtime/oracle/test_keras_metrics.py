"""Metrics give the numbers that they give in Keras, batch after batch."""

import numpy as np
import pytest

import runtime
from runtime.keras import metrics as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

NUMBERS = np.random.default_rng(1)
CLASSES = NUMBERS.integers(0, 4, 12)
SHARES = NUMBERS.dirichlet(np.ones(4), 12)
BITS = NUMBERS.integers(0, 2, 12)
CHANCES = NUMBERS.uniform(size=12).round(2)
DATA = {
    "real": (NUMBERS.normal(size=(12, 4)), NUMBERS.normal(size=(12, 4))),
    "shares": (NUMBERS.dirichlet(np.ones(4), 12), SHARES),
    "one_hot": (np.eye(4)[CLASSES], SHARES),
    "sparse": (CLASSES, SHARES),
    "column": (CLASSES[:, None], SHARES),
    "steps": (NUMBERS.integers(0, 4, (12, 3)), NUMBERS.dirichlet(np.ones(4), (12, 3))),
    "equal": (NUMBERS.integers(0, 2, (12, 4)), NUMBERS.integers(0, 2, (12, 4))),
    "sparse_equal": (CLASSES, NUMBERS.integers(0, 4, 12)),
    "binary": (BITS, CHANCES),
    "binary_column": (BITS[:, None], CHANCES[:, None]),
    "logits": (BITS[:, None], NUMBERS.normal(size=(12, 1))),
    "multi": (NUMBERS.integers(0, 2, (12, 4)), NUMBERS.uniform(size=(12, 4))),
}
CASES = [
    ("Accuracy", {}, "equal"),
    ("Accuracy", {}, "sparse_equal"),
    ("BinaryAccuracy", {}, "binary_column"),
    ("BinaryAccuracy", {}, "binary"),
    ("BinaryAccuracy", {"threshold": 0.3}, "multi"),
    ("CategoricalAccuracy", {}, "one_hot"),
    ("SparseCategoricalAccuracy", {}, "sparse"),
    ("SparseCategoricalAccuracy", {}, "column"),
    ("SparseCategoricalAccuracy", {}, "steps"),
    ("MeanSquaredError", {}, "real"),
    ("BinaryCrossentropy", {}, "binary_column"),
    ("BinaryCrossentropy", {"from_logits": True}, "logits"),
    ("CategoricalCrossentropy", {}, "one_hot"),
    ("SparseCategoricalCrossentropy", {}, "sparse"),
    ("Recall", {}, "multi"),
    ("RootMeanSquaredError", {}, "real"),
    ("RootMeanSquaredError", {}, "binary"),
    ("MeanAbsoluteError", {}, "real"),
    ("MeanAbsolutePercentageError", {}, "real"),
    ("Precision", {}, "binary"),
    ("Precision", {}, "binary_column"),
    ("AUC", {}, "binary"),
    ("AUC", {}, "multi"),
]


def results(library, metric, data, weighted, compiled):
    """Results after each of three batches, and after a reset and one more."""
    labels, predictions = DATA[data]

    def update(y_true, y_pred, weight):
        metric.update_state(y_true, y_pred, weight if weighted else None)
        return metric.result()

    take = library.function(update) if compiled else update
    found = []
    for i in (0, 1, 2, 1):
        if len(found) == 3:
            metric.reset_state()
        rows = slice(4 * i, 4 * i + 4)
        weight = np.linspace(0.5, 2.0, 12, dtype="float32")[rows]
        batch = (labels[rows], predictions[rows].astype("float32"), weight)
        found.append(np.asarray(take(*map(library.constant, batch))))
    return found


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize(("name", "options", "data"), CASES, ids=str)
def test_results_are_those_of_keras(name, options, data, weighted, compiled):
    if weighted and data == "steps":
        pytest.skip("weights of samples do not broadcast to steps, as in Keras")
    mine, theirs = getattr(own, name)(**options), getattr(keras.metrics, name)(**options)
    here = results(runtime, mine, data, weighted, compiled)
    there = results(tf, theirs, data, weighted, compiled)
    for a, b in zip(here, there, strict=True):
        np.testing.assert_allclose(a, b, rtol=2e-5, atol=1e-6)
    assert mine.name.rstrip("_0123456789") == theirs.name.rstrip("_0123456789")


@pytest.mark.parametrize("weighted", [False, True], ids=["plain", "weighted"])
@pytest.mark.parametrize("shape", [(), (5,), (5, 3)], ids=str)
def test_means_are_those_of_keras(shape, weighted):
    values = np.arange(np.prod(shape, dtype=int), dtype="float32").reshape(shape) + 1
    weights = (values[..., :1] if len(shape) > 1 else values) * 0.5 if weighted else None
    found = [np.asarray(m.Mean()(values, weights)) for m in (own, keras.metrics)]
    np.testing.assert_allclose(*found)
