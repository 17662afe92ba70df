"""Parts of complex numbers."""

import pytest

import runtime as tf


@pytest.mark.parametrize("part", [tf.math.real, tf.math.imag])
def test_what_is_no_number_has_no_parts(part):
    assert part(tf.constant([1.0, 2.0])).dtype == tf.float32
    for value in (True, "a"):
        with pytest.raises(TypeError, match="input must be a numeric tensor"):
            part(value)
