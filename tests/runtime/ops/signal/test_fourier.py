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


@pytest.mark.parametrize("lengths", [None, 2, 5])
@pytest.mark.parametrize(("axes", "name"), [(1, ""), (2, "2d"), (3, "3d")])
@pytest.mark.parametrize("shape", [(3, 5, 4), (2, 2, 3), (1, 1, 2)])
def test_transforms_of_real_numbers_are_those_of_numpy(axes, name, lengths, shape):
    numbers = np.random.default_rng(3)
    x, z = (numbers.standard_normal(shape) for _ in range(2))
    wanted = None if lengths is None else [lengths] * axes
    last = tuple(range(-axes, 0))
    for function, value, reference in (
        (getattr(tf.signal, f"rfft{name}"), x, np.fft.rfftn),
        (getattr(tf.signal, f"irfft{name}"), x + 1j * z, np.fft.irfftn),
    ):
        expected = reference(value, s=wanted, axes=last)
        np.testing.assert_allclose(function(tf.constant(value), wanted), expected, atol=1e-13)
        any_shape = [tf.TensorSpec([None] * 3, value.dtype)]
        graph = tf.function(lambda a, f=function: f(a, wanted), input_signature=any_shape)
        np.testing.assert_allclose(graph(value), expected, atol=1e-13)


@pytest.mark.parametrize("lengths", [None, [4, 3], [2, 6]])
def test_gradients_of_transforms_of_real_numbers_are_their_adjoints(lengths):
    numbers = np.random.default_rng(4)
    x, step = (tf.constant(numbers.standard_normal([3, 4])) for _ in range(2))

    def there_and_back(a):
        return tf.signal.irfft2d(tf.signal.rfft2d(a, lengths), lengths)

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = there_and_back(x)
        g = numbers.standard_normal(y.shape)
    found = tf.reduce_sum(tape.gradient(y, x, g) * step)
    np.testing.assert_allclose(found, tf.reduce_sum(there_and_back(step) * g), atol=1e-12)
