"""Recurrent layers: cells, masks, states, both directions, and dropout."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


STEPS = np.random.default_rng(1).normal(size=(2, 5, 3)).astype(np.float32)


RECURRENT = {"SimpleRNN": layers.SimpleRNN, "GRU": layers.GRU, "LSTM": layers.LSTM}


@pytest.mark.parametrize("kind", RECURRENT.values(), ids=RECURRENT)
def test_a_recurrent_layer_is_its_cell_along_the_steps(kind):
    layer = kind(4, return_sequences=True, return_state=True)
    outputs, *states = layer(STEPS)
    own = layer.get_initial_state(2)
    for step in range(5):
        output, own = layer.cell(tf.constant(STEPS[:, step]), own)
        np.testing.assert_allclose(outputs[:, step], output, atol=1e-6)
    for state, expected in zip(states, own, strict=True):
        np.testing.assert_allclose(state, expected, atol=1e-6)


@pytest.mark.parametrize("kind", RECURRENT.values(), ids=RECURRENT)
def test_output_and_states_are_a_tuple(kind):
    layer = kind(4, return_state=True)
    for each in (layer, layers.Bidirectional(kind(4, return_state=True))):
        assert type(each(STEPS)) is tuple
        assert type(each(tf.keras.Input((5, STEPS.shape[-1])))) is tuple


class Doubled(layers.LSTMCell):
    def call(self, inputs, states):
        output, states = super().call(inputs, states)
        return 2.0 * output, states


def test_a_cell_with_a_call_of_its_own_computes_the_steps():
    layer = layers.RNN(Doubled(4), return_sequences=True, return_state=True)
    outputs, state, _ = layer(STEPS)
    np.testing.assert_allclose(outputs[:, -1], 2.0 * state, atol=1e-6)


@pytest.mark.parametrize("kind", [layers.LSTM, layers.GRU, layers.SimpleRNN])
def test_masked_steps_are_zeros_in_both_directions_alone(kind):
    mask = np.array([[True, True, False, True, False]] * 2)
    layer = kind(3, return_sequences=True)
    both = layers.Bidirectional(layer)(STEPS, mask=mask).numpy()
    assert not both[:, [2, 4]].any() and both[:, [0, 1, 3]].all()
    single = layer(STEPS, mask=mask).numpy()
    np.testing.assert_array_equal(single[:, [2, 4]], single[:, [1, 3]])


@pytest.mark.parametrize("kind", RECURRENT.values(), ids=RECURRENT)
def test_masked_steps_at_the_end_change_nothing(kind):
    layer = kind(4)
    mask = np.array([[True] * 3 + [False] * 2] * 2)
    np.testing.assert_allclose(layer(STEPS, mask=mask), layer(STEPS[:, :3]), atol=1e-6)


def test_one_graph_serves_sequences_of_all_lengths():
    layer = layers.LSTM(4)
    layer(STEPS)
    signature = [tf.TensorSpec([None, None, 3])]
    call = tf.function(layer, input_signature=signature)
    for count in (1, 3, 5):
        np.testing.assert_allclose(call(STEPS[:, :count]), layer(STEPS[:, :count]), atol=1e-6)
    assert call.experimental_get_tracing_count() == 1


def test_a_stateful_layer_continues_where_the_last_batch_ended():
    layer, plain = layers.GRU(4, stateful=True), layers.GRU(4)
    layer(STEPS[:, :2]), plain(STEPS)
    plain.set_weights(layer.get_weights())
    np.testing.assert_allclose(layer(STEPS[:, 2:]), plain(STEPS), atol=1e-6)
    layer.reset_state()
    np.testing.assert_allclose(layer(STEPS), plain(STEPS), atol=1e-6)


def test_both_directions_see_the_same_steps():
    layer = layers.Bidirectional(layers.SimpleRNN(3, return_sequences=True))
    forwards, backwards = np.split(layer(STEPS).numpy(), 2, -1)
    np.testing.assert_allclose(forwards, layer.forward_layer(STEPS), atol=1e-6)
    reverse = layer.backward_layer(STEPS)
    np.testing.assert_allclose(backwards, np.asarray(reverse)[:, ::-1], atol=1e-6)


@pytest.mark.parametrize(
    ("kind", "cell"),
    [("SimpleRNN", "simple_rnn_cell"), ("GRU", "gru_cell"), ("LSTM", "lstm_cell")],
)
def test_the_cell_of_each_layer_is_named_after_its_kind(kind, cell):
    for name in ("first", "second"):
        layer = RECURRENT[kind](2, name=name, use_bias=False)
        layer(STEPS)
        paths = [each.path for each in layer.weights]
        assert paths == [f"{name}/{cell}/kernel", f"{name}/{cell}/recurrent_kernel"]


def test_a_layer_of_both_directions_comes_back_with_its_names():
    layer = layers.Bidirectional(layers.GRU(2, name="gru"))
    again = layers.deserialize(layers.serialize(layer))
    assert (again.layer.name, again.backward_layer.name) == ("forward_gru", "backward_gru")
    assert again.backward_layer.go_backwards


def test_an_rnn_of_several_cells_is_refused():
    with pytest.raises(TypeError, match=r"is a layer with .*Add a layer for each of several cells"):
        layers.RNN([layers.LSTMCell(2), layers.LSTMCell(2)])


def test_dropout_of_a_recurrent_layer_is_the_same_in_all_steps():
    options = {"activation": "linear", "kernel_initializer": "ones", "return_sequences": True}
    ones = tf.ones([200, 3, 1])
    tf.random.set_seed(0)
    layer = layers.SimpleRNN(1, dropout=0.75, recurrent_initializer="zeros", **options)
    rows = {tuple(row) for row in layer(ones, training=True).numpy()[..., 0].tolist()}
    assert rows == {(0.0, 0.0, 0.0), (4.0, 4.0, 4.0)}
    layer = layers.SimpleRNN(1, recurrent_dropout=0.5, recurrent_initializer="ones", **options)
    rows = {tuple(row) for row in layer(ones, training=True).numpy()[..., 0].tolist()}
    assert rows == {(1.0, 1.0, 1.0), (1.0, 3.0, 7.0)}


@pytest.mark.parametrize("kind", [layers.SimpleRNN, layers.GRU, layers.LSTM])
@pytest.mark.parametrize("around", [lambda layer: layer, layers.Bidirectional])
def test_dropout_of_a_recurrent_layer_acts_in_training_alone(kind, around):
    layer = around(kind(4, dropout=0.5, recurrent_dropout=0.5))
    model = keras.Sequential([keras.Input((5, 3)), layer, layers.Dense(1)])
    x = np.random.default_rng(0).normal(size=(8, 5, 3)).astype("float32")
    np.testing.assert_array_equal(model(x), model(x, training=False))
    assert np.abs(model(x, training=True) - model(x)).max() > 1e-3
    model.compile("adam", "mse")
    model.fit(x, x[:, 0, :1], epochs=2, verbose=0)
    again = type(layer).from_config(layer.get_config())
    inner = again.forward_layer if around is layers.Bidirectional else again
    assert (inner.dropout, inner.recurrent_dropout) == (0.5, 0.5)


def test_a_rate_of_dropout_that_leaves_nothing_is_refused():
    with pytest.raises(ValueError, match=r"`dropout` is in \[0, 1\)\. Received: dropout=1"):
        layers.LSTM(4, dropout=1)


@pytest.mark.parametrize(("inner", "outer"), [(None, "mixed_float16"), ("mixed_float16", None)])
def test_outputs_of_both_directions_have_the_dtype_of_the_outer_layer(inner, outer):
    layer = layers.Bidirectional(layers.SimpleRNN(3, dtype=inner), dtype=outer)
    assert layer(STEPS).dtype == ("float32" if outer is None else "float16")
