"""Parts of each string."""

import pytest

import runtime as tf

S = tf.strings


def test_a_part_of_negative_length_is_the_rest():
    assert tf.strings.substr("hello", 1, -1).numpy() == b"ello"
    assert tf.strings.substr("hello", 1, 0).numpy() == b""
    assert tf.strings.substr("héllo", 1, -1, unit="UTF8_CHAR").numpy() == b""


def made(tensor):
    return tensor.numpy().tolist() if tensor.shape.rank else tensor.numpy()


@pytest.mark.parametrize(
    ("tensor", "expected"),
    [
        (lambda: S.length(["abc", "é"]), [3, 2]),
        (lambda: S.length(["abc", "é"], unit="UTF8_CHAR"), [3, 1]),
        (lambda: S.lower("ÀB"), "Àb".encode()),
        (lambda: S.lower("ÀB", encoding="utf-8"), "àb".encode()),
        (lambda: S.upper("ab"), b"AB"),
        (lambda: S.strip(" \ta\n"), b"a"),
        (lambda: S.substr(["hello", "you"], [-2, 0], [2, 9]), [b"lo", b"you"]),
        (lambda: S.substr("héllo", 1, 2, unit="UTF8_CHAR"), "él".encode()),
    ],
)
def test_results(tensor, expected):
    assert made(tensor()) == expected


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: S.length("a", unit="LETTER"),
        lambda: S.lower("a", encoding="latin"),
        lambda: S.substr("hello", 6, 1),
    ],
)
def test_what_is_refused(wrong):
    with pytest.raises(tf.errors.InvalidArgumentError):
        wrong()


@pytest.mark.parametrize("number", [5, [1, 2], tf.constant(1), tf.constant([], tf.int32)])
def test_numbers_are_no_strings(number):
    for function in (S.lower, S.upper, S.strip, S.length, S.to_number):
        with pytest.raises((tf.errors.InvalidArgumentError, TypeError), match="string"):
            function(number)
