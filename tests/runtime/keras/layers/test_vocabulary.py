"""Categories as numbers: vocabularies, and what is not in them."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras

layers = keras.layers


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


def test_a_lookup_without_vocabulary_is_refused():
    with pytest.raises(RuntimeError, match="'words' has no vocabulary: pass `vocabulary=`"):
        layers.StringLookup(name="words")(tf.constant(["a"]))


@pytest.mark.parametrize("batch", [None, 7, 100, 640])
def test_intervals_hold_equal_numbers_of_values(batch):
    values = np.random.default_rng(0).permutation(1000).astype(np.float32)
    data = values if batch is None else tf.data.Dataset.from_tensor_slices(values).batch(batch)
    layer = layers.Discretization(num_bins=4)
    layer.adapt(data)
    np.testing.assert_allclose(layer.bin_boundaries, [250, 500, 750], atol=12)


@pytest.mark.parametrize("given", [[1, 2], np.array([1.0, 2.5]), ["1", "2"]])
def test_a_lookup_of_integers_converts_its_inputs(given):
    layer = layers.IntegerLookup(vocabulary=[1, 2])
    assert layer(tf.constant(given)).numpy().tolist() == [1, 2]
    assert tf.function(layer)(tf.constant(given)).numpy().tolist() == [1, 2]


WORDS = layers.StringLookup(vocabulary=["1", "2"], name="words")
TEXTS = layers.TextVectorization(vocabulary=["1", "2"], name="texts")


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda: WORDS(tf.constant([1, 2])), "StringLookup 'words' takes strings, not int32"),
        (lambda: tf.function(WORDS)(tf.constant([1.0])), "'words' takes strings, not float32"),
        (lambda: TEXTS(tf.constant([1])), "TextVectorization 'texts' takes strings, not int32"),
        (lambda: layers.StringLookup(name="s").adapt(np.array([1])), "'s' takes strings, not 1"),
        (lambda: layers.TextVectorization(name="t").adapt([1]), "'t' takes strings, not "),
        (lambda: layers.StringLookup(vocabulary=[1], name="v"), "'v' takes strings, not 1"),
    ],
)
def test_numbers_in_place_of_strings_are_refused(use, text):
    with pytest.raises(TypeError, match=text):
        use()


@pytest.mark.parametrize("value", [3, -1])
@pytest.mark.parametrize("compiled", [False, True])
def test_a_category_out_of_range_is_refused(value, compiled):
    layer = layers.CategoryEncoding(3)
    encode = tf.function(layer) if compiled else layer
    np.testing.assert_array_equal(encode(tf.constant([[2]])), [[0.0, 0.0, 1.0]])
    with pytest.raises(tf.errors.InvalidArgumentError, match="num_tokens=3"):
        encode(tf.constant([[value]]))
