"""Texts, number types, dimensions and dates that programs for several versions ask about."""

import numbers
import pathlib

import numpy as np
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

    def test_paths(self):
        assert compat.path_to_str(pathlib.PurePosixPath("a/b")) == "a/b"
        assert compat.path_to_str(3) == 3


def test_number_types():
    assert isinstance(3, compat.integral_types) and isinstance(np.int8(3), compat.integral_types)
    assert not isinstance(3.5, compat.integral_types)
    assert isinstance(np.float32(1), compat.real_types)
    assert not isinstance(1j, compat.real_types) and isinstance(1j, compat.complex_types)
    assert compat.bytes_or_text_types == (bytes, str) and numbers.Real in compat.real_types


class TestDimensions:
    def test_values(self):
        dimension = compat.dimension_at_index(tf.TensorShape([2, None]), 0)
        assert compat.dimension_value(dimension) == 2 and dimension == 2
        assert compat.dimension_value(compat.dimension_at_index(tf.TensorShape(None), 1)) is None
        assert compat.dimension_value(5) == 5

    def test_arithmetic(self):
        three, unknown = tf.compat.v1.Dimension(3), tf.compat.v1.Dimension(None)
        results = [three + 1, 1 + three, three - 1, 5 - three, three * 2, three // 2, three % 2]
        assert [x.value for x in results] == [4, 4, 2, 2, 6, 1, 1]
        assert (three + unknown).value is None
        assert three < 4 and three >= 3 and (three < unknown) is None and three != 4
        assert list(range(5))[three] == 3 and int(three) == 3 and str(unknown) == "?"

    def test_merging(self):
        three, unknown = tf.compat.v1.Dimension(3), tf.compat.v1.Dimension(None)
        assert three.merge_with(unknown).value == 3 == unknown.merge_with(3).value
        with pytest.raises(ValueError, match="not compatible"):
            three.merge_with(4)

    def test_refused(self):
        with pytest.raises(ValueError, match="Dimension -1 must be >= 0"):
            tf.compat.v1.Dimension(-1)
        with pytest.raises(TypeError):
            tf.compat.v1.Dimension("3")


def test_dates():
    assert compat.forward_compatible(2040, 1, 1)
    with compat.forward_compatibility_horizon(2020, 1, 1):
        assert not compat.forward_compatible(2020, 1, 2)
        assert compat.forward_compatible(2019, 12, 31)
    assert compat.forward_compatible(2040, 1, 1)


def test_version_2():
    assert compat.v2 is tf
    with pytest.raises(AttributeError, match="has no attribute 'v3'"):
        compat.v3  # noqa: B018 - reading is what is tested
