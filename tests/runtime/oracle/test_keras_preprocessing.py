"""Layers of categories and texts give what they give with Keras 3."""

import numpy as np
import pytest

import runtime
from runtime import keras as own
from tests.runtime.oracle.test_keras_layers import tensorflow

__all__ = ["tensorflow"]

TEXTS = ["Hello, World!", "hello there you", "b c, a"]
WORDS = ["b", "a", "c", "a", "b", "d"]

CASES = {
    "one hot": ("CategoryEncoding", {"num_tokens": 4, "output_mode": "one_hot"}, None, [1, 2]),
    "one hot of columns": (
        "CategoryEncoding", {"num_tokens": 4, "output_mode": "one_hot"}, None, [[1], [2]]
    ),
    "one hot of rows": (
        "CategoryEncoding", {"num_tokens": 4, "output_mode": "one_hot"}, None, [[1, 2], [0, 3]]
    ),
    "multi hot": ("CategoryEncoding", {"num_tokens": 4}, None, [[1, 2, 2], [0, 1, 3]]),
    "count": (
        "CategoryEncoding", {"num_tokens": 4, "output_mode": "count"}, None, [[1, 2, 2], [0, 1, 3]]
    ),
    "strings": ("StringLookup", {}, WORDS, ["a", "zz", "d"]),
    "few strings": ("StringLookup", {"max_tokens": 3}, WORDS, ["a", "zz", "d"]),
    "unknown strings by hash": (
        "StringLookup", {"vocabulary": ["a", "b"], "num_oov_indices": 3}, None, ["x", "y", "z", "a"]
    ),
    "strings as rows": (
        "StringLookup",
        {"vocabulary": ["a", "b"], "output_mode": "multi_hot"},
        None,
        [["x", "a", "a"]],
    ),
    "strings one hot": (
        "StringLookup", {"vocabulary": ["a", "b"], "output_mode": "one_hot"}, None, ["x", "a"]
    ),
    "weighted strings": (
        "StringLookup",
        {"vocabulary": ["a", "b"], "idf_weights": [0.5, 0.25], "output_mode": "tf_idf"},
        None,
        [["x", "a", "a"]],
    ),
    "masked strings": ("StringLookup", {"mask_token": ""}, WORDS, ["a", "", "zz"]),
    "another unknown token": ("StringLookup", {"oov_token": "?"}, WORDS, ["a", "zz"]),
    "strings of indices": (
        "StringLookup", {"vocabulary": ["a", "b"], "invert": True}, None, [[2, 0], [1, 9]]
    ),
    "strings of masked indices": (
        "StringLookup",
        {"vocabulary": ["a", "b"], "invert": True, "mask_token": ""},
        None,
        [0, 1, 2, 3],
    ),
    "integers of indices": (
        "IntegerLookup", {"vocabulary": [10, 20], "invert": True}, None, [2, 0]
    ),
    "integers": ("IntegerLookup", {}, [5, 7, 7, 9, 5, 7], [7, 5, 1]),
    "unknown integers by modulus": (
        "IntegerLookup", {"vocabulary": [10, 20], "num_oov_indices": 2}, None, [10, 3, 4]
    ),
    "intervals": ("Discretization", {"num_bins": 4}, np.arange(150.0), [1.0, 37.0, 99.0]),
    "given intervals": (
        "Discretization",
        {"bin_boundaries": [0.0, 1.0]},
        None,
        [[-1.0], [0.0], [2.0]],
    ),
    "hashes": ("Hashing", {"num_bins": 3}, None, ["a", "b", "c", "d"]),
    "hashes of integers": ("Hashing", {"num_bins": 3}, None, [1, 2, 3]),
    "texts": ("TextVectorization", {}, TEXTS, ["hello you xx", "there"]),
    "texts as they are": ("TextVectorization", {"standardize": None}, TEXTS, ["hello Hello,"]),
    "texts in lower case": ("TextVectorization", {"standardize": "lower"}, TEXTS, ["B a b C,"]),
    "texts without punctuation": (
        "TextVectorization", {"standardize": "strip_punctuation"}, TEXTS, ["B, a b c!"]
    ),
    "characters": ("TextVectorization", {"split": "character"}, TEXTS, ["hé llo", "w"]),
    "texts of one length": (
        "TextVectorization", {"output_sequence_length": 3}, TEXTS, ["a b c hello", "you"]
    ),
    "weighted words": ("TextVectorization", {"output_mode": "tf_idf"}, TEXTS, ["b c hello"]),
    "counts of words": (
        "TextVectorization",
        {"max_tokens": 5, "output_mode": "count"},
        TEXTS,
        ["a a hello"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "arguments", "data", "inputs"), CASES.values(), ids=CASES)
def test_outputs_and_vocabularies_agree(name, arguments, data, inputs, tensorflow):
    ours, theirs = (getattr(keras.layers, name)(**arguments) for keras in (own, tensorflow.keras))
    if data is not None:
        ours.adapt(data), theirs.adapt(data)
    expected = np.asarray(theirs(np.array(inputs)))
    outputs = ours(np.array(inputs))
    assert outputs.numpy().dtype == expected.dtype
    compare(outputs.numpy(), expected)
    compare(runtime.function(ours)(runtime.constant(inputs)).numpy(), expected)
    if hasattr(theirs, "get_vocabulary"):
        assert ours.get_vocabulary() == [
            each.item() if hasattr(each, "item") else each for each in theirs.get_vocabulary()
        ]
    again = type(ours).from_config(ours.get_config())
    compare(again(np.array(inputs)).numpy(), expected)


def compare(ours, theirs):
    if theirs.dtype == object:
        assert ours.tolist() == theirs.tolist()
    else:
        np.testing.assert_allclose(ours, theirs, rtol=1e-5)


def test_texts_are_standardized_by_a_function(tensorflow):
    results = []
    for keras, tf in ((own, runtime), (tensorflow.keras, tensorflow)):
        layer = keras.layers.TextVectorization(standardize=tf.strings.lower)
        layer.adapt(np.array(TEXTS))
        results.append(([str(each) for each in layer.get_vocabulary()], layer(TEXTS).numpy()))
    assert results[0][0] == results[1][0]
    np.testing.assert_array_equal(results[0][1], results[1][1])


def test_datasets_are_mapped_and_adapted_to(tensorflow):
    results = []
    for keras, tf in ((own, runtime), (tensorflow.keras, tensorflow)):
        layer = keras.layers.TextVectorization()
        data = tf.data.Dataset.from_tensor_slices(TEXTS)
        layer.adapt(data.batch(2))
        mapped = [each.numpy() for each in data.batch(3).map(layer)]
        results.append((layer.get_vocabulary(), mapped))
    assert [str(each) for each in results[0][0]] == [str(each) for each in results[1][0]]
    np.testing.assert_array_equal(results[0][1][0], results[1][1][0])


@pytest.mark.parametrize(("size", "batch"), [(99, 99), (150, 150), (250, 250), (300, 64), (50, 7)])
def test_intervals_are_those_of_keras(size, batch, tensorflow):
    values = np.random.default_rng(size).normal(size=size).astype(np.float32)
    ends = []
    for keras, tf in ((own, runtime), (tensorflow.keras, tensorflow)):
        layer = keras.layers.Discretization(num_bins=4)
        layer.adapt(tf.data.Dataset.from_tensor_slices(values).batch(batch))
        ends.append(layer.bin_boundaries)
    np.testing.assert_allclose(*ends, rtol=1e-4)
