"""Examples of record files as tensors."""

import pytest

import runtime as tf
from tests.runtime.io.example_messages import (
    ONE,
    SEQUENCE,
    TWO,
    Fixed,
    Rows,
    mixed,
    plain,
    values,
)


class TestParsing:
    @pytest.mark.parametrize(
        ("features", "expected"),
        [
            ({"a": Fixed([3], tf.int64)}, [1, -2, 300]),
            ({"a": Fixed([3, 1], tf.int64)}, [[1], [-2], [300]]),
            ({"a": Rows([], tf.int64, allow_missing=True)}, [1, -2, 300]),
            ({"a": Rows([3], tf.int64, allow_missing=True)}, [[1, -2, 300]]),
            ({"b": Fixed((), tf.float32)}, 0.5),
            ({"c": Fixed([], "string")}, b"x"),
            ({"none": Fixed([], tf.int64, 5)}, 5),
            ({"none": Fixed([2], tf.float32, [1, 2])}, [1.0, 2.0]),
            ({"none": Rows([2], tf.string, allow_missing=True)}, []),
        ],
    )
    def test_one_example(self, features, expected):
        (found,) = plain(tf.io.parse_single_example(ONE, features)).values()
        assert found == expected

    def test_keys_are_sorted(self):
        features = {"c": Fixed([], tf.string), "a": Fixed([3], tf.int64)}
        assert list(tf.io.parse_single_example(ONE, features)) == ["a", "c"]

    def test_a_batch_is_stacked_and_padded(self):
        features = {
            "a": Rows([], tf.int64, allow_missing=True, default_value=-1),
            "c": Fixed([], tf.string, "?"),
        }
        found = plain(tf.io.parse_example([ONE, TWO], features))
        assert found == {"a": [[1, -2, 300], [7, -1, -1]], "c": [b"x", b"?"]}
        none = tf.io.parse_example(tf.constant([], tf.string), features)
        assert none["a"].shape == (0, 0)

    def test_a_sequence(self):
        context, sequences = tf.io.parse_single_sequence_example(
            SEQUENCE.SerializeToString(),
            {"id": Fixed([], tf.int64)},
            {"words": Rows([2], tf.string), "none": Rows([], tf.int64, allow_missing=True)},
        )
        assert plain(context) == {"id": 7}
        assert plain(sequences) == {"none": [], "words": [[b"a", b"b"], [b"c", b"d"]]}

    def test_the_message_names_the_example_of_a_batch(self):
        features = {"a": Fixed([3], tf.int64)}
        with pytest.raises(tf.errors.InvalidArgumentError, match="Key: a, Index: 1, Name: second"):
            tf.io.parse_example([ONE, TWO], features, example_names=["first", "second"])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Could not parse an example"):
            tf.io.parse_single_example(b"junk", features)

    @pytest.mark.parametrize("order", [["a", "b", "c"], None])
    def test_a_batch_gives_what_its_examples_give(self, order):
        features = {
            "a": Fixed([2], tf.int64),
            "b": Fixed([2, 1], tf.float32),
            "c": Fixed([], tf.string, "?"),
            "rows": Rows([], tf.int64, allow_missing=True),
        }
        examples = [mixed(number, order) for number in range(30)]
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
    def test_a_damaged_example_of_a_batch(self, damage, words):
        examples = [values(a=[1, number]) for number in range(90)]
        examples[77] = damage(examples[77])
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.parse_example(examples, {"a": Fixed([2], tf.int64)})

    def test_numbers_that_are_not_packed_and_unknown_fields(self):
        packed = values(a=[5, 300])
        entry = b"\x0a\x01a\x12\x09" + b"\x1a\x05\x08\x05\x08\xac\x02" + b"\x20\x07"
        loose = b"\x0a" + bytes([len(entry) + 2]) + b"\x0a" + bytes([len(entry)]) + entry
        features = {"a": Fixed([2], tf.int64)}
        found = tf.io.parse_example([packed, loose, loose + b"\x10\x01"] * 2, features)
        assert found["a"].numpy().tolist() == [[5, 300]] * 6

    def test_in_a_function_shapes_are_known(self):
        features = {"a": Rows([], tf.int64, allow_missing=True), "c": Fixed([], tf.string, "?")}
        parse = tf.function(lambda rows: tf.io.parse_example(rows, features))
        found = parse(tf.constant([ONE, TWO]))
        assert found["a"].numpy().tolist() == [[1, -2, 300], [7, 0, 0]]
        concrete = parse.get_concrete_function(tf.TensorSpec([None], tf.string))
        assert concrete.structured_outputs["a"].shape.as_list() == [None, None]
        assert concrete.structured_outputs["c"].shape.as_list() == [None]
