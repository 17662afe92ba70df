"""Event files that training writes."""

import numpy as np
import pytest

from runtime import keras

pytest.importorskip("tensorboard")
events = pytest.importorskip("tests.runtime.summary.events")

X = np.ones((12, 4), "float32")
Y = np.ones((12, 1), "float32")


def written(path, **options):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1, name="out")], name="m")
    model.compile(keras.optimizers.SGD(0.01), "mse")
    board = keras.callbacks.TensorBoard(path, **options)
    history = model.fit(
        *(X, Y), batch_size=6, epochs=2, verbose=0, validation_data=(X, Y), callbacks=[board]
    )
    return history.history


def test_numbers_of_epochs_are_written(tmp_path):
    history = written(tmp_path)
    trained = events.scalars(tmp_path / "train")
    losses = [(step, value) for step, tag, value in trained if tag == "epoch_loss"]
    np.testing.assert_allclose(losses, list(enumerate(history["loss"])), rtol=1e-6)
    assert {tag for _, tag, _ in trained} == {"epoch_loss", "epoch_learning_rate"}
    validated = events.scalars(tmp_path / "validation")
    assert sorted((tag, step) for step, tag, _ in validated) == [
        *(("epoch_loss", epoch) for epoch in (0, 1)),
        *(("evaluation_loss_vs_iterations", steps) for steps in (2, 4)),
    ]


def test_numbers_of_batches_and_histograms_are_written_if_asked_for(tmp_path):
    written(tmp_path, update_freq="batch", histogram_freq=1)
    found = events.values(tmp_path / "train")
    assert [step for step, tag, *_ in found if tag == "batch_loss"] == [1, 2, 3, 4]
    drawn = [tag for _, tag, plugin, _ in found if plugin == "histograms"]
    assert drawn == ["m/out/kernel/histogram", "m/out/bias/histogram"] * 2


def test_another_frequency_is_an_error():
    with pytest.raises(ValueError, match="'epoch', 'batch' or a number of batches, not 'step'"):
        keras.callbacks.TensorBoard(update_freq="step")
