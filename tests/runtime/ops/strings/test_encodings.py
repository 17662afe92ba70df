"""Texts in encodings."""

import pytest

import runtime as tf

s = tf.strings

DECODED = [
    ("aé", "UTF-8", {}, [97, 233]),
    (b"a\xffb", "UTF-8", {}, [97, 65533, 98]),
    (b"a\xffb", "UTF-8", {"errors": "ignore"}, [97, 98]),
    ("a\tb", "UTF-8", {}, [97, 9, 98]),
    (b"\xe9", "LATIN1", {}, [233]),
    (b"\0a\xd8\x3d\xde\0", "UTF-16-BE", {}, [97, 0x1F600]),
    ("", "UTF-8", {}, []),
    (b"\xf0\x9f\x98x", "UTF-8", {}, [65533, 120]),
]


@pytest.mark.parametrize(("text", "encoding", "options", "points"), DECODED)
def test_characters_are_code_points(text, encoding, options, points):
    assert s.unicode_decode(text, encoding, **options).numpy().tolist() == points


ENCODED = [
    ([97, 233], "UTF-8", {}, "aé".encode()),
    ([[97, 98], [233, 97]], "UTF-8", {}, [b"ab", "éa".encode()]),
    ([97], "UTF-16-BE", {}, b"\0a"),
    ([97], "UTF-32-BE", {}, b"\0\0\0a"),
    ([97, 0x110000], "UTF-8", {}, "a\ufffd".encode()),
    ([97, 0xD800], "UTF-8", {"errors": "ignore"}, b"a"),
    ([-1], "UTF-8", {}, "\ufffd".encode()),
    ([[]], "UTF-8", {}, [b""]),
]


@pytest.mark.parametrize(("points", "encoding", "options", "expected"), ENCODED)
def test_strings_of_characters(points, encoding, options, expected):
    value = s.unicode_encode(tf.constant(points, tf.int32), encoding, **options).numpy()
    assert (value if isinstance(value, bytes) else value.tolist()) == expected


def test_single_characters():
    assert s.unicode_split(b"a\xc3\xa9\xff", "UTF-8").numpy().tolist() == [
        b"a", "é".encode(), "\ufffd".encode(),
    ]  # fmt: skip


def test_in_functions():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.string)])
    def first(text):
        text = tf.ensure_shape(text, [])
        return s.unicode_encode(s.unicode_decode(text, "UTF-8")[:1], "UTF-8")

    assert first("éa").numpy() == "é".encode()

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.int32)])
    def texts(points):
        return s.unicode_encode(points, "UTF-8")

    assert texts([[97, 98], [99, 100]]).numpy().tolist() == [b"ab", b"cd"]


REFUSED = [
    (lambda: s.unicode_decode(b"\xff", "UTF-8", "strict"), "Invalid formatting on input"),
    (lambda: s.unicode_decode("a", "UTF-8", "x"), "Value for attr 'errors' of \"x\" is not"),
    (lambda: s.unicode_decode("a", "nope"), "Could not create converter for input encoding: nope"),
    (lambda: s.unicode_encode([0xD800], "UTF-8", "strict"), "out of range for Unicode, or is a"),
    (lambda: s.unicode_encode([97], "LATIN1"), 'output_encoding\' of "LATIN1" is not'),
]


@pytest.mark.parametrize(("call", "text"), REFUSED)
def test_refused(call, text):
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        call()


def test_numbers_have_no_characters():
    with pytest.raises(ValueError, match="rank must be at least 1"):
        s.unicode_encode(97, "UTF-8")
