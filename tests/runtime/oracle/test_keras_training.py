"""`fit`, `evaluate` and `predict` give the numbers, the variables and the lines of Keras."""

import contextlib
import io
import re

import numpy as np
import pytest

import runtime
from runtime import keras as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

NUMBERS = np.random.default_rng(2)
X = NUMBERS.normal(size=(50, 4)).astype("float32")
REAL = NUMBERS.normal(size=(50, 1)).astype("float32")
CLASSES = NUMBERS.integers(0, 3, 50)
BITS = NUMBERS.integers(0, 2, 50)
WEIGHTS = NUMBERS.uniform(0.5, 2.0, 50).astype("float32")
START = [NUMBERS.normal(size=shape).astype("float32") for shape in ((4, 5), (5,), (5, 3), (3,))]
ONE = [NUMBERS.normal(size=shape).astype("float32") for shape in ((4, 5), (5,), (5, 1), (1,))]


def one_output(library, units, activation=None):
    model = library.Sequential(
        [
            library.Input((4,)),
            library.layers.Dense(5, activation="relu"),
            library.layers.Dense(units, activation=activation),
        ]
    )
    model.set_weights(START if units == 3 else ONE)
    return model


def two_outputs(library, structure):
    x = library.Input((4,))
    hidden = library.layers.Dense(5, activation="tanh")(x)
    a = library.layers.Dense(1, name="a")(hidden)
    b = library.layers.Dense(3, name="b", activation="softmax")(hidden)
    model = library.Model(x, structure(a, b))
    model.set_weights([*START[:2], *ONE[2:], *START[2:]])
    return model


def classifier(library):
    return one_output(library, 3, "softmax")


def regressor(library):
    return one_output(library, 1)


CASES = {
    "classes": (
        classifier,
        {"loss": "sparse_categorical_crossentropy", "metrics": ["accuracy"]},
        {"y": CLASSES},
    ),
    "one_hot": (
        classifier,
        {"loss": "categorical_crossentropy", "metrics": ["acc", "Precision"]},
        {"y": np.eye(3, dtype="float32")[CLASSES]},
    ),
    "bits": (
        lambda library: one_output(library, 1, "sigmoid"),
        {"loss": "binary_crossentropy", "metrics": ["accuracy", "AUC"]},
        {"y": BITS},
    ),
    "real": (
        regressor,
        {"optimizer": "sgd", "loss": "mse", "metrics": ["mae", "RootMeanSquaredError"]},
        {"y": REAL},
    ),
    "vector_labels": (regressor, {"optimizer": "rmsprop", "loss": "mae"}, {"y": REAL[:, 0]}),
    "split": (
        classifier,
        {"loss": "sparse_categorical_crossentropy", "metrics": ["accuracy"]},
        {"y": CLASSES, "validation_split": 0.2},
    ),
    "validation": (
        regressor,
        {"optimizer": "nadam", "loss": "mse"},
        {"y": REAL, "validation_data": (X[:20], REAL[:20])},
    ),
    "weights": (
        regressor,
        {"loss": "mse", "metrics": ["mae"], "weighted_metrics": ["mse"]},
        {"y": REAL, "sample_weight": WEIGHTS},
    ),
    "class_weights": (
        classifier,
        {"loss": "sparse_categorical_crossentropy"},
        {"y": CLASSES, "class_weight": {0: 1.0, 1: 2.0, 2: 0.5}},
    ),
    "clipped": (
        regressor,
        {"optimizer": lambda library: library.optimizers.SGD(0.1, clipnorm=0.1), "loss": "mse"},
        {"y": REAL},
    ),
    "steps": (
        regressor,
        {"loss": "mse"},
        {"y": REAL, "steps_per_epoch": 3, "batch_size": 8, "epochs": 4},
    ),
    "two_outputs": (
        lambda library: two_outputs(library, lambda a, b: [a, b]),
        {
            "loss": ["mse", "sparse_categorical_crossentropy"],
            "metrics": [["mae"], ["accuracy"]],
            "loss_weights": [0.5, 2.0],
        },
        {"y": [REAL, CLASSES]},
    ),
    "named_outputs": (
        lambda library: two_outputs(library, lambda a, b: [a, b]),
        {
            "loss": {"a": "mse", "b": "sparse_categorical_crossentropy"},
            "metrics": {"b": ["accuracy"]},
        },
        {"y": {"a": REAL, "b": CLASSES}},
    ),
    "dict_outputs": (
        lambda library: two_outputs(library, lambda a, b: {"b": b, "a": a}),
        {"loss": {"a": "mse", "b": "sparse_categorical_crossentropy"}, "metrics": {"a": "mae"}},
        {"y": {"a": REAL, "b": CLASSES}},
    ),
    "user_loss": (
        regressor,
        {"loss": lambda library: lambda y, p: abs(y - p) ** 1.5},
        {"y": REAL[:, 0]},
    ),
}


def train(library, case):
    build, compile_options, data = CASES[case]
    options = {"optimizer": "adam", **compile_options}
    for name in ("optimizer", "loss"):
        options[name] = options[name](library) if callable(options[name]) else options[name]
    model = build(library)
    model.compile(**options)
    fit_options = {"epochs": 3, "batch_size": 16, "shuffle": False, "verbose": 0, **data}
    history = model.fit(X, **fit_options)
    labels = {name: value for name, value in data.items() if name in ("y", "sample_weight")}
    evaluated = model.evaluate(X, **labels, verbose=0, return_dict=True)
    predicted = tf.nest.flatten(model.predict(X, verbose=0))
    return history, evaluated, predicted, model.get_weights()


def same(here, there):
    np.testing.assert_allclose(here, there, rtol=3e-4, atol=3e-6)


