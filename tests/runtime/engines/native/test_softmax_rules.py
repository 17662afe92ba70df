"""Softmax and cross entropy in machine code are those of the kernels."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

SHAPES = [(32, 10), (3,), (2, 3, 5), (1, 4), (4, 1), (7, 100)]


def logits(shape, dtype):
    return tf.constant((np.random.default_rng(0).normal(size=shape) * 10).astype(dtype))


def softmax(x):
    return tf.nn.softmax(x) * 2.0


def losses(x, labels):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels, x) * 2.0


def both(function):
    return tf.function(function), tf.function(function, jit_compile=True)


def runs_as_python(function, *args):
    return "runs as Python" in function.get_concrete_function(*args).plan_source


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_agrees(shape, dtype):
    x = logits(shape, dtype)
    plan, native = both(softmax)
    np.testing.assert_allclose(native(x), plan(x), rtol=8 * np.finfo(dtype).eps, atol=1e-37)
    assert not runs_as_python(native, x)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [s for s in SHAPES if len(s) == 2])
def test_cross_entropy_and_its_gradient_agree(shape, dtype):
    x, found = logits(shape, dtype), []
    labels = tf.constant(np.random.default_rng(1).integers(0, shape[1], shape[0]))
    for function in both(losses):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x, labels)
        found.append((y, tape.gradient(y, x)))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=8 * np.finfo(dtype).eps, atol=1e-7)
    assert not runs_as_python(both(losses)[1], x, labels)


def test_rows_whose_number_is_known_at_run_time():
    specs = [tf.TensorSpec([None, None], tf.float32), tf.TensorSpec([None], tf.int64)]
    native = tf.function(losses, specs, jit_compile=True)
    x, labels = logits((5, 4), np.float32), tf.constant([0, 1, 2, 3, 0], tf.int64)
    np.testing.assert_allclose(native(x, labels), losses(x, labels), rtol=1e-6)
    with pytest.raises(tf.errors.InvalidArgumentError, match="the same first dimension"):
        native(x, labels[:4])


@pytest.mark.parametrize("label", [-1, 4])
def test_a_label_out_of_range_is_the_error_of_the_plan(label):
    x, texts = logits((2, 4), np.float32), set()
    for function in both(losses):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match="outside the valid range"
        ) as found:
            function(x, tf.constant([0, label]))
        texts.add(str(found.value))
    assert len(texts) == 1


def test_infinities_and_nan_are_those_of_the_kernels():
    inf, nan = np.inf, np.nan
    x = tf.constant([[inf, 1, 2], [nan, 1, 2], [-inf, -inf, -inf], [1, -inf, 0]], tf.float32)
    for function in (softmax, lambda x: losses(x, tf.constant([0, 1, 2, 1]))):
        plan, native = both(function)
        np.testing.assert_allclose(native(x), plan(x), rtol=1e-6)


def test_float16_runs_as_python():
    plan, native = both(softmax)
    x = logits((4, 5), np.float16)
    np.testing.assert_array_equal(native(x), plan(x))
    assert runs_as_python(native, x)
