"""Examples as messages."""

import pytest

import runtime as tf
from tests.runtime.io.example_messages import ONE, TWO, Feature


class TestMessages:
    def test_there_and_back(self):
        message = tf.train.Example.FromString(ONE)
        assert list(message.features.feature["a"].int64_list.value) == [1, -2, 300]
        assert tf.train.Example.FromString(message.SerializeToString()) == message
        other = tf.train.Example()
        other.ParseFromString(ONE)
        assert other == message

    def test_a_feature_has_one_kind(self):
        feature = Feature(int64_list=tf.train.Int64List(value=[1]))
        feature.float_list.value.append(0.5)
        assert feature.WhichOneof("kind") == "float_list"
        assert not feature.int64_list.value

    def test_the_text_form(self):
        text = 'features {\n  feature {\n    key: "a"\n    value {\n      int64_list {\n'
        text += "        value: 7\n      }\n    }\n  }\n}\n"
        assert str(tf.train.Example.FromString(TWO)) == text

    @pytest.mark.parametrize(
        "make",
        [
            lambda: tf.train.Int64List(value=[1.5]),
            lambda: tf.train.BytesList(value=b"abc"),
            lambda: tf.train.BytesList(value=["abc"]),
            lambda: tf.train.FloatList(value=["1"]),
        ],
    )
    def test_values_of_other_types_are_refused(self, make):
        with pytest.raises(TypeError):
            make()
