"""Images: files, sizes, values and orientation."""

import io
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.io.images import png_of

pillow = pytest.importorskip("PIL.Image")

PIXELS = (np.add.outer(np.arange(40), np.arange(50)) * 2)[..., None] + np.array([0, 20, 40])
PIXELS = PIXELS.astype(np.uint8)
METHODS = ("bilinear", "nearest")


def file_of(pixels, form, **options):
    buffer = io.BytesIO()
    pillow.fromarray(pixels).save(buffer, form, **options)
    return buffer.getvalue()


class TestFiles:
    @pytest.mark.parametrize("channels", [1, 2, 3, 4])
    def test_png_there_and_back(self, channels):
        pixels = np.concatenate([PIXELS, PIXELS[..., :1]], -1)[..., :channels]
        assert (tf.io.decode_png(png_of(pixels)).numpy() == pixels).all()

    def test_sixteen_bits(self):
        pixels = (np.arange(12).reshape(3, 4, 1) * 5000).astype(np.uint16)
        data = file_of(pixels[..., 0], "PNG")
        assert (tf.io.decode_png(data, dtype=tf.uint16).numpy() == pixels).all()
        assert (tf.io.decode_png(data).numpy() == pixels >> 8).all()
        with pytest.raises(tf.errors.InvalidArgumentError, match="gray images of 16 bits"):
            tf.io.decode_png(png_of(PIXELS), dtype=tf.uint16)

    @pytest.mark.parametrize("channels", [1, 3])
    def test_jpeg_there_and_nearly_back(self, channels):
        pixels = PIXELS[..., :channels]
        found = tf.io.decode_jpeg(tf.io.encode_jpeg(pixels)).numpy()
        assert found.shape == pixels.shape
        assert np.abs(found.astype(int) - pixels).max() <= 6

    @pytest.mark.parametrize(
        ("form", "channels", "expected"),
        [
            ("PNG", 4, np.concatenate([PIXELS, np.full_like(PIXELS[..., :1], 255)], -1)),
            ("PNG", 3, PIXELS),
            ("GIF", 0, PIXELS),
        ],
    )
    @pytest.mark.parametrize("decode", [tf.io.decode_png, tf.io.decode_jpeg])
    def test_channels_and_formats(self, decode, form, channels, expected):
        found = decode(file_of(PIXELS, form), channels=channels).numpy()
        assert found.shape == expected.shape
        assert np.abs(found.astype(int) - expected).max() <= (0 if form == "PNG" else 8)

    def test_gray_is_luma(self):
        rgb = np.uint8([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]])
        gray = tf.io.decode_png(png_of(rgb), channels=1).numpy().ravel()
        assert gray.tolist() == [76, 149, 29, 255]

    @pytest.mark.parametrize(
        ("data", "words"),
        [
            (b"junk", "Unknown image file format of 4 bytes"),
            (file_of(PIXELS, "PNG")[:-30], "Invalid image data"),
            (file_of(PIXELS, "JPEG")[:-300], "Invalid image data"),
            (file_of(PIXELS, "BMP"), "One of JPEG, PNG, GIF required"),
            ([b"a", b"b"], "must be scalar"),
        ],
    )
    def test_other_data_is_refused(self, data, words):
        with pytest.raises(tf.errors.InvalidArgumentError, match=words):
            tf.io.decode_png(data)

    def test_other_arguments_are_refused(self):
        jpeg = file_of(PIXELS, "JPEG")
        for channels, words in [(2, "0, 1, 3 or 4 but got 2"), (4, "JPEG does not support 4")]:
            with pytest.raises(tf.errors.InvalidArgumentError, match=words):
                tf.io.decode_jpeg(jpeg, channels=channels)
        with pytest.raises(tf.errors.InvalidArgumentError, match=r"1 or 3 .* got \[40, 50"):
            tf.io.encode_jpeg(PIXELS[..., :2])

    def test_without_pillow_the_error_names_the_extra(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "PIL", None)
        monkeypatch.setitem(sys.modules, "PIL.Image", None)
        with pytest.raises(ModuleNotFoundError, match=r'decode_png .*"autograph-numpy\[image\]"'):
            tf.io.decode_png(b"")

    def test_files_in_a_pipeline(self, tmp_path):
        for name in "ab":
            (tmp_path / f"{name}.jpg").write_bytes(file_of(PIXELS, "JPEG"))

        def load(path):
            image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
            return tf.image.resize(image, [8, 6]) / 255.0

        files = tf.data.Dataset.list_files(str(tmp_path / "*.jpg"))
        (batch,) = files.map(load, num_parallel_calls=2).batch(2)
        assert batch.shape == (2, 8, 6, 3)
        assert files.map(load).element_spec.shape.as_list() == [8, 6, 3]


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
