"""Convolution and pooling in machine code are those of the kernels."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

CONVOLUTIONS = [
    # image, filter, strides, padding, dilations
    ((2, 8, 8, 1), (3, 3, 1, 8), 1, "VALID", 1),
    ((3, 9, 7, 4), (3, 3, 4, 33), 1, "SAME", 1),
    ((2, 9, 7, 4), (2, 3, 4, 5), 1, "SAME", 1),
    ((1, 11, 12, 3), (3, 3, 3, 7), 1, "VALID", (2, 3)),
    ((2, 11, 12, 3), (3, 2, 3, 7), 1, "SAME", 2),
    ((2, 5, 5, 6), (1, 1, 6, 2), 1, "VALID", 1),
    ((2, 4, 6, 2), (4, 6, 2, 3), 1, "VALID", 1),
]
STRIDED = [
    ((2, 9, 10, 3), (3, 3, 3, 4), 2, "SAME", 1),
    ((2, 9, 10, 3), (3, 2, 3, 4), (2, 3), "VALID", 1),
    ((2, 9, 10, 3), (1, 1, 3, 4), 2, "VALID", 1),
]


def values(shape, dtype, seed=0):
    return tf.constant(np.random.default_rng(seed).normal(size=shape).astype(dtype))


def both(function, **options):
    return tf.function(function), tf.function(function, jit_compile=True, **options)


def runs_as_python(function, *args):
    return "runs as Python" in function.get_concrete_function(*args).plan_source


def convolved(case):
    *_, strides, padding, dilations = case
    return lambda x, w: tf.nn.conv2d(x, w, strides, padding, dilations=dilations) * 2.0


def with_gradients(function, *, of_image=True):
    def run(x, w):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = function(x, w)
            loss = tf.reduce_sum(tf.sin(y))
        return [y, *tape.gradient(loss, [x, w] if of_image else [w])]

    return run


def assert_close(found, expected, dtype):
    for one, other in zip(found, expected, strict=True):
        scale = np.abs(other).max() + 1
        np.testing.assert_allclose(one, other, rtol=0, atol=400 * np.finfo(dtype).eps * scale)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolution_and_its_gradients_agree(case, dtype):
    x, w = values(case[0], dtype), values(case[1], dtype, 1)
    plan, native = both(with_gradients(convolved(case)))
    assert_close(native(x, w), plan(x, w), dtype)
    assert not runs_as_python(native, x, w)


@pytest.mark.parametrize("case", STRIDED)
def test_strided_convolution_and_gradient_of_its_filter_agree(case):
    x, w = values(case[0], np.float32), values(case[1], np.float32, 1)
    plan, native = both(with_gradients(convolved(case), of_image=False))
    assert_close(native(x, w), plan(x, w), np.float32)
    assert not runs_as_python(native, x, w)


@pytest.mark.parametrize("case", STRIDED)
def test_gradient_of_image_by_strides_runs_as_python(case):
    x, w = values(case[0], np.float32), values(case[1], np.float32, 1)
    plan, native = both(with_gradients(convolved(case)))
    assert_close(native(x, w), plan(x, w), np.float32)
    assert "with strides" in native.get_concrete_function(x, w).plan_source


@pytest.mark.parametrize(
    ("image", "filters", "reason"),
    [
        ((1, 5, 5, 4), (3, 3, 2, 6), "by groups of channels"),
        ((64, 66, 66, 8), (3, 3, 8, 64), "which threads share"),
    ],
)
def test_other_convolutions_run_as_python(image, filters, reason):
    x, w = values(image, np.float32), values(filters, np.float32, 1)
    plan, native = both(lambda x, w: tf.nn.conv2d(x, w, 1, "VALID") * 2.0)
    np.testing.assert_array_equal(native(x, w), plan(x, w))
    assert reason in native.get_concrete_function(x, w).plan_source


def test_images_whose_number_is_known_at_run_time():
    def step(x, w):
        return tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, w, 1, "SAME")), 2, 2, "VALID")

    specs = [tf.TensorSpec([None, 6, 6, 2], tf.float32), tf.TensorSpec([3, 3, 2, 4], tf.float32)]
    plan, native = both(step, input_signature=specs)
    for count in (5, 1, 0):
        x, w = values((count, 6, 6, 2), np.float32), values((3, 3, 2, 4), np.float32, 1)
        assert_close(
            [tf.concat([native(x, w), [[[[0.0] * 4] * 3] * 3]], 0)],
            [tf.concat([plan(x, w), [[[[0.0] * 4] * 3] * 3]], 0)],
            np.float32,
        )
    assert not runs_as_python(native)


POOLS = [
    ((2, 6, 6, 3), 2, 2, "VALID"),
    ((2, 7, 5, 16), 2, 2, "VALID"),
    ((2, 7, 5, 3), 2, 2, "SAME"),
    ((1, 9, 9, 2), (2, 3), 3, "VALID"),
    ((1, 4, 4, 1), 1, 2, "SAME"),
]
OVERLAPPING = [((2, 7, 5, 3), 3, 2, "VALID"), ((2, 7, 5, 3), 2, 1, "SAME")]


def pooled(case):
    return lambda x: tf.nn.max_pool2d(x, *case[1:]) * 1.0


def with_gradient(function):
    def run(x, g):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = function(x)
        return y, tape.gradient(y, x, g)

    return run


def tied(shape, dtype):
    """Few different numbers, so that positions have several largest ones; zeros of both signs."""
    generator = np.random.default_rng(2)
    numbers = generator.integers(-2, 3, shape).astype(dtype)
    return tf.constant(numbers * generator.choice([-1, 1], shape).astype(dtype))


def assert_same(found, expected):
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_array_equal(one, other)
        np.testing.assert_array_equal(np.signbit(one), np.signbit(other))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("case", POOLS)
def test_pooling_and_its_gradient_are_those_of_the_kernels(case, dtype):
    x = tied(case[0], dtype)
    plan, native = both(with_gradient(pooled(case)))
    g = values(pooled(case)(x).shape, dtype)
    assert_same(native(x, g), plan(x, g))
    assert not runs_as_python(native, x, g)


def test_pooling_of_nan_and_infinities():
    x = np.full((1, 4, 4, 2), -np.inf, np.float32)
    x[0, 0, 1, 0] = x[0, 3, 2, 1] = np.nan
    x[0, 2, 2] = np.inf
    plan, native = both(with_gradient(pooled(POOLS[0])))
    g = values((1, 2, 2, 2), np.float32)
    assert_same(native(x, g), plan(x, g))


@pytest.mark.parametrize("case", OVERLAPPING)
def test_gradient_of_overlapping_windows_runs_as_python(case):
    x = tied(case[0], np.float32)
    plan, native = both(with_gradient(pooled(case)))
    g = values(pooled(case)(x).shape, np.float32)
    assert_same(native(x, g), plan(x, g))
    assert "windows that overlap" in native.get_concrete_function(x, g).plan_source


def test_pooling_of_integers():
    x = tied((1, 5, 5, 2), np.int32)
    plan, native = both(lambda x: tf.nn.max_pool2d(x, 2, 2, "SAME") + 1)
    np.testing.assert_array_equal(native(x), plan(x))
    assert not runs_as_python(native, x)


def of_rows_in_a_loop(xs, w):
    total = tf.zeros([2, 4, 4, 3])
    for i in tf.range(3):
        x = tf.nn.conv2d(xs[i], w, 1, "SAME")
        total += x + tf.nn.max_pool2d(x, 1, 1, "VALID") + tf.nn.max_pool2d(xs[i], 2, 1, "SAME")
    return total


def test_images_at_a_place_that_is_known_at_run_time():
    xs, w = values((3, 2, 4, 4, 3), np.float32), values((3, 3, 3, 3), np.float32, 1)
    plan, native = both(with_gradients(of_rows_in_a_loop))
    assert_close(native(xs, w), plan(xs, w), np.float32)
    plan, native = both(of_rows_in_a_loop)
    assert_close([native(xs, w)], [plan(xs, w)], np.float32)
    assert not runs_as_python(native, xs, w)


def test_images_with_axes_exchanged():
    def step(x, w):
        return tf.nn.max_pool2d(
            tf.nn.conv2d(tf.transpose(x, [1, 0, 2, 3]), w, 1, "SAME"), 2, 2, "SAME"
        )

    specs = [tf.TensorSpec([5, None, 5, 2], tf.float32), tf.TensorSpec([3, 3, 2, 4], tf.float32)]
    plan, native = both(step, input_signature=specs)
    x, w = values((5, 3, 5, 2), np.float32), values((3, 3, 2, 4), np.float32, 1)
    assert_close([native(x, w)], [plan(x, w)], np.float32)
    assert not runs_as_python(native)


def transposed(x, w, shape):
    return tf.nn.conv2d_transpose(x, w, shape, 1, "VALID") * 2.0


def test_transposed_convolution_agrees_and_refuses_another_shape():
    x, w = values((2, 4, 4, 3), np.float32), values((3, 3, 5, 3), np.float32, 1)
    plan, native = both(lambda x, w: transposed(x, w, [2, 6, 6, 5]))
    assert_close([native(x, w)], [plan(x, w)], np.float32)
    assert not runs_as_python(native, x, w)
    for shape in ([2, 7, 6, 5], [3, 6, 6, 5]):
        for function in both(lambda x, w, shape=shape: transposed(x, w, shape)):
            with pytest.raises(tf.errors.InvalidArgumentError, match="the gradient of the result"):
                function(x, w)


def test_transposed_convolution_refuses_another_number_of_images_at_run_time():
    def run(x, w, count):
        return transposed(x, w, tf.stack([count, 6, 6, 5]))

    specs = [
        tf.TensorSpec([None, 4, 4, 3], tf.float32),
        tf.TensorSpec([3, 3, 5, 3], tf.float32),
        tf.TensorSpec([], tf.int32),
    ]
    plan, native = both(run, input_signature=specs)
    x, w = values((2, 4, 4, 3), np.float32), values((3, 3, 5, 3), np.float32, 1)
    assert_close([native(x, w, 2)], [plan(x, w, 2)], np.float32)
    for function in (plan, native):
        with pytest.raises(tf.errors.InvalidArgumentError, match="the gradient of the result"):
            function(x, w, 3)
