"""Batches of images that are turned at random; `tests/runtime/oracle` compares them with Keras."""

import itertools

import numpy as np
import pytest

from runtime import keras
from runtime.keras.preprocessing.image import ImageDataGenerator
from runtime.keras.utils import augmentation

IMAGES = np.arange(7 * 4 * 4, dtype=np.float32).reshape(7, 4, 4, 1)
LABELS = np.arange(7)


def test_each_pass_has_each_image_once():
    batches = ImageDataGenerator().flow(IMAGES, LABELS, batch_size=3, seed=1)
    passes = [np.concatenate([next(batches)[1] for _ in range(3)]) for _ in range(2)]
    assert [sorted(each) for each in passes] == [list(range(7))] * 2
    assert list(passes[0]) != list(passes[1])
    assert len(batches) == 3


def test_without_changes_images_are_those_of_the_array():
    images, labels = next(ImageDataGenerator().flow(IMAGES, LABELS, shuffle=False))
    np.testing.assert_array_equal(images, IMAGES)
    np.testing.assert_array_equal(labels, LABELS)


def test_numbers_are_scaled_and_images_turned():
    scaled = next(ImageDataGenerator(rescale=0.5).flow(IMAGES, shuffle=False))
    np.testing.assert_array_equal(scaled, IMAGES / 2)
    turned = next(ImageDataGenerator(rotation_range=45).flow(IMAGES, shuffle=False))
    assert (turned != IMAGES).any()
    assert turned.min() >= IMAGES.min()
    assert turned.max() <= IMAGES.max()


def test_a_seed_repeats_orders_and_angles():
    first, same, other = (
        ImageDataGenerator(rotation_range=45).flow(IMAGES, seed=seed) for seed in (1, 1, 2)
    )
    batch = next(first)
    np.testing.assert_array_equal(batch, next(same))
    assert (batch != next(other)).any()


@pytest.mark.parametrize("quarters", range(4))
def test_quarter_turns_are_those_of_numpy(quarters):
    image = np.random.default_rng(0).normal(size=(5, 5, 3))
    found = augmentation.turned(image, 90 * quarters)
    np.testing.assert_allclose(found, np.rot90(image, quarters), atol=1e-12)


@pytest.fixture
def directory(tmp_path):
    for number, name in enumerate(["cats", "dogs"]):
        (tmp_path / name).mkdir()
        (tmp_path / name / "notes.txt").write_text("no image")
        for i in range(2 + number):
            pixels = np.full((6, 8, 3), 100 * number + i, np.uint8)
            keras.utils.array_to_img(pixels, scale=False).save(tmp_path / name / f"{i}.png")
    return tmp_path


@pytest.mark.parametrize(
    ("mode", "labels"),
    [
        ("sparse", [0, 0, 1, 1, 1]),
        ("binary", [0, 0, 1, 1, 1]),
        ("categorical", [[1, 0], [1, 0], [0, 1], [0, 1], [0, 1]]),
    ],
)
def test_directories_are_classes(directory, mode, labels, capsys):
    batches = ImageDataGenerator().flow_from_directory(
        directory, target_size=(4, 4), class_mode=mode, shuffle=False
    )
    assert capsys.readouterr().out == "Found 5 images belonging to 2 classes.\n"
    images, found = next(batches)
    assert images.shape == (5, 4, 4, 3)
    assert list(images[:, 0, 0, 0]) == [0, 1, 100, 101, 102]
    np.testing.assert_array_equal(found, labels)
    assert batches.class_indices == {"cats": 0, "dogs": 1}
    assert batches.samples == 5


def test_directories_without_labels_give_images_alone(directory):
    batches = ImageDataGenerator().flow_from_directory(directory, class_mode=None)
    assert next(batches).shape == (5, 256, 256, 3)


def test_models_train_on_them_evaluate_and_predict():
    model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    generator = ImageDataGenerator(rescale=1 / 255)
    steps = itertools.count()
    count = keras.callbacks.LambdaCallback(on_train_batch_end=lambda batch, logs: next(steps))
    batches = generator.flow(IMAGES, LABELS, batch_size=3)
    model.fit(batches, epochs=2, verbose=0, callbacks=[count])
    assert next(steps) == 6
    held = generator.flow(IMAGES, LABELS, batch_size=3, shuffle=False)
    expected = model.evaluate(IMAGES / np.float32(255), LABELS, verbose=0)
    np.testing.assert_allclose(model.evaluate(held, verbose=0), expected, rtol=1e-5)
    assert model.predict(generator.flow(IMAGES), verbose=0).shape == (7, 1)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda g: g.flow(IMAGES[0]), ValueError, r"shape \[n, height, width, channels\]"),
        (lambda g: g.flow(IMAGES, LABELS[1:]), ValueError, "7 images, and `y` has 6"),
        (lambda g: g.flow(IMAGES[:0]), ValueError, "no images"),
        (lambda g: g.flow_from_directory("/absent"), FileNotFoundError, "/absent"),
        (lambda g: g.flow_from_directory(".", class_mode="x"), ValueError, "`class_mode` must be"),
        (lambda g: ImageDataGenerator(zoom_range=0.2), TypeError, "zoom_range"),
    ],
)
def test_bad_input_is_refused(call, error, message):
    with pytest.raises(error, match=message):
        call(ImageDataGenerator())
