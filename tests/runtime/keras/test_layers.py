"""Families of layers: noise, averages, recurrent state, vocabularies, and what is refused.

Outputs, gradients and configs of all layers are compared with Keras in `tests/runtime/oracle`.
"""

import inspect

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers
ROWS = np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32)
STEPS = np.random.default_rng(1).normal(size=(2, 5, 3)).astype(np.float32)

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


def test_dropped_elements_are_zero_and_the_others_scaled():
    outputs = layers.Dropout(0.5)(np.ones([100, 100], np.float32), training=True).numpy()
    assert set(np.unique(outputs)) == {0.0, 2.0}


def test_a_training_tensor_chooses_in_a_graph():
    layer = layers.Dropout(0.5)
    call = tf.function(lambda x, training: layer(x, training=training))
    inputs = tf.ones([50, 50])
    assert np.all(call(inputs, tf.constant(False)) == 1.0)
    assert np.any(call(inputs, tf.constant(True)) == 0.0)


@pytest.mark.parametrize("compiled", [False, True])
def test_batch_normalization_learns_averages_and_uses_them(compiled):
    layer = layers.BatchNormalization(momentum=0.0)
    call = tf.function(layer) if compiled else layer
    call(ROWS, training=True)
    np.testing.assert_allclose(layer.moving_mean, ROWS.mean(0), atol=1e-5)
    np.testing.assert_allclose(layer.moving_variance, ROWS.var(0), atol=1e-5)
    expected = (ROWS - ROWS.mean(0)) / np.sqrt(ROWS.var(0) + 1e-3)
    np.testing.assert_allclose(call(ROWS, training=False), expected, atol=1e-4)


def test_a_frozen_batch_normalization_keeps_its_averages():
    layer = layers.BatchNormalization(momentum=0.0)
    layer(ROWS)
    layer.trainable = False
    layer(ROWS, training=True)
    np.testing.assert_array_equal(layer.moving_mean, np.zeros(6))
    assert layer.trainable_weights == [] and len(layer.weights) == 4


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


def same(shape, dtype=None):
    return tf.eye(*shape, dtype=dtype)


def test_a_layer_of_both_directions_comes_back_with_its_names():
    layer = layers.Bidirectional(layers.GRU(2, name="gru"))
    again = layers.deserialize(layers.serialize(layer))
    assert (again.layer.name, again.backward_layer.name) == ("forward_gru", "backward_gru")
    assert again.backward_layer.go_backwards


