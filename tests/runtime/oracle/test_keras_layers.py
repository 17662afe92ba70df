"""Layers give what they give with Keras 3: outputs, gradients, variables and configs."""

import inspect
import json

import numpy as np
import pytest

import runtime
from runtime import keras as own

IMAGE, STEPS, ROW = (2, 6, 5, 4), (2, 6, 4), (3, 4)

CASES = [
    ("Dense", {"units": 3, "activation": "relu"}, ROW),
    ("Dense", {"units": 3, "use_bias": False, "kernel_regularizer": "l2"}, STEPS),
    ("Activation", {"activation": "tanh"}, ROW),
    ("ReLU", {"max_value": 1.0, "negative_slope": 0.1}, ROW),
    ("MaxPooling1D", {}, STEPS),
    ("AveragePooling1D", {"pool_size": 3, "padding": "same"}, STEPS),
    ("Subtract", {}, [ROW, ROW]),
    ("Multiply", {}, [(2, 4), STEPS]),
    ("Maximum", {}, [ROW, ROW]),
    ("Minimum", {}, [ROW, ROW]),
    ("LeakyReLU", {"negative_slope": 0.2}, ROW),
    ("Softmax", {}, ROW),
    ("Masking", {}, STEPS),
    ("Flatten", {}, IMAGE),
    ("Reshape", {"target_shape": (2, -1)}, STEPS),
    ("UpSampling2D", {"size": (2, 3)}, IMAGE),
    ("CenterCrop", {"height": 3, "width": 2}, IMAGE),
    ("CenterCrop", {"height": 8, "width": 4}, IMAGE),
    ("Conv1D", {"filters": 3, "kernel_size": 3, "padding": "same", "strides": 2}, STEPS),
    ("Conv2D", {"filters": 3, "kernel_size": 2, "activation": "relu"}, IMAGE),
    ("Conv2D", {"filters": 4, "kernel_size": (3, 2), "padding": "same"}, IMAGE),
    ("Conv2D", {"filters": 3, "kernel_size": 3, "strides": 2, "use_bias": False}, IMAGE),
    ("Conv2DTranspose", {"filters": 3, "kernel_size": 3, "strides": 2, "padding": "same"}, IMAGE),
    ("Conv2DTranspose", {"filters": 3, "kernel_size": (2, 5), "strides": (3, 1)}, IMAGE),
    ("MaxPooling2D", {"pool_size": (2, 3), "strides": 1, "padding": "same"}, IMAGE),
    ("AveragePooling2D", {"pool_size": 2}, IMAGE),
    ("DepthwiseConv2D", {"kernel_size": 3, "depth_multiplier": 2}, IMAGE),
    ("DepthwiseConv2D", {"kernel_size": 2, "strides": 2, "padding": "same"}, IMAGE),
    ("ZeroPadding2D", {}, IMAGE),
    ("ZeroPadding2D", {"padding": (2, 3)}, IMAGE),
    ("ZeroPadding2D", {"padding": ((0, 1), (2, 0))}, IMAGE),
    ("GlobalAveragePooling2D", {"keepdims": True}, IMAGE),
    ("GlobalAveragePooling1D", {"keepdims": True}, STEPS),
    ("GlobalMaxPooling1D", {}, STEPS),
    ("GlobalMaxPooling2D", {}, IMAGE),
    ("GlobalAveragePooling1D", {}, STEPS),
    ("GlobalAveragePooling2D", {}, IMAGE),
    ("Dropout", {"rate": 0.3}, ROW),
    ("BatchNormalization", {}, IMAGE),
    ("BatchNormalization", {"axis": 1, "momentum": 0.5}, STEPS),
    ("LayerNormalization", {}, IMAGE),
    ("LayerNormalization", {"axis": 1}, STEPS),
    ("Add", {}, [ROW, ROW, ROW]),
    ("Add", {}, [(2, 4), STEPS]),
    ("Average", {}, [ROW, ROW]),
    ("Concatenate", {"axis": 1}, [STEPS, (2, 2, 4)]),
    ("SimpleRNN", {"units": 3}, STEPS),
    ("SimpleRNN", {"units": 3, "return_sequences": True, "go_backwards": True}, STEPS),
    ("GRU", {"units": 3, "return_state": True}, STEPS),
    ("GRU", {"units": 3, "return_sequences": True}, STEPS),
    ("GRU", {"units": 3, "use_bias": False}, STEPS),
    ("LSTM", {"units": 3, "activation": "relu"}, STEPS),
    ("LSTM", {"units": 3, "return_sequences": True, "return_state": True}, STEPS),
    ("LSTM", {"units": 3, "kernel_regularizer": "l2"}, STEPS),
]  # fmt: skip

