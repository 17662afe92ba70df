"""Arguments that are counts or positions."""

import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("num_rows", lambda: tf.eye(2.5)),
        ("num_columns", lambda: tf.eye(2, 2.0)),
        ("depth", lambda: tf.one_hot([1], 2.5)),
        ("axis", lambda: tf.one_hot([1], 2, axis=0.5)),
    ],
)
def test_a_number_with_a_fraction_is_not_cut_off(name, call):
    with pytest.raises(TypeError, match=f"`{name}` has to be an integer"):
        call()


def test_whole_numbers_of_any_kind_are_taken():
    assert tf.eye(tf.constant(2, tf.int64)).shape == (2, 2)
    assert tf.one_hot([1], tf.constant(3)).shape == (1, 3)