def leaning(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return 0.1 * x


class Strong(keras.regularizers.Regularizer):
    def __call__(self, x):
        total = tf.reduce_sum(tf.abs(x))
        if total > 1.0:
            total = total * 2.0
        return total


def test_functions_of_a_program_are_converted_where_layers_call_them():
    chain = keras.Sequential(
        [
            keras.Input((3,)),
            layers.Dense(3, leaning, kernel_initializer=same, bias_regularizer=Strong(),
                         bias_initializer="ones"),
            layers.Lambda(lambda x: x * 2.0 if tf.reduce_max(x) > 5.0 else x),
        ]
    )  # fmt: skip
    call = tf.function(lambda x: (chain(x), chain.losses))
    for value, expected in ((1.0, 2.0), (9.0, 20.0), (-11.0, -1.0)):
        outputs, losses = call(np.full([1, 3], value, np.float32))
        np.testing.assert_allclose(outputs, np.full([1, 3], expected), rtol=1e-6)
        np.testing.assert_allclose(chain(np.full([1, 3], value)), outputs)
        np.testing.assert_allclose(losses, [6.0])


def test_merged_inputs_of_several_dtypes_get_the_widest():
    floats, whole = tf.constant([[0.5]]), tf.constant([[2]], tf.int64)
    joined = layers.Concatenate()([floats, whole, tf.constant([[1]])])
    assert (joined.dtype, joined.numpy().tolist()) == (tf.float32, [[0.5, 2.0, 1.0]])
    assert layers.Add()([whole, tf.constant([[1]])]).dtype == tf.int64
    inputs = [keras.Input((1,)), keras.Input((1,), dtype="int64")]
    model = keras.Model(inputs, layers.concatenate(inputs))
    assert model([floats, whole]).numpy().tolist() == [[0.5, 2.0]]


def test_strings_go_to_indices_in_functions_and_datasets():
    lookup = layers.StringLookup(vocabulary=["a", "b", "c"])
    assert tf.function(lookup)(tf.constant(["c", "x", "a"])).numpy().tolist() == [3, 0, 1]
    mapped = tf.data.Dataset.from_tensor_slices(["b", "c"]).batch(2).map(lookup)
    assert [each.numpy().tolist() for each in mapped] == [[2, 3]]


def test_a_vocabulary_comes_back_with_its_model(tmp_path):
    texts = layers.TextVectorization()
    texts.adapt(["one two two", "three"])
    model = keras.Sequential([keras.Input((), dtype="string"), texts, layers.Embedding(10, 3)])
    model.save(tmp_path / "model.keras")
    loaded = keras.models.load_model(tmp_path / "model.keras")
    words = tf.constant(["two one", "four"])
    np.testing.assert_array_equal(loaded(words), model(words))


def test_vocabularies_are_read_from_files(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("red\ngreen\n")
    assert layers.StringLookup(vocabulary=str(path)).get_vocabulary() == ["[UNK]", "red", "green"]


def test_layers_of_16_bits_normalize_in_32():
    inputs = np.array([[300.0, 301.0], [300.0, 299.0]])
    outputs = layers.LayerNormalization(dtype="float16")(inputs)
    assert outputs.dtype is tf.float16
    np.testing.assert_allclose(outputs, [[-1.0, 1.0], [1.0, -1.0]], atol=0.01)


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
    "no tensor": (lambda: layers.Dense(1, name="d")("text"), "inputs of Dense 'd' are no tensors"),
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
    "intervals": (lambda: layers.Discretization(), "either `num_bins` or `bin_boundaries`"),
}  # fmt: skip


def test_an_rnn_of_several_cells_is_refused():
    with pytest.raises(TypeError, match=r"is a layer with .*Add a layer for each of several cells"):
        layers.RNN([layers.LSTMCell(2), layers.LSTMCell(2)])


@pytest.mark.parametrize(("use", "text"), REFUSED.values(), ids=REFUSED)
def test_misuse_is_refused(use, text):
    with pytest.raises(ValueError, match=text):
        use()


ARGUMENTS = {
    "misspelt": (lambda: layers.Dense(unit=2), "Dense has no argument 'unit'. .* 'units'"),
    "of a recurrent layer": (
        lambda: layers.LSTM(2, return_sequence=True), "LSTM .* Did you mean 'return_sequences'"
    ),
    "missing": (lambda: layers.Conv2D(3), "Conv2D: missing a required argument: 'kernel_size'"),
    "too many": (lambda: layers.LeakyReLU(1, 2, 3, 4), "LeakyReLU: too many positional arguments"),
    "given twice": (lambda: layers.Dense(2, units=3), "multiple values for argument 'units'"),
}  # fmt: skip


@pytest.mark.parametrize(("use", "text"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_that_do_not_fit_the_signature_are_refused(use, text):
    with pytest.raises(TypeError, match=text):
        use()


def test_signatures_and_docstrings_name_all_parameters():
    parameters = inspect.signature(layers.Dense).parameters
    assert [*parameters][:4] == ["units", "activation", "use_bias", "kernel_initializer"]
    assert parameters["bias_initializer"].default == "zeros"
    assert parameters["name"].kind is inspect.Parameter.KEYWORD_ONLY
    assert "kernel_initializer, bias_initializer: " in layers.Dense.__doc__
    assert "trainable, dtype, autocast, name, input_shape, " in layers.Dense.__doc__
    assert "recurrent_activation" in layers.GRU.__doc__
    assert "recurrent_activation" not in layers.SimpleRNN.__doc__
    members = (getattr(layers, name) for name in dir(layers))
    assert "{" not in "".join(each.__doc__ for each in members if inspect.isclass(each))


def test_padding_is_read_in_upper_case_too():
    assert layers.Conv2D(1, 2, padding="SAME").padding == "same"
    assert layers.MaxPool2D(padding="VALID").padding == "valid"


class Ten(layers.Dense):
    def __init__(self, scale=2.0, **kwargs):
        super().__init__(10, **kwargs)
        self.scale = scale

    def call(self, inputs):
        return super().call(inputs) * self.scale


class Described(layers.Dense):
    def get_config(self):
        return {**super().get_config(), "use_bias": False}


def test_derived_layers_come_back_from_their_configs():
    config = Ten(3.0, activation="relu", name="ten").get_config()
    assert (config["scale"], config["name"], config["activation"]) == (3.0, "ten", "relu")
    assert Ten.from_config(config).scale == 3.0
    again = Described.from_config(Described(4, name="d").get_config())
    assert (again.units, again.use_bias, again.name) == (4, False, "d")


def test_dir_shows_public_names_alone():
    for module in (layers, keras.activations, keras.initializers, keras.constraints):
        for name in dir(module):
            assert hasattr(module, name)
        assert not {"Any", "tf", "core", "annotations", "Family"} & set(dir(module))
    assert {"Dense", "LSTM", "add", "AvgPool2D", "serialize"} <= set(dir(layers))


def test_a_lookup_without_vocabulary_is_refused():
    with pytest.raises(RuntimeError, match="'words' has no vocabulary: pass `vocabulary=`"):
        layers.StringLookup(name="words")(tf.constant(["a"]))


@pytest.mark.parametrize("value", [3, -1])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_category_out_of_range_is_refused(value, compiled):
    layer = layers.CategoryEncoding(3)
    encode = tf.function(layer) if compiled else layer
    np.testing.assert_array_equal(encode(tf.constant([[2]])), [[0.0, 0.0, 1.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_tokens=3"):
        encode(tf.constant([[value]]))


@pytest.mark.parametrize("kind", [layers.Add, layers.Concatenate])
def test_shapes_that_do_not_fit_are_an_error_that_names_the_layer(kind):
    inputs = [ROWS, np.ones([3, 7], np.float32)]
    with pytest.raises(tf.errors.OpError) as raised:
        kind(name="both")(inputs)
    assert raised.value.__notes__ == [f"in layer 'both' ({kind.__name__})"]


def test_an_index_out_of_range_is_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="5"):
        layers.Embedding(3, 2)(np.array([5]))


def test_a_normalization_keeps_the_statistics_of_its_data():
    layer = layers.Normalization()
    layer.adapt(np.array([[1.0, 2.0], [3.0, 6.0]]))
    np.testing.assert_array_equal(layer.mean.numpy(), [[2.0, 4.0]])
    np.testing.assert_array_equal(layer.variance.numpy(), [[1.0, 4.0]])
    whole = layers.Normalization(axis=None)
    whole.adapt(np.array([[1.0, 3.0], [1.0, 3.0]]))
    np.testing.assert_array_equal(whole(np.array([[3.0, 2.0]])), [[1.0, 0.0]])


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
