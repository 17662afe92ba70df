"""Activations, regularizers and constraints compute what they compute in Keras."""

import numpy as np
import pytest

import runtime
from runtime import keras as own

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

X = np.random.default_rng(0).normal(scale=3.0, size=(5, 4)).astype("float32")
ACTIVATIONS = [
    *("linear", "relu", "leaky_relu", "elu", "selu", "gelu", "silu", "swish"),
    *("sigmoid", "tanh", "softmax", "softplus", "softsign"),
]
REGULARIZERS = [
    ("L1", {"l1": 0.1}),
    ("L2", {"l2": 0.1}),
    ("L1L2", {"l1": 0.1, "l2": 0.3}),
]
CONSTRAINTS = [
    ("MaxNorm", {"max_value": 1.5}),
    ("MaxNorm", {"max_value": 3, "axis": 1}),
]


def same_config(mine, theirs):
    """Keras rounds some numbers to float32."""
    here, there = mine.get_config(), theirs.get_config()
    assert here.keys() == there.keys()
    for key, value in there.items():
        assert here[key] == (pytest.approx(value) if isinstance(value, float) else value)


def same(here, there):
    np.testing.assert_allclose(np.asarray(here), np.asarray(there), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activations_and_their_gradients_are_those_of_keras(name):
    found = []
    for library, activations in ((runtime, own.activations), (tf, keras.activations)):
        x = library.constant(X)
        with library.GradientTape() as tape:
            tape.watch(x)
            y = activations.get(name)(x)
        found.append((y, tape.gradient(y, x)))
    for here, there in zip(*found, strict=True):
        same(here, there)
    assert own.activations.serialize(own.activations.get(name)) == keras.activations.serialize(
        keras.activations.get(name)
    )


@pytest.mark.parametrize(("name", "options"), REGULARIZERS, ids=str)
def test_regularizers_are_those_of_keras(name, options):
    mine = getattr(own.regularizers, name)(**options)
    theirs = getattr(keras.regularizers, name)(**options)
    same(mine(runtime.constant(X)), theirs(tf.constant(X)))
    same_config(mine, theirs)


@pytest.mark.parametrize(("name", "options"), CONSTRAINTS, ids=str)
def test_constraints_are_those_of_keras(name, options):
    mine = getattr(own.constraints, name)(**options)
    theirs = getattr(keras.constraints, name)(**options)
    same(mine(runtime.constant(X)), theirs(tf.constant(X)))
    same_config(mine, theirs)


@pytest.mark.parametrize("name", ["l1", "l2", "l1l2", "L2", "max_norm", "MaxNorm"])
def test_names_mean_what_they_mean_in_keras(name):
    module = "regularizers" if name.lower().startswith("l") else "constraints"
    mine, theirs = (getattr(library, module).get(name) for library in (own, keras))
    assert type(mine).__name__ == type(theirs).__name__
    same_config(mine, theirs)
