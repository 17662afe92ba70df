"""Features of examples, as programs state them."""

import pytest

import runtime as tf
from tests.runtime.io.example_messages import ONE, SEQUENCE, Fixed, Rows


class TestParsing:
    @pytest.mark.parametrize(
        ("features", "words"),
        [
            ({"none": Fixed([], tf.int64)}, "Feature: none .* required but could not be found"),
            ({"a": Fixed([], tf.int64)}, r"Values size: 3 but output shape: \[\]"),
            ({"a": Fixed([3], tf.float32)}, "Data type: int64 but expected type: float32"),
            ({"a": Rows([2], tf.int64, True)}, "3, is not a multiple of 2"),
        ],
    )
    def test_examples_that_do_not_fit(self, features, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_single_example(ONE, features)

    @pytest.mark.parametrize(
        ("features", "words"),
        [
            ({}, "features cannot be empty"),
            ({"a": 3}, "Unsupported int for key 'a'"),
            ({"a": Fixed([None], tf.int64)}, "use FixedLenSequenceFeature"),
            ({"a": Fixed([3], tf.int32)}, "then use tf.cast"),
            ({"a": Fixed([2], tf.int64, [1, 2, 3])}, "has 3 values"),
            ({"a": Rows([], tf.int64)}, "requires allow_missing=True"),
        ],
    )
    def test_features_that_are_refused(self, features, words):
        with pytest.raises(ValueError, match=words):
            tf.io.parse_single_example(ONE, features)

    def test_sequences_that_are_refused(self):
        data = SEQUENCE.SerializeToString()
        parse = tf.io.parse_single_sequence_example
        with pytest.raises(ValueError, match="at least one"):
            parse(data)
        with pytest.raises(ValueError, match="use FixedLenSequenceFeature"):
            parse(data, None, {"words": Fixed([], tf.string)})
        with pytest.raises(tf.errors.InvalidArgumentError, match="allow_missing=True"):
            parse(data, None, {"none": Rows([], tf.string)})
        with pytest.raises(tf.errors.InvalidArgumentError, match="Key: words, Index: 0"):
            parse(data, None, {"words": Rows([], tf.string)})

    def test_sparse_tensors_are_refused_with_a_remedy(self):
        with pytest.raises(AttributeError, match=r"`io.FixedLenSequenceFeature` with allow"):
            tf.io.VarLenFeature  # noqa: B018
