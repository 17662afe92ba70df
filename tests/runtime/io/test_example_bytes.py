"""Where the values of features are in the bytes of many examples."""

import pytest

import runtime as tf
from tests.runtime.io.example_messages import Fixed, Rows, mixed, plain, values


class TestParsing:
    @pytest.mark.parametrize("order", [["a", "b", "c"], None])
    def test_a_large_batch_gives_what_its_examples_give(self, order):
        features = {
            "a": Fixed([2], tf.int64),
            "b": Fixed([2, 1], tf.float32),
            "c": Fixed([], tf.string, "?"),
            "rows": Rows([], tf.int64, allow_missing=True),
        }
        examples = [mixed(number, order) for number in range(300)]
        batch = tf.io.parse_example(examples, features)
        for number, example in enumerate(examples):
            single = tf.io.parse_single_example(example, features)
            for key in ("a", "b", "c"):
                assert plain({key: batch[key][number]}) == plain({key: single[key]})
            padded = single["rows"].numpy().tolist()
            assert batch["rows"][number, : len(padded)].numpy().tolist() == padded

    @pytest.mark.parametrize(
        ("damage", "words"),
        [
            (lambda data: data[:-1], "Could not parse an example, Index: 77"),
            (lambda data: data + b"\xff", "Could not parse an example, Index: 77"),
            (lambda data: b"", "Feature: a .* is required but could not be found, Index: 77"),
            (lambda data: values(a=[1, 2, 3]), "Key: a, Index: 77. Number of int64 values"),
            (lambda data: values(a=[0.5, 1.5]), "Key: a, Index: 77. Data types don't match"),
        ],
    )
    def test_a_damaged_example_of_a_large_batch(self, damage, words):
        examples = [values(a=[1, number]) for number in range(100)]
        examples[77] = damage(examples[77])
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_example(examples, {"a": Fixed([2], tf.int64)})

    def test_numbers_that_are_not_packed_and_unknown_fields(self):
        packed = values(a=[5, 300])
        entry = b"\x0a\x01a\x12\x09" + b"\x1a\x05\x08\x05\x08\xac\x02" + b"\x20\x07"
        loose = b"\x0a" + bytes([len(entry) + 2]) + b"\x0a" + bytes([len(entry)]) + entry
        features = {"a": Fixed([2], tf.int64)}
        found = tf.io.parse_example([packed, loose, loose + b"\x10\x01"] * 40, features)
        assert found["a"].numpy().tolist() == [[5, 300]] * 120
