"""Texts that programs for several versions ask about."""

import pytest

import runtime as tf

compat = tf.compat


class TestTexts:
    def test_bytes(self):
        assert compat.as_bytes("é") == b"\xc3\xa9"
        assert compat.as_bytes("é", "latin-1") == b"\xe9"
        assert compat.as_bytes(bytearray(b"a")) == b"a" == compat.as_bytes(b"a")

    def test_text(self):
        assert compat.as_text(b"\xc3\xa9") == "é" == compat.as_str("é")
        assert compat.as_str_any(3) == "3" and compat.as_str_any(b"a") == "a"
        with pytest.raises(UnicodeDecodeError):
            compat.as_text(b"\xff")

    @pytest.mark.parametrize("convert", [compat.as_bytes, compat.as_text, compat.as_str])
    def test_anything_else_is_refused(self, convert):
        with pytest.raises(TypeError, match="Expected binary or unicode string, got 3"):
            convert(3)


def test_version_2():
    assert compat.v2 is tf
    with pytest.raises(AttributeError, match="has no attribute 'v3'"):
        compat.v3  # noqa: B018 - reading is what is tested
