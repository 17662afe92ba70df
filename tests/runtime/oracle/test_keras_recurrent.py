"""Recurrent layers give what they give with Keras 3, masks included."""

import numpy as np
import pytest

import runtime
from runtime import keras as own
from tests.runtime.oracle.test_keras_layers import close, inputs_of, seeded, tensorflow, trained

__all__ = ["tensorflow"]

STEPS = (2, 6, 4)

MODELS = {
    "masked LSTM": lambda k: [k.layers.Masking(), k.layers.LSTM(3, return_sequences=True)],
    "masked GRU": lambda k: [k.layers.Masking(), k.layers.GRU(3)],
    "masked SimpleRNN backwards": lambda k: [
        k.layers.Masking(), k.layers.SimpleRNN(3, return_sequences=True, go_backwards=True)
    ],
    "two layers": lambda k: [
        k.layers.Masking(), k.layers.LSTM(3, return_sequences=True), k.layers.LSTM(2)
    ],
    "one cell": lambda k: [k.layers.RNN(k.layers.LSTMCell(3), return_sequences=True)],
    "bidirectional": lambda k: [k.layers.Bidirectional(k.layers.LSTM(3, return_sequences=True))],
    "masked, bidirectional, all steps": lambda k: [
        k.layers.Masking(),
        k.layers.Bidirectional(k.layers.LSTM(3, return_sequences=True)),
    ],
    "masked, bidirectional": lambda k: [
        k.layers.Masking(), k.layers.Bidirectional(k.layers.GRU(3))
    ],
    "mean of steps": lambda k: [k.layers.Masking(), k.layers.GlobalAveragePooling1D()],
    "masked, normalized": lambda k: [
        k.layers.Masking(), k.layers.BatchNormalization(), k.layers.LSTM(2)
    ],
}  # fmt: skip


def with_padding():
    array = inputs_of(STEPS)
    array[0, 4:] = 0.0
    array[1, 2] = 0.0
    return array


@pytest.mark.parametrize("make", MODELS.values(), ids=MODELS)
@pytest.mark.parametrize("training", [False, True])
def test_chains_of_layers_agree(make, training, tensorflow):
    ours = own.Sequential([own.Input((None, 4)), *make(own)])
    theirs = tensorflow.keras.Sequential(
        [tensorflow.keras.Input((None, 4)), *make(tensorflow.keras)]
    )
    weights = seeded(theirs.get_weights())
    ours.set_weights(weights), theirs.set_weights(weights)
    inputs = with_padding()
    own_results = trained(runtime, ours, inputs, training=training)
    their_results = trained(tensorflow, theirs, inputs, training=training)
    for own_part, their_part in zip(own_results, their_results, strict=True):
        close(own_part[:1] + own_part[1:], their_part)
    compiled = runtime.function(lambda x: ours(x, training=False))(inputs)
    np.testing.assert_allclose(compiled, theirs(inputs, training=False), atol=2e-5)


def both(tensorflow, use):
    return [np.asarray(each) for each in use(own, runtime)], [
        np.asarray(each) for each in use(tensorflow.keras, tensorflow)
    ]


def test_stateful_layers_agree(tensorflow):
    def use(keras, tf):
        layer = keras.layers.LSTM(3, stateful=True, kernel_initializer="ones")
        inputs = inputs_of(STEPS)
        first = layer(tf.constant(inputs))
        layer.set_weights(seeded(layer.get_weights()))
        layer.reset_state()
        second, third = layer(tf.constant(inputs)), layer(tf.constant(inputs))
        layer.reset_state()
        assert first.shape == second.shape
        return second, third, layer(tf.constant(inputs)), *layer.get_weights()

    close(*both(tensorflow, use))


def test_initial_states_agree(tensorflow):
    def use(keras, tf):
        layer = keras.layers.LSTM(3, return_state=True)
        inputs, state = tf.constant(inputs_of(STEPS)), tf.constant(inputs_of((2, 3)))
        layer(inputs)
        layer.set_weights(seeded(layer.get_weights()))
        return layer(inputs, initial_state=[state, state])

    close(*both(tensorflow, use))


def test_a_decoder_with_the_states_of_an_encoder_agrees(tensorflow):
    def use(keras, tf):
        sources, targets = keras.Input((None, 4)), keras.Input((None, 4))
        _, *states = keras.layers.LSTM(3, return_state=True)(sources)
        outputs = keras.layers.LSTM(3, return_sequences=True)(targets, initial_state=states)
        model = keras.Model([sources, targets], keras.layers.Dense(2)(outputs))
        model.set_weights(seeded(model.get_weights()))
        return [model([inputs_of(STEPS), inputs_of((2, 3, 4))])]

    close(*both(tensorflow, use))


def test_a_padded_embedding_masks_an_lstm_alike(tensorflow):
    def use(keras, tf):
        inputs = keras.Input((None,), dtype="int32")
        x = keras.layers.Embedding(10, 4, mask_zero=True)(inputs)
        y = keras.layers.LSTM(3)(keras.layers.Add()([x, x]))
        model = keras.Model(inputs, y)
        model.set_weights(seeded(model.get_weights()))
        return [model(np.array([[1, 2, 3, 0, 0], [4, 0, 0, 0, 0]], np.int32))]

    close(*both(tensorflow, use))


def test_a_cell_of_a_program_runs_along_the_steps():
    class Sums(own.layers.Layer):
        state_size = 4

        def call(self, inputs, states):
            total = states[0] + inputs
            return total, [total]

    layer = own.layers.RNN(Sums(), return_sequences=True)
    inputs = inputs_of(STEPS)
    np.testing.assert_allclose(layer(inputs), np.cumsum(inputs, 1), rtol=1e-5)
    compiled = runtime.function(layer)
    np.testing.assert_allclose(compiled(inputs), np.cumsum(inputs, 1), rtol=1e-5)
