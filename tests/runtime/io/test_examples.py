"""Examples of record files as tensors."""

import pytest

import runtime as tf
from tests.runtime.io.example_messages import ONE, SEQUENCE, TWO, Fixed, Rows, plain


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

    def test_in_a_function_shapes_are_known(self):
        features = {"a": Rows([], tf.int64, allow_missing=True), "c": Fixed([], tf.string, "?")}
        parse = tf.function(lambda rows: tf.io.parse_example(rows, features))
        found = parse(tf.constant([ONE, TWO]))
        assert found["a"].numpy().tolist() == [[1, -2, 300], [7, 0, 0]]
        concrete = parse.get_concrete_function(tf.TensorSpec([None], tf.string))
        assert concrete.structured_outputs["a"].shape.as_list() == [None, None]
        assert concrete.structured_outputs["c"].shape.as_list() == [None]
