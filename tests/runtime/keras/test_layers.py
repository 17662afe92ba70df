"""Families of layers: noise, averages, recurrent state, vocabularies, and what is refused.

Outputs, gradients and configs of all layers are compared with Keras in `tests/runtime/oracle`.
"""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers
ROWS = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)

STEPS = np.random.default_rng(0).normal(size=(4, 5, 3)).astype(np.float32)


def stateful():
    layer = layers.LSTM(2, stateful=True)
    layer(STEPS)
    return layer


NOISE = {
    "Dropout": lambda: layers.Dropout(0.4),
}


@pytest.mark.parametrize("make", NOISE.values(), ids=NOISE)
@pytest.mark.parametrize("compiled", [False, True])
def test_noise_keeps_the_mean_while_training_and_is_absent_otherwise(make, compiled):
    layer = make()
    call = tf.function(layer) if compiled else layer
    inputs = np.full([200, 200], 2.0, np.float32)
    np.testing.assert_array_equal(call(inputs, training=False), inputs)
    outputs = call(inputs, training=True).numpy()
    assert outputs.std() > 0.1
    np.testing.assert_allclose(outputs.mean(), 2.0, atol=0.35)
    assert not np.array_equal(outputs, call(inputs, training=True))


REFUSED = {
    "size": (lambda: layers.Dense(-1), "`units`, expected a positive integer. Received: units=-1"),
    "rank": (
        lambda: layers.Dense(2, name="d")(np.ones(3)),
        r"Input 0 of layer 'd' .* expected min_ndim=2, found ndim=1. Full shape received: \(3,\)",
    ),
    "unknown features": (
        lambda: layers.Dense(2, name="d")(keras.Input((None,))),
        r"axis -1 of the inputs of Dense 'd' must be known, .* input_shape=\(None, None\)",
    ),
    "unknown height": (
        lambda: layers.CenterCrop(2, 2, name="c")(keras.Input((None, 5, 3))),
        "axis 1 of the inputs of CenterCrop 'c' must be known",
    ),
    "padding": (lambda: layers.Conv1D(1, 2, padding="causal"), "padding='causal'"),
    "kernel of another rank": (lambda: layers.Conv2D(1, (2, 2, 2)), "tuple of 2 integers"),
    "pool": (lambda: layers.MaxPooling2D(padding="full"), "padding='full'"),
    "three inputs": (lambda: layers.Subtract()([ROWS] * 3), "a list of 2 inputs"),
    "dropout": (lambda: layers.Dropout(1.5), "rate=1.5"),
    "no tensor": (lambda: layers.Dense(1, name="d")("text"), "of Dense 'd' are not tensors"),
    "number of elements": (
        lambda: layers.Reshape((5,), name="r")(ROWS), r"input_shape=\(6,\), target_shape=\(5,\)"
    ),
    "one input": (lambda: layers.Add()(ROWS), "called on a list of at least 2 inputs"),
    "batch of a stateful layer": (
        lambda: layers.LSTM(2, stateful=True)(keras.Input((5, 3))), "needs to know its batch size"
    ),
    "state of a plain layer": (lambda: layers.LSTM(2).reset_state(), "no states to reset"),
    "vocabulary": (lambda: layers.StringLookup(vocabulary=["a", "a"]), r"repeated terms .*\['a'\]"),
    "too many tokens": (
        lambda: layers.StringLookup(vocabulary=["a", "b"], max_tokens=2), "vocabulary size 3"
    ),
    "mode": (lambda: layers.StringLookup(output_mode="hot"), "output_mode='hot'"),
    "rows of masked tokens": (
        lambda: layers.StringLookup(mask_token="", output_mode="count"), "need output_mode='int'"
    ),
    "standardization": (lambda: layers.TextVectorization(standardize="upper"), "standardize='upp"),
    "states of one too few": (
        lambda: layers.LSTM(2, name="r")(STEPS, initial_state=[tf.zeros([4, 2])]),
        r"'r' needs 2 state.s. of shape \(4, 2\). Received shapes: \(4, 2\)",
    ),
    "states of another size": (
        lambda: layers.GRU(2, name="r")(STEPS, initial_state=tf.zeros([4, 3])),
        r"'r' needs 1 state.s. of shape \(4, 2\). Received shapes: \(4, 3\)",
    ),
    "states in one direction": (
        lambda: layers.Bidirectional(layers.GRU(2))(STEPS, initial_state=[tf.zeros([4, 2])]),
        "needs 1 state.s. .* Received shapes: none",
    ),
    "state of a cell": (
        lambda: layers.LSTMCell(2, name="c")(ROWS, [tf.zeros([4, 2])]), "'c' needs 2 state.s."
    ),
    "another batch of a stateful layer": (
        lambda: stateful()(STEPS[:3]),
        r"of shape \(3, 2\). Received shapes: \(4, 2\), .* keeps the batch size of its first call",
    ),
    "mask of another length": (
        lambda: layers.GRU(2, name="r")(STEPS, mask=np.ones([4, 6], bool)),
        r"`mask` of layer 'r' has shape \(4, 6\), but the sequences have shape \(4, 5, 3\)",
    ),
    "both directions of a layer without steps": (
        lambda: layers.Bidirectional(layers.Dense(2, name="d")),
        "`layer` of Bidirectional is a recurrent layer, such as `LSTM`, not <Dense name=d",
    ),
    "stride": (lambda: layers.Conv2D(1, 2, strides=0), "positive .*strides=0"),
    "no function": (lambda: layers.Lambda(3), "`function` of Lambda is a function, not 3"),
    "shape": (lambda: layers.Dense(2, input_shape=3), r"Cannot convert '3' .*input_shape=\(3,\)"),
    "axis": (
        lambda: layers.BatchNormalization(axis=5, name="b")(ROWS),
        r"inputs of BatchNormalization 'b' have no axis 5. Received: input_shape=\(4, 6\)",
    ),
    "intervals that are given": (
        lambda: layers.Discretization([0.0], name="d").adapt(ROWS), "'d' has `bin_boundaries`: cre"
    ),
    "intervals of nothing": (
        lambda: layers.Discretization(num_bins=2, name="d").adapt(ROWS[:0]), "'d' received no data"
    ),
    "intervals": (lambda: layers.Discretization(), "either `num_bins` or `bin_boundaries`"),
}  # fmt: skip


