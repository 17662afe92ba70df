"""Models give what they give with Keras 3: outputs, tables, configs and orders of variables."""

import json

import numpy as np
import pytest

import runtime
from runtime import keras as own
from tests.runtime.oracle.test_keras_layers import assert_part, plain, seeded, tensorflow

__all__ = ["tensorflow"]


def images(k, tf):
    layers = k.layers
    return k.Sequential(
        [
            layers.Conv2D(4, 3, activation="relu", input_shape=(8, 8, 1)),
            layers.BatchNormalization(),
            layers.MaxPooling2D(),
            layers.Flatten(),
            layers.Dropout(0.5),
            layers.Dense(10, activation="softmax", name="scores"),
        ],
        name="images",
    )


def residual(k, tf):
    inputs = k.Input((16,), name="features")
    x = k.layers.Dense(8, activation="relu")(inputs)
    y = k.layers.Dense(8)(x)
    z = k.layers.Add()([x, y])
    return k.Model(inputs, k.layers.Dense(1)(z), name="residual")


def several(k, tf):
    left, right = k.Input((4,), name="left"), k.Input((6,), name="right")
    shared = k.layers.Dense(3, name="shared")
    joined = k.layers.concatenate([left, k.layers.Dense(4, name="reduced")(right)])
    first = shared(k.layers.Dense(5, name="wide")(joined))
    second = shared(k.layers.Dense(5, name="other")(joined))
    return k.Model([left, right], {"first": first, "second": second}, name="several")


def arithmetic(k, tf):
    x = k.Input((3,), name="x")
    h = k.layers.Dense(2, name="h")(x)
    y = (2.0 * h - 1.0) / (h + 3.0)
    return k.Model(x, [(-y)[:, 0:1], y**2.0], name="arithmetic")


def nested(k, tf):
    inner = k.Sequential([k.Input((3,)), k.layers.Dense(2, name="a")], name="inner")
    x = k.Input((3,), name="x")
    return k.Model(x, k.layers.Dense(1, name="b")(inner(x)), name="outer")


def words(k, tf):
    x = k.Input((None,), dtype="int32", name="words")
    h = k.layers.Embedding(50, 8)(x)
    h, state, _ = k.layers.LSTM(4, return_state=True, name="encoder")(h)
    return k.Model(x, [h, state], name="words")


def grown(k, tf):
    model = k.Sequential(name="grown")
    model.add(k.Input((5,)))
    model.add(k.layers.Dense(4, name="one"))
    model.add(k.layers.Dense(3, name="two"))
    model.pop()
    model.add(k.layers.Dense(2, name="three"))
    return model


def frozen(k, tf):
    model = nested(k, tf)
    model.get_layer("inner").trainable = False
    return model


def late(k, tf):
    model = k.Sequential(
        [k.layers.Dense(4, name="one"), k.layers.Dense(2, name="two")], name="late"
    )
    model(np.ones([3, 5], np.float32))
    return model


INPUTS = {
    images: [(2, 8, 8, 1)],
    residual: [(2, 16)],
    several: [(2, 4), (2, 6)],
    arithmetic: [(2, 3)],
    nested: [(2, 3)],
    frozen: [(2, 3)],
    grown: [(2, 5)],
    late: [(3, 5)],
    words: [(2, 7)],
}

each_model = pytest.mark.parametrize("make", INPUTS, ids=lambda make: make.__name__)


@pytest.fixture
def pair(make, tensorflow):
    own.backend.clear_session()
    tensorflow.keras.backend.clear_session()
    return make(own, runtime), make(tensorflow.keras, tensorflow)


def inputs_for(make):
    generator = np.random.default_rng(0)
    if make is words:
        return generator.integers(0, 50, (2, 7)).astype(np.int32)
    arrays = [generator.normal(size=shape).astype(np.float32) for shape in INPUTS[make]]
    return arrays if len(arrays) > 1 else arrays[0]


def flat(outputs):
    return [np.asarray(each) for each in runtime.nest.flatten(outputs)]


@each_model
def test_outputs_and_variables_agree(make, pair):
    ours, theirs = pair
    weights = seeded(theirs.get_weights())
    assert [each.name for each in ours.weights] == [each.name for each in theirs.weights]
    assert [each.path for each in ours.weights] == [each.path for each in theirs.weights]
    ours.set_weights(weights), theirs.set_weights(weights)
    inputs = inputs_for(make)
    expected = theirs(inputs)
    expected = list(expected.values()) if isinstance(expected, dict) else expected
    expected = [np.asarray(each) for each in (
        expected if isinstance(expected, list) else [expected])]  # fmt: skip
    for outputs in (ours(inputs), runtime.function(ours)(inputs)):
        for own_part, their_part in zip(flat(outputs), expected, strict=True):
            np.testing.assert_allclose(own_part, their_part, rtol=1e-4, atol=1e-5)


@each_model
def test_tables_agree(make, pair):
    texts = []
    for model in pair:
        lines = []
        model.summary(print_fn=lambda text, lines=lines, **_: lines.append(text))
        texts.append("\n".join(lines).rstrip())
    assert texts[0].splitlines() == texts[1].splitlines()


def test_a_table_of_a_compiled_model_counts_the_optimizer(tensorflow):
    texts = []
    for keras in (own, tensorflow.keras):
        keras.backend.clear_session()
        model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        model.compile("adam", "mse")
        model.fit(np.ones([4, 3]), np.ones([4, 2]), verbose=0)
        model.summary(print_fn=lambda text, **_: texts.append(text.rstrip()))
    assert texts[0] == texts[1]


@each_model
def test_configs_agree_and_come_back(make, pair):
    ours, theirs = pair
    config = json.loads(json.dumps(ours.get_config()))
    their_config = json.loads(json.dumps(theirs.get_config()))
    assert_part(without_builds(plain(config)), plain(their_config))
    again = type(ours).from_config(config)
    assert json.loads(json.dumps(again.get_config())) == config
    from_json = own.models.model_from_json(ours.to_json())
    from_json.set_weights(ours.get_weights())
    inputs = inputs_for(make)
    for left, right in zip(flat(from_json(inputs)), flat(ours(inputs)), strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-6)


def without_builds(value):
    """A config without the shapes for which layers are built, which Keras writes otherwise."""
    if isinstance(value, dict):
        return {key: without_builds(each) for key, each in value.items() if key != "build_config"}
    return [without_builds(each) for each in value] if isinstance(value, list) else value


@each_model
def test_layers_and_frozen_variables_agree(make, pair):
    ours, theirs = pair
    assert [each.name for each in ours.layers] == [each.name for each in theirs.layers]
    assert [each.path for each in ours.trainable_variables] == [
        each.path for each in theirs.trainable_variables
    ]
    assert ours.count_params() == theirs.count_params()