@pytest.mark.parametrize("case", CASES)
def test_numbers_and_variables_are_those_of_keras(case):
    (history, evaluated, predicted, weights) = train(own, case)
    (history_k, evaluated_k, predicted_k, weights_k) = train(keras, case)
    assert list(history.history) == list(history_k.history)
    assert history.epoch == history_k.epoch
    for name, values in history_k.history.items():
        same(history.history[name], values)
    assert list(evaluated) == list(evaluated_k)
    same(list(evaluated.values()), list(evaluated_k.values()))
    for here, there in zip([*predicted, *weights], [*predicted_k, *weights_k], strict=True):
        same(here, there)


def batches(library, kind):
    tensors = runtime if library is own else tf
    if kind == "dataset":
        return tensors.data.Dataset.from_tensor_slices((X, REAL)).batch(16)
    if kind == "repeated":
        return tensors.data.Dataset.from_tensor_slices((X, REAL)).batch(16).repeat()
    return ((X[i : i + 10], REAL[i : i + 10]) for _ in range(9) for i in range(0, 50, 10))


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("dataset", {}),
        ("dataset", {"steps_per_epoch": 2}),
        ("repeated", {"steps_per_epoch": 3}),
        ("generator", {"steps_per_epoch": 4}),
    ],
    ids=str,
)
def test_datasets_and_generators_train_as_in_keras(kind, options):
    found = []
    for library in (own, keras):
        model = regressor(library)
        model.compile("adam", "mse")
        history = model.fit(batches(library, kind), epochs=3, verbose=0, **options)
        found.append((history.history["loss"], model.get_weights()))
    (losses, weights), (losses_k, weights_k) = found
    same(losses, losses_k)
    for here, there in zip(weights, weights_k, strict=True):
        same(here, there)


def plain(text):
    """The last state of each line, without colors, times and trailing spaces."""
    text = re.sub(r"\x1b\[[0-9;]*m|\x08", "", text)
    lines = [line.rpartition("\r")[2].rstrip() for line in text.split("\n")]
    return [re.sub(r"\d+(m?s|us)\b", "T", line) for line in lines if line]


@pytest.mark.parametrize("verbose", [0, 1, 2])
@pytest.mark.parametrize("validated", [False, True])
def test_lines_of_progress_are_those_of_keras(verbose, validated):
    found = []
    for library in (own, keras):
        model = classifier(library)
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
        with contextlib.redirect_stdout(io.StringIO()) as output:
            options = {"validation_data": (X, CLASSES)} if validated else {}
            model.fit(X, CLASSES, epochs=2, shuffle=False, verbose=verbose, **options)
            model.fit(X, CLASSES, epochs=1, shuffle=False, verbose=verbose)
            model.evaluate(X, CLASSES, verbose=verbose)
            model.predict(X, verbose=verbose)
        found.append(plain(output.getvalue()))
    assert found[0] == found[1]


def test_results_of_single_batches_are_those_of_keras():
    found = []
    for library in (own, keras):
        model = classifier(library)
        model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
        trained = [model.train_on_batch(X[:8], CLASSES[:8]) for _ in range(3)]
        weighted = model.train_on_batch(X, CLASSES, class_weight={0: 2.0, 2: 0.5})
        tested = model.test_on_batch(X[:8], CLASSES[:8])
        found.append((trained, weighted, tested, model.predict_on_batch(X[:8])))
    for here, there in zip(*found, strict=True):
        same(here, there)


def masked(library):
    """Sequences of words, of which 0 is none, with a class for each word."""
    kinds = library.layers
    layers = [
        library.Input((6,)),
        kinds.Embedding(9, 4, mask_zero=True),
        kinds.LSTM(5, return_sequences=True),
        kinds.Dense(3, activation="softmax"),
    ]
    words = np.where(np.arange(6) < NUMBERS_OF_WORDS[:, None], WORDS, 0)
    return library.Sequential(layers), words, STEP_CLASSES, "sparse_categorical_crossentropy"


def normalized(library):
    """Batches that are normalized, with penalties on the variables."""
    kinds = library.layers
    layers = [
        library.Input((4,)),
        kinds.Dense(5, kernel_regularizer="l2", activity_regularizer="l1"),
        kinds.BatchNormalization(),
        kinds.Dense(1, kernel_constraint="max_norm"),
    ]
    return library.Sequential(layers), X, REAL, "huber"


NUMBERS_OF_WORDS = NUMBERS.integers(1, 7, 50)
WORDS = NUMBERS.integers(1, 9, (50, 6))
STEP_CLASSES = NUMBERS.integers(0, 3, (50, 6))


@pytest.mark.parametrize("build", [masked, normalized])
def test_masks_penalties_and_moving_averages_count_as_in_keras(build):
    found, start = [], None
    for library in (own, keras):
        model, inputs, labels, loss = build(library)
        start = start or model.get_weights()
        model.set_weights(start)
        metrics = ["accuracy"] if build is masked else ["mae"]
        # Adam of Keras squares rows of a sparse gradient before it adds those of one word.
        model.compile(library.optimizers.SGD(0.5), loss, metrics=metrics, weighted_metrics=metrics)
        options = {"batch_size": 20, "epochs": 3, "shuffle": False, "verbose": 0}
        history = model.fit(inputs, labels, **options).history
        evaluated = model.evaluate(inputs, labels, verbose=0, return_dict=True)
        found.append((history, evaluated, model.get_weights()))
    (history, evaluated, weights), (history_k, evaluated_k, weights_k) = found
    assert list(history) == list(history_k)
    for name, values in history_k.items():
        same(history[name], values)
    same(list(evaluated.values()), list(evaluated_k.values()))
    for here, there in zip(weights, weights_k, strict=True):
        np.testing.assert_allclose(here, there, rtol=2e-3, atol=2e-5)
