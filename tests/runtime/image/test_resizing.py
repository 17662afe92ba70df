"""Images: sizes."""

import numpy as np
import pytest

import runtime as tf

PIXELS = (np.add.outer(np.arange(40), np.arange(50)) * 2)[..., None] + np.array([0, 20, 40])
PIXELS = PIXELS.astype(np.uint8)
METHODS = ("bilinear", "nearest")


class TestResizing:
    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("antialias", [False, True])
    @pytest.mark.parametrize("size", [(5, 7), (13, 4), (6, 9), (1, 1)])
    def test_constant_images_stay_constant(self, method, antialias, size):
        image = np.full((2, 6, 9, 3), 7.0, np.float32)
        found = tf.image.resize(image, size, method, antialias=antialias).numpy()
        assert found.shape == (2, *size, 3)
        np.testing.assert_allclose(found, 7.0, rtol=1e-5)

    @pytest.mark.parametrize("method", METHODS)
    def test_the_same_size_gives_the_same_image(self, method):
        found = tf.image.resize(PIXELS, PIXELS.shape[:2], method)
        np.testing.assert_allclose(found.numpy(), PIXELS, rtol=1e-5)

    def test_neighbors_are_weighted_by_distance(self):
        found = tf.image.resize([[[0.0], [4.0]], [[8.0], [12.0]]], [4, 4]).numpy()[..., 0]
        assert found.tolist() == [
            [0, 1, 3, 4],
            [2, 3, 5, 6],
            [6, 7, 9, 10],
            [8, 9, 11, 12],
        ]

    def test_nearest_keeps_the_dtype(self):
        found = tf.image.resize(PIXELS, [20, 25], method="nearest")
        assert found.dtype is tf.uint8
        assert (found.numpy() == PIXELS[1::2, 1::2]).all()

    @pytest.mark.parametrize("method", METHODS)
    @pytest.mark.parametrize("antialias", [False, True])
    def test_the_gradient_is_the_transpose(self, method, antialias):
        generator = np.random.default_rng(1)
        image = tf.Variable(generator.normal(size=(2, 6, 5, 2)).astype(np.float32))
        weights = tf.Variable(generator.normal(size=(2, 4, 8, 2)).astype(np.float32))
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                resized = tf.image.resize(image, [4, 8], method, antialias=antialias)
                total = tf.reduce_sum(resized * weights)
            back = tape.gradient(total, image)
            again = tf.reduce_sum(back * image)
        np.testing.assert_allclose(again.numpy(), total.numpy(), rtol=1e-4, atol=1e-4)
        second = outer.gradient(again, weights)
        np.testing.assert_allclose(second.numpy(), resized.numpy(), rtol=1e-4, atol=1e-4)

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            ((PIXELS[..., 0], [2, 2]), "3 or 4 dimensions"),
            ((PIXELS, 4), "1-D Tensor of 2 elements"),
            ((PIXELS, [4, 4, 3]), "1-D Tensor of 2 elements"),
            ((PIXELS, [4.5, 4.5]), "int32"),
            ((PIXELS, [4, 4], "cubic"), "Resize method 'cubic' is unknown"),
        ],
    )
    def test_refused(self, arguments, words):
        with pytest.raises(ValueError, match=words):
            tf.image.resize(*arguments)

    def test_sizes_have_to_be_positive(self):
        with pytest.raises(tf.errors.InvalidArgumentError, match="dimensions must be positive"):
            tf.image.resize(PIXELS, [0, 4])
