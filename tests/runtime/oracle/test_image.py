"""Images are those of TensorFlow."""

import io

import numpy as np
import pytest

import runtime

tensorflow = pytest.importorskip("tensorflow")
pillow = pytest.importorskip("PIL.Image")

PIXELS = (np.add.outer(np.arange(40), np.arange(50)) * 2)[..., None] + np.array([0, 20, 40])
PIXELS = PIXELS.astype(np.uint8)


def both(program):
    ours, theirs = (program(tf).numpy() for tf in (runtime, tensorflow))
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    return ours, theirs


def file_of(mode, form):
    image = pillow.fromarray(PIXELS)
    image = image.quantize(16) if mode == "P" else image.convert(mode)
    buffer = io.BytesIO()
    image.save(buffer, form)
    return buffer.getvalue()


@pytest.mark.parametrize("antialias", [False, True])
@pytest.mark.parametrize("size", [(20, 25), (13, 90), (80, 7), (40, 50)])
@pytest.mark.parametrize("method", ["bilinear", "nearest"])
def test_resized_images(method, size, antialias):
    image = np.random.default_rng(0).integers(0, 256, (2, 40, 50, 3)).astype(np.uint8)
    ours, theirs = both(lambda tf: tf.image.resize(image, size, method, antialias=antialias))
    np.testing.assert_allclose(ours, theirs, atol=2e-3)


@pytest.mark.parametrize("channels", [0, 1, 3, 4])
@pytest.mark.parametrize("mode", ["RGB", "L", "RGBA", "LA", "P"])
def test_decoded_png_files(mode, channels):
    if (mode, channels) == ("P", 4):
        pytest.skip("TensorFlow's alpha of opaque palettes is 15")
    ours, theirs = both(lambda tf: tf.io.decode_png(file_of(mode, "PNG"), channels=channels))
    assert (ours == theirs).all()


@pytest.mark.parametrize("channels", [0, 1, 3])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_decoded_jpeg_files(mode, channels):
    data = file_of(mode, "JPEG")
    # TensorFlow's default is libjpeg's fast transform, which is less accurate.
    options = {"dct_method": "INTEGER_ACCURATE"}
    theirs = tensorflow.io.decode_jpeg(data, channels=channels, **options).numpy()
    assert (runtime.io.decode_jpeg(data, channels=channels).numpy() == theirs).all()


def test_one_decodes_the_files_of_the_other():
    png = tensorflow.io.encode_png(PIXELS).numpy()
    assert (runtime.io.decode_png(png).numpy() == PIXELS).all()
    for encoder, decoder in ((runtime, tensorflow), (tensorflow, runtime)):
        jpeg = decoder.io.decode_jpeg(encoder.io.encode_jpeg(PIXELS).numpy()).numpy()
        assert np.abs(jpeg.astype(int) - PIXELS).max() <= 6


@pytest.mark.parametrize("saturate", [False, True])
@pytest.mark.parametrize("target", ["float32", "float64", "uint8", "uint16", "int32"])
@pytest.mark.parametrize("source", ["float32", "uint8", "uint16", "int16", "int8"])
def test_converted_dtypes(source, target, saturate):
    values = np.array([0, 1, 100, 127, 120]).astype(source)
    if source == "float32":
        values = values / np.float32(128)
    ours, theirs = both(lambda tf: tf.image.convert_image_dtype(values, target, saturate))
    assert (ours == theirs).all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8", "int32"])
def test_contrast(dtype):
    image = np.random.default_rng(0).integers(0, 100, (2, 5, 4, 3)).astype(dtype)
    ours, theirs = both(lambda tf: tf.image.adjust_contrast(image, 1.7))
    np.testing.assert_allclose(ours, theirs, atol=1 if dtype == "uint8" else 1e-3, rtol=1e-5)