NO_GRADIENT = {"Masking"}


@pytest.fixture(scope="module")
def tensorflow():
    return pytest.importorskip("tensorflow")


def names(cases):
    return [f"{name}-{number}" for number, (name, *_) in enumerate(cases)]


def inputs_of(shape):
    generator = np.random.default_rng(0)
    shapes = shape if isinstance(shape, list) else [shape]
    arrays = [generator.normal(size=each).astype(np.float32) for each in shapes]
    return arrays if isinstance(shape, list) else arrays[0]


def seeded(weights):
    generator = np.random.default_rng(1)
    return [
        np.abs(generator.normal(size=each.shape)).astype(each.dtype) + (each.ndim == 0)
        for each in weights
    ]


def trained(tf, layer, inputs, **options):
    """Outputs, and gradients of a loss with respect to inputs and variables."""
    inputs = (
        [tf.constant(each) for each in inputs]
        if isinstance(inputs, list)
        else (tf.constant(inputs))
    )
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(inputs)
        outputs = layer(inputs, **options)
        flat = tf.nest.flatten(outputs)
        loss = tf.add_n([tf.reduce_sum(tf.cast(each, tf.float32) ** 2) for each in flat])
        loss += tf.add_n([*layer.losses, tf.constant(0.0)])
    sources = [*tf.nest.flatten(inputs), *layer.trainable_variables]
    gradients = [tape.gradient(loss, source) for source in sources]
    dense = [None if each is None else np.asarray(tf.convert_to_tensor(each)) for each in gradients]
    return [np.asarray(each) for each in flat], dense


def close(ours, theirs):
    for own_part, their_part in zip(ours, theirs, strict=True):
        assert (own_part is None) == (their_part is None)
        if own_part is not None:
            assert own_part.dtype == their_part.dtype
            np.testing.assert_allclose(own_part, their_part, rtol=2e-4, atol=2e-5)


def pair(tensorflow, name, arguments):
    ours = getattr(own.layers, name)(**arguments, name="layer")
    theirs = getattr(tensorflow.keras.layers, name)(**arguments, name="layer")
    return ours, theirs


@pytest.mark.parametrize(("name", "arguments", "shape"), CASES, ids=names(CASES))
def test_outputs_gradients_and_variables_agree(name, arguments, shape, tensorflow):
    ours, theirs = pair(tensorflow, name, arguments)
    inputs = inputs_of(shape)
    ours(inputs), theirs(inputs)
    assert [each.name for each in ours.weights] == [each.name for each in theirs.weights]
    assert [each.shape for each in ours.get_weights()] == [
        each.shape for each in theirs.get_weights()
    ]
    weights = seeded(theirs.get_weights())
    ours.set_weights(weights), theirs.set_weights(weights)
    own_outputs, own_gradients = trained(runtime, ours, inputs)
    their_outputs, their_gradients = trained(tensorflow, theirs, inputs)
    close(own_outputs, their_outputs)
    if name not in NO_GRADIENT:
        close(own_gradients, their_gradients)
    compiled = runtime.function(ours)(inputs)
    close([np.asarray(each) for each in runtime.nest.flatten(compiled)], their_outputs)


@pytest.mark.parametrize(("name", "arguments", "shape"), CASES, ids=names(CASES))
def test_symbolic_shapes_agree(name, arguments, shape, tensorflow):
    ours, theirs = pair(tensorflow, name, arguments)
    shapes = shape if isinstance(shape, list) else [shape]
    symbols = [[keras.Input(each[1:]) for each in shapes] for keras in (own, tensorflow.keras)]
    results = [
        layer(inputs if isinstance(shape, list) else inputs[0])
        for layer, inputs in zip((ours, theirs), symbols, strict=True)
    ]
    assert [tuple(each.shape) for each in runtime.nest.flatten(results[0])] == [
        tuple(each.shape) for each in tensorflow.nest.flatten(results[1])
    ]