@pytest.mark.parametrize(("use", "text"), REFUSED.values(), ids=REFUSED)
def test_misuse_is_refused(use, text):
    with pytest.raises(ValueError, match=text):
        use()


def test_dir_shows_public_names_alone():
    for module in (layers, keras.activations, keras.initializers, keras.constraints):
        for name in dir(module):
            assert hasattr(module, name)
        assert not {"Any", "tf", "core", "annotations", "Family"} & set(dir(module))
    assert {"Dense", "LSTM", "add", "AvgPool2D", "serialize"} <= set(dir(layers))


@pytest.mark.parametrize("kind", [layers.Add, layers.Concatenate])
def test_shapes_that_do_not_fit_are_an_error_that_names_the_layer(kind):
    inputs = [ROWS, np.ones([3, 7], np.float32)]
    with pytest.raises(tf.errors.OpError) as raised:
        kind(name="both")(inputs)
    assert raised.value.__notes__ == [f"in layer 'both' ({kind.__name__})"]


OF_FOUR = {
    "BatchNormalization": (layers.BatchNormalization, [2, 4]),
    "LayerNormalization": (layers.LayerNormalization, [2, 4]),
    "of channels": (lambda: layers.BatchNormalization(axis=1), [2, 4, 3]),
    "LSTM": (lambda: layers.LSTM(2), [2, 3, 4]),
    "GRU": (lambda: layers.GRU(2), [2, 3, 4]),
    "LSTMCell": (lambda: keras.layers.RNN(layers.LSTMCell(2)), [2, 3, 4]),
}


@pytest.mark.parametrize("case", OF_FOUR)
def test_a_built_layer_refuses_another_number_of_features(case):
    make, shape = OF_FOUR[case]
    layer = make()
    layer(np.ones(shape, np.float32))
    other = [1 if size == 4 else size for size in shape]
    with pytest.raises(ValueError, match=r"axis -?1 of input shape to have value 4, but received"):
        layer(np.ones(other, np.float32))


OF_INTEGERS = {
    "Dense": (lambda: layers.Dense(2), [3, 4]),
    "BatchNormalization": (layers.BatchNormalization, [3, 4]),
    "LayerNormalization": (layers.LayerNormalization, [3, 4]),
    "Conv2D": (lambda: layers.Conv2D(2, 2), [2, 3, 3, 1]),
    "GlobalAveragePooling1D": (layers.GlobalAveragePooling1D, [2, 3, 4]),
    "GlobalAveragePooling2D": (layers.GlobalAveragePooling2D, [2, 3, 3, 2]),
    "SimpleRNN": (lambda: layers.SimpleRNN(2), [2, 3, 4]),
    "GRU": (lambda: layers.GRU(2), [2, 3, 4]),
    "LSTM": (lambda: layers.LSTM(2, use_bias=False), [2, 3, 4]),
    "Masking": (lambda: layers.Masking(0.0), [2, 3, 4]),
    "Embedding": (lambda: layers.Embedding(256, 2), [3, 4]),
}


@pytest.mark.parametrize("case", OF_INTEGERS)
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64"])
@pytest.mark.parametrize("training", [False, True])
def test_outputs_for_integers_are_those_for_floats(case, dtype, training):
    make, shape = OF_INTEGERS[case]
    inputs = (np.arange(np.prod(shape)) * 7 % 256).reshape(shape)
    layer = make()
    found = layer(inputs.astype(dtype), training=training)
    np.testing.assert_allclose(found, layer(inputs.astype(np.float32), training=training), 1e-6)


def test_a_masked_average_of_integers_is_not_truncated():
    mask = tf.constant([[True, True, False]])
    found = layers.GlobalAveragePooling1D()(tf.constant([[[1], [2], [9]]]), mask=mask)
    assert found.numpy().tolist() == [[1.5]]
