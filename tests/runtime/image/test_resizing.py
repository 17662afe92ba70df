"""Images: files, sizes, values and orientation."""

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
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive, got 0 x 4"):
            tf.image.resize(PIXELS, [0, 4])


class TestValues:
    @pytest.mark.parametrize(
        ("source", "dtype", "expected"),
        [
            (np.uint8([0, 51, 255]), "float32", np.float32([0, 0.2, 1])),
            (np.float32([0, 0.2, 1]), "uint8", np.uint8([0, 51, 255])),
            (np.uint8([0, 1, 255]), "uint16", np.uint16([0, 256, 65280])),
            (np.uint16([0, 256, 65535]), "uint8", np.uint8([0, 1, 255])),
            (np.float32([0.5]), "float64", np.float64([0.5])),
            (np.int8([127, -127]), "float32", np.float32([1, -1])),
            (np.uint8([7]), "uint8", np.uint8([7])),
        ],
    )
    def test_dtypes_have_a_range(self, source, dtype, expected):
        found = tf.image.convert_image_dtype(source, dtype)
        assert found.dtype.name == dtype
        np.testing.assert_allclose(found.numpy(), expected, rtol=1e-6)

    def test_values_beyond_the_range_saturate_on_demand(self):
        bright = np.float32([1.5, -0.5])
        assert tf.image.convert_image_dtype(bright, "uint8", True).numpy().tolist() == [255, 0]
        with pytest.raises(TypeError, match="not bool"):
            tf.image.convert_image_dtype([True], "float32")

    def test_contrast_is_about_the_mean_of_each_channel(self):
        image = np.float32([[[1, 10], [3, 30]]])
        expected = [[[0, 0], [4, 40]]]
        assert tf.image.adjust_contrast(image, 2.0).numpy().tolist() == expected
        batch = np.stack([image, image + 5])
        assert tf.image.adjust_contrast(batch, 2.0).numpy()[1].tolist() == [[[5, 5], [9, 45]]]
        small = np.uint8([[[1], [200], [3], [4]]])
        found = tf.image.adjust_contrast(small, 2.0)
        assert found.dtype is tf.uint8
        assert found.numpy().ravel().tolist() == [0, 255, 0, 0]

    @pytest.mark.parametrize("k", [-1, 0, 1, 2, 3, 6])
    @pytest.mark.parametrize("shape", [(3, 4, 2), (2, 3, 4, 1)])
    def test_rotations(self, k, shape):
        image = np.arange(np.prod(shape)).reshape(shape)
        expected = np.rot90(image, k, axes=(len(shape) - 3, len(shape) - 2))
        assert (tf.image.rot90(image, k).numpy() == expected).all()

    def test_rotation_by_a_tensor_in_a_function(self):
        image = np.arange(16).reshape(4, 4, 1)
        rotate = tf.function(lambda k: tf.image.rot90(image, k))
        for k in (0, 1, 5):
            assert (rotate(tf.constant(k)).numpy() == np.rot90(image, k)).all()

    def test_other_ranks_are_refused(self):
        adjust = lambda x: tf.image.adjust_contrast(x, 2.0)  # noqa: E731
        for call in (tf.image.rot90, adjust):
            with pytest.raises(ValueError, match="at least three-dimensional"):
                call(np.zeros((4, 4), np.float32))