def plain(value):
    """A config without entries that say nothing, as JSON has it."""
    if isinstance(value, dict):
        return {
            key: plain(each)
            for key, each in value.items()
            if each is not None and each != [] and each is not False
        }
    return [plain(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(("name", "arguments", "shape"), CASES, ids=names(CASES))
def test_configs_agree_and_come_back(name, arguments, shape, tensorflow):
    ours, theirs = pair(tensorflow, name, arguments)
    config = json.loads(json.dumps(own.layers.serialize(ours)))
    assert own.layers.deserialize(config).get_config() == ours.get_config()
    theirs = tensorflow.keras.layers.serialize(theirs)
    assert_part(plain(config), plain(json.loads(json.dumps(theirs))))


def assert_part(ours, theirs):
    """A config of this package has no entry that Keras lacks or states otherwise."""
    if isinstance(ours, dict):
        for key, value in ours.items():
            assert_part(value, theirs[key])
    elif isinstance(ours, list):
        for left, right in zip(ours, theirs, strict=True):
            assert_part(left, right)
    else:
        assert ours == theirs


def positional(kind):
    parameters = inspect.signature(kind).parameters.values()
    return [(p.name, p.default) for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]


NAMES = sorted({name for name, *_ in CASES} | {"Embedding", "Lambda"})
SPREAD = {1: ((1, 1), (1, 1, 1)), 2: ((2, 2), (2, 2, 2), inspect.Parameter.empty)}
"""Defaults of Keras, by one integer for all axes; the average of Keras has no default size."""


@pytest.mark.parametrize("name", NAMES)
def test_arguments_have_the_order_and_defaults_of_keras(name, tensorflow):
    ours = positional(getattr(own.layers, name))
    theirs = positional(getattr(tensorflow.keras.layers, name))
    for (own_name, own_default), (their_name, their_default) in zip(ours, theirs, strict=False):
        if (name, own_name) == ("LeakyReLU", "alpha"):
            break
        assert own_name == their_name
        assert own_default == their_default or their_default in SPREAD[own_default]


def test_batch_normalization_updates_its_averages_alike(tensorflow):
    ours, theirs = pair(tensorflow, "BatchNormalization", {"momentum": 0.9})
    inputs = inputs_of(IMAGE)
    for _ in range(3):
        own_outputs = trained(runtime, ours, inputs, training=True)
        their_outputs = trained(tensorflow, theirs, inputs, training=True)
        close(own_outputs[0], their_outputs[0])
        np.testing.assert_allclose(own_outputs[1][0], their_outputs[1][0], atol=1e-4)
    close(ours.get_weights(), theirs.get_weights())


def test_normalization_adapts_alike(tensorflow):
    ours, theirs = pair(tensorflow, "Normalization", {})
    data = inputs_of((50, 4)) * 3.0 + 1.0
    ours.adapt(data), theirs.adapt(data)
    close([np.asarray(ours(data))], [np.asarray(theirs(data))])


def test_first_weights_after_a_random_seed_are_those_of_keras(tensorflow):
    found = []
    for keras in (tensorflow.keras, own):
        layers = keras.layers
        keras.utils.set_random_seed(7)
        made = [
            layers.Dense(3, kernel_initializer="he_normal"),
            layers.Dropout(0.5),
            layers.Bidirectional(layers.LSTM(2)),
            layers.Embedding(3, 2),
            layers.GRU(2),
            layers.Conv2D(2, 2),
        ]
        shapes = [(None, 4), (None, 4), (None, 5, 4), (None, 5), (None, 5, 4), (None, 6, 6, 3)]
        for layer, shape in zip(made, shapes, strict=True):
            layer.build(shape)
        found.append([w for layer in made for w in layer.get_weights()])
    for left, right in zip(*found, strict=True):
        np.testing.assert_allclose(left, right, rtol=1e-5, atol=1e-6)
