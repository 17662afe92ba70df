"""JPEG and PNG files, decoded and encoded."""

import io
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.io.images import png_of

pillow = pytest.importorskip("PIL.Image")


PIXELS = (np.add.outer(np.arange(40), np.arange(50)) * 2)[..., None] + np.array([0, 20, 40])
PIXELS = PIXELS.astype(np.uint8)


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
