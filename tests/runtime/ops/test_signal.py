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


@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("window", [tf.signal.vorbis_window, None])
def test_lapped_transforms_give_the_signal_back_but_for_its_ends(window, norm):
    signal = np.sin(np.arange(24.0)) + 0.1
    lapped = tf.signal.mdct(signal, 8, window, norm=norm)
    assert lapped.shape == [5, 4]
    back = tf.signal.inverse_mdct(lapped, window, norm=norm)
    np.testing.assert_allclose(back.numpy()[4:-4], signal[4:-4], rtol=1e-12)


def test_lapped_transforms_are_as_known():
    found = tf.signal.mdct(np.sin(np.arange(20)).astype(np.float32), 8)
    np.testing.assert_allclose(found[0], [2.793247, 2.08243, -1.058095, 0.160589], rtol=1e-5)


def test_frames_of_lapped_transforms_have_quarters():
    with pytest.raises(ValueError, match="multiple of 4"):
        tf.signal.mdct(SIGNAL, 6)


def test_bands_of_the_mel_scale_are_as_known():
    found = tf.signal.linear_to_mel_weight_matrix(4, 9).numpy()
    np.testing.assert_allclose(found[1], [0.895654, 0.104346, 0, 0], atol=1e-6)
    np.testing.assert_allclose(found[7], [0, 0, 0, 0.203345], atol=1e-6)
    assert not found[0].any()
    total = tf.signal.linear_to_mel_weight_matrix().numpy().sum()
    np.testing.assert_allclose(total, 110.80084, rtol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"num_mel_bins": 0}, "num_mel_bins must be positive"),
        ({"lower_edge_hertz": -1.0}, "must be non-negative"),
        ({"lower_edge_hertz": 4000.0}, "lower_edge_hertz 4000.0 >= upper_edge_hertz 3800.0"),
        ({"sample_rate": 0}, "sample_rate must be positive"),
        ({"upper_edge_hertz": 5000.0}, "larger than the Nyquist frequency"),
        ({"dtype": tf.int32}, "must be a floating point type"),
    ],
)
def test_bands_that_make_no_sense_are_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        tf.signal.linear_to_mel_weight_matrix(**arguments)


def test_cepstral_coefficients_are_as_known():
    found = tf.signal.mfccs_from_log_mel_spectrograms([1.0, 2.0, 3.0, -1.0])
    np.testing.assert_allclose(found, [3.535534, 1.035965, -2.5, 1.194477], rtol=1e-5)


CUBE = np.random.default_rng(1).normal(size=(2, 3, 4)) + 1j


@pytest.mark.parametrize("norm", [None, "backward", "ortho", "forward"])
@pytest.mark.parametrize(
    ("lengths", "axes"),
    [(None, None), (None, [0, 2]), ([5], [1]), ([3, 5], [1, 2]), ([3, 6], None)],
)
def test_transforms_over_chosen_axes_are_those_of_numpy(lengths, axes, norm):
    for name, x in [("fftn", CUBE), ("ifftn", CUBE), ("rfftn", CUBE.real), ("irfftn", CUBE)]:
        chosen = axes if axes or not lengths else [1, 2]
        expected = getattr(np.fft, name)(x, lengths, chosen, norm)
        found = getattr(tf.signal, f"{name}d")(tf.constant(x), lengths, axes, norm)
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


def test_a_chosen_axis_comes_once_and_is_there():
    with pytest.raises(ValueError, match="contain an axis twice"):
        tf.signal.fftnd(CUBE, axes=[1, -2])
    with pytest.raises(ValueError, match="are not all in"):
        tf.signal.fftnd(CUBE, axes=[3])


def test_an_unknown_normalization_is_refused():
    with pytest.raises(ValueError, match="Unknown normalization"):
        tf.signal.fftnd(CUBE, norm="sideways")
