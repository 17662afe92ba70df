"""Labels, sequences and images."""

import numpy as np
import pytest

import runtime as tf
from runtime import keras


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        ({}, [[0, 0, 1], [2, 3, 4], [0, 0, 0]]),
        ({"padding": "post"}, [[1, 0, 0], [2, 3, 4], [0, 0, 0]]),
        ({"maxlen": 2}, [[0, 1], [3, 4], [0, 0]]),
        ({"maxlen": 2, "truncating": "post"}, [[0, 1], [2, 3], [0, 0]]),
        ({"value": 9, "padding": "post"}, [[1, 9, 9], [2, 3, 4], [9, 9, 9]]),
    ],
    ids=str,
)
def test_sequences_are_padded(options, rows):
    found = keras.utils.pad_sequences([[1], [2, 3, 4], []], **options)
    assert found.dtype == np.int32
    assert found.tolist() == rows
    assert keras.preprocessing.sequence.pad_sequences is keras.utils.pad_sequences


def test_classes_become_one_hot_vectors():
    assert keras.utils.to_categorical([[1], [0]], 3).tolist() == [[0, 1, 0], [1, 0, 0]]
    tensor = keras.utils.to_categorical(tf.constant([1, 0]))
    assert isinstance(tensor, tf.Tensor)
    with pytest.raises(ValueError, match=r"holds 3, which is not a class in \[0, 3\)"):
        keras.utils.to_categorical([3], 3)


def test_a_seed_repeats_all_streams():
    import random

    def drawn():
        keras.utils.set_random_seed(5)
        first = keras.initializers.GlorotUniform()((2, 2)).numpy()
        return first.tolist(), random.random(), np.random.rand(), float(tf.random.uniform(()))

    assert drawn() == drawn()


def test_arrays_become_images():
    pytest.importorskip("PIL")
    pixels = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    to_image = keras.preprocessing.image.array_to_img
    np.testing.assert_array_equal(np.asarray(to_image(pixels, scale=False)), pixels)
    scaled = to_image(np.array([[[0.0], [0.5], [1.0]]]))
    assert np.asarray(scaled).tolist() == [[0, 127, 255]]


def test_images_are_loaded_as_arrays(tmp_path):
    pytest.importorskip("PIL")
    pixels = np.arange(24).reshape(2, 4, 3) * 10
    path = tmp_path / "image.png"
    keras.utils.array_to_img(pixels, scale=False).save(path)
    array = keras.utils.img_to_array(keras.utils.load_img(path))
    assert array.dtype == np.float32
    np.testing.assert_array_equal(array, pixels)
    small = keras.preprocessing.image.load_img(path, target_size=(1, 2), color_mode="grayscale")
    assert keras.preprocessing.image.img_to_array(small).shape == (1, 2, 1)
    with pytest.raises(ValueError, match="`color_mode` must be one of 'rgb', 'rgba', 'grayscale'"):
        keras.utils.load_img(path, color_mode="cmyk")


@pytest.mark.parametrize(
    ("module", "name", "message"),
    [
        (keras.preprocessing.image, "DirectoryIterator", "read images with `tf.io`"),
        (keras.preprocessing.image, "smart", "has no attribute 'smart'"),
    ],
)
def test_what_is_left_out_says_what_to_do(module, name, message):
    with pytest.raises(AttributeError, match=message):
        getattr(module, name)
