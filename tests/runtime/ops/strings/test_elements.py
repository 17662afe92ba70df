"""Python functions of each string of a tensor."""

import numpy as np
import pytest

import runtime as tf
from runtime.ops.strings import elements


def test_a_function_gets_elements_of_arrays_that_broadcast():
    texts, counts = np.array([[b"a"], [b"b"]], object), np.array([1, 2])
    found = elements.each(lambda text, count: text * count, object, texts, counts)
    assert found.tolist() == [[b"a", b"aa"], [b"b", b"bb"]]
    assert elements.each(len, np.int32, np.array([], object)).shape == (0,)


@pytest.mark.parametrize("data", [b"a", "é".encode(), b"\xff\xfe", b"a\x80"])
def test_bytes_that_are_no_text_come_back(data):
    assert elements.encoded(elements.decoded(data)) == data


def test_a_value_that_is_not_allowed_is_refused_with_those_that_are():
    assert elements.check_allowed("unit", "BYTE", ("BYTE", "UTF8_CHAR")) == "BYTE"
    with pytest.raises(tf.errors.InvalidArgumentError, match='allowed values: "BYTE", "UTF8_CHAR"'):
        tf.strings.length("a", unit="WORD")


s = tf.strings


@pytest.mark.parametrize("function", [s.unicode_decode, s.unicode_split])
def test_several_strings_would_be_ragged(function):
    with pytest.raises(tf.errors.UnimplementedError, match="there are no ragged tensors"):
        function(["a", "bc"], "UTF-8")
