"""Images: values and orientation."""

import numpy as np
import pytest

import runtime as tf

PIXELS = (np.add.outer(np.arange(40), np.arange(50)) * 2)[..., None] + np.array([0, 20, 40])
PIXELS = PIXELS.astype(np.uint8)
METHODS = ("bilinear", "nearest")


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
