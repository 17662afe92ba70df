"""Files of models that are damaged or replaced, and what is in them."""

import random
import subprocess
import sys
import zipfile

import numpy as np
import pytest

from runtime import keras


def functional():
    inputs = keras.Input((3,), name="inputs")
    hidden = keras.layers.Dense(4, activation="relu", name="hidden")(inputs)
    return keras.Model(inputs, keras.layers.Dense(2, name="out")(hidden + 1.0), name="net")


def sequential():
    return keras.Sequential([keras.Input((3,)), keras.layers.Dense(4), keras.layers.Dense(2)])


def test_a_file_is_an_archive_without_code(tmp_path):
    functional().save(tmp_path / "model.keras")
    with zipfile.ZipFile(tmp_path / "model.keras") as archive:
        assert archive.namelist() == ["metadata.json", "config.json", "variables.safetensors"]


@pytest.mark.parametrize("build", [functional, sequential])
def test_a_process_that_has_used_no_class_of_keras_loads_a_model(tmp_path, build):
    model = build()
    model.compile("adam", "mse", metrics=["mae"])
    model.save(tmp_path / "model.keras")
    program = (
        "import sys, runtime as tf\n"
        "model = tf.keras.models.load_model(sys.argv[1])\n"
        "print(model([[1.0, 2.0, 3.0]]).numpy().tolist(), type(model.optimizer).__name__)"
    )
    run = [sys.executable, "-c", program, str(tmp_path / "model.keras")]
    found = subprocess.run(run, capture_output=True, text=True, check=True)
    assert found.stdout == f"{model([[1.0, 2.0, 3.0]]).numpy().tolist()} Adam\n"


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.keras"
    functional().save(path)
    before = path.read_bytes()
    inputs = keras.Input((3,))
    unsaved = keras.Model(inputs, keras.layers.Lambda(lambda x: 2.0 * x)(inputs))
    with pytest.raises(ValueError, match="Cannot save a lambda"):
        unsaved.save(path)
    assert path.read_bytes() == before and len(list(tmp_path.iterdir())) == 1


def rewritten(path, **members):
    """A copy of a saved model with other members."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, members.get(name.partition(".")[0], content))


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"config": b'{"class_name": "Sequ'}, "is damaged, or was not saved by this package"),
        ({"config": b'{"class_name": "Sequential"}'}, "is damaged.*config describes no model"),
        ({"config": b"[]"}, "is damaged.*config describes no model"),
        ({"metadata": b'{"version": 99}'}, "has version 99 of the format"),
        ({"variables": b"none"}, "is damaged.* No variable has changed"),
    ],
)
def test_a_damaged_model_is_an_error_that_names_the_file(tmp_path, members, message):
    path = tmp_path / "model.keras"
    keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]).save(path)
    rewritten(path, **members)
    with pytest.raises(ValueError, match=f"model.keras' {message}"):
        keras.models.load_model(path)


def test_bytes_changed_anywhere_are_an_error_that_names_the_file(tmp_path):
    path, numbers = tmp_path / "model.keras", random.Random(0)
    keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)]).save(path)
    content = path.read_bytes()
    for _ in range(200):
        damaged = bytearray(content)
        # The last 250 bytes are the directory of the archive.
        for position in numbers.sample(range(len(content) - 250, len(content)), 3):
            damaged[position] = numbers.randrange(256)
        path.write_bytes(damaged)
        try:
            keras.models.load_model(path)
        except ValueError as error:
            assert "model.keras'" in str(error)


def test_damaged_weights_are_an_error_that_names_the_file_and_change_nothing(tmp_path):
    path = tmp_path / "model.weights"
    model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1)])
    model.save_weights(path)
    before = model.get_weights()
    path.write_bytes(path.read_bytes()[:-3])
    with pytest.raises(ValueError, match=r"model\.weights' is damaged"):
        model.load_weights(path)
    for now, then in zip(model.get_weights(), before, strict=True):
        np.testing.assert_array_equal(now, then)


def test_a_directory_in_place_of_a_file_is_an_error_that_names_it(tmp_path):
    with pytest.raises(ValueError, match=r"is a directory.*TFSMLayer"):
        keras.models.load_model(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"no directory '.*none' for 'model\.keras'"):
        sequential().save(tmp_path / "none" / "model.keras")
