"""Transforms of signals: which dtypes they have."""

import numpy as np
import pytest

import runtime as tf

LINE = [1.0, 2.0, 4.0]


@pytest.mark.parametrize("kind", [np.int32, np.float16, np.float32, np.float64])
def test_real_numbers_that_are_no_tensor_become_single_complex_ones(kind):
    array = np.array(LINE, kind)
    assert tf.signal.fft(array).dtype is tf.complex64
    assert tf.signal.rfft(array).dtype is tf.complex64
    assert tf.signal.irfft(array, [4]).dtype is tf.float32
    np.testing.assert_allclose(tf.signal.fft(array).numpy(), np.fft.fft(LINE), rtol=1e-6)


def test_complex_numbers_and_tensors_keep_their_precision():
    assert tf.signal.fft(np.array(LINE, np.complex128)).dtype is tf.complex128
    assert tf.signal.rfft(tf.constant(LINE, tf.float64)).dtype is tf.complex128
    assert tf.signal.irfft(tf.constant(LINE, tf.complex128)).dtype is tf.float64


@pytest.mark.parametrize("dtype", [tf.int32, tf.float64])
def test_real_tensors_are_refused_where_complex_ones_are_needed(dtype):
    with pytest.raises(tf.errors.InvalidArgumentError, match="not in the list of allowed values"):
        tf.signal.fft(tf.constant([1, 2], dtype))
