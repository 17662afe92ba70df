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


SIGNAL = np.array([[1.0, 2.0, 3.0, -1.0, 0.5], [0.5, 0.25, 2.0, 1.0, -3.0]])


def by_definition(x, kind):
    n = x.shape[-1]
    places, waves = np.arange(n)[:, None], np.arange(n)[None]
    if kind == 1:
        weights = np.where((places == 0) | (places == n - 1), 1, 2)
        return x @ (weights * np.cos(np.pi * places * waves / (n - 1)))
    if kind == 2:
        return x @ (2 * np.cos(np.pi * (places + 0.5) * waves / n))
    if kind == 3:
        return x @ (np.where(places == 0, 1, 2) * np.cos(np.pi * places * (waves + 0.5) / n))
    return x @ (2 * np.cos(np.pi * (places + 0.5) * (waves + 0.5) / n))


@pytest.mark.parametrize("length", [None, 3, 8])
@pytest.mark.parametrize("kind", [1, 2, 3, 4])
def test_cosine_transforms_are_what_they_are_defined_to_be(kind, length):
    fitted = np.zeros((2, length or 5))
    kept = min(length or 5, 5)
    fitted[:, :kept] = SIGNAL[:, :kept]
    expected = by_definition(fitted, kind)
    np.testing.assert_allclose(tf.signal.dct(SIGNAL, kind, n=length).numpy(), expected, atol=1e-13)

    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64)])
    def graph(x):
        return tf.signal.dct(x, kind, n=length)

    np.testing.assert_allclose(graph(SIGNAL).numpy(), expected, atol=1e-13)


@pytest.mark.parametrize("kind", [2, 3, 4])
def test_orthogonal_cosine_transforms_keep_lengths_and_have_inverses(kind):
    found = tf.signal.dct(SIGNAL, kind, norm="ortho")
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), np.linalg.norm(SIGNAL, axis=1))
    np.testing.assert_allclose(tf.signal.idct(found, kind, norm="ortho").numpy(), SIGNAL)


@pytest.mark.parametrize(("kind", "factor"), [(1, 8), (2, 10), (3, 10), (4, 10)])
def test_inverses_without_norm_differ_by_a_factor(kind, factor):
    back = tf.signal.idct(tf.signal.dct(SIGNAL, kind), kind)
    np.testing.assert_allclose(back.numpy(), factor * SIGNAL, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"type": 5}, "Types I, II, III and IV"),
        ({"n": 0}, "n should be a positive integer"),
        ({"norm": "x"}, "Unknown normalization"),
        ({"type": 1, "norm": "ortho"}, "not supported for the Type-I"),
        ({"type": 1, "n": 1}, "requires the dimension to be greater than one"),
    ],
)
def test_cosine_transforms_that_there_are_not_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        tf.signal.dct(SIGNAL, **arguments)


def test_cosine_transforms_go_along_the_last_axis():
    with pytest.raises(NotImplementedError, match="axis must be -1"):
        tf.signal.dct(SIGNAL, axis=0)
