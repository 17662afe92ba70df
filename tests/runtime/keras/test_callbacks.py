"""Callbacks: when their hooks run, and what each of the built-in ones does."""

import os

import numpy as np
import pytest

from runtime import keras
from runtime.keras import callbacks

NUMBERS = np.random.default_rng(0)
X = NUMBERS.normal(size=(12, 4)).astype("float32")
Y = NUMBERS.normal(size=(12, 1)).astype("float32")


@pytest.fixture
def model():
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.01), "mse")
    return model


def fit(model, *hooks, epochs=3, **options):
    options = {"validation_data": (X, Y), "batch_size": 6, "verbose": 0, **options}
    return model.fit(X, Y, epochs=epochs, callbacks=list(hooks), **options)


class Fixed(callbacks.Callback):
    """Replaces a number of the logs, in front of the callback under test."""

    def __init__(self, name, values):
        self.name, self.values = name, values

    def on_epoch_end(self, epoch, logs=None):
        logs[self.name] = self.values[epoch]


class Recorder(callbacks.Callback):
    def __init__(self):
        self.calls = []


def recorded(name):
    def hook(self, *args):
        assert isinstance(args[-1], dict), name
        self.calls.append(name)

    return hook


HOOKS = [name for name in dir(callbacks.Callback) if name.startswith("on_")]
for each in HOOKS:
    setattr(Recorder, each, recorded(each))


def test_hooks_run_in_the_order_of_keras(model):
    recorder = Recorder()
    fit(model, recorder, epochs=1, batch_size=12)
    batch = ["on_test_batch_begin", "on_test_batch_end"]
    assert recorder.calls == [
        *("on_train_begin", "on_epoch_begin", "on_train_batch_begin", "on_train_batch_end"),
        *("on_test_begin", *batch, "on_test_end", "on_epoch_end", "on_train_end"),
    ]
    recorder.calls.clear()
    model.predict(X, verbose=0, callbacks=[recorder])
    model.evaluate(X, Y, verbose=0, callbacks=[recorder])
    predict = ["on_predict_begin", "on_predict_batch_begin", "on_predict_batch_end"]
    assert recorder.calls == [*predict, "on_predict_end", "on_test_begin", *batch, "on_test_end"]


def test_older_hooks_of_batches_run_while_training(model):
    class Older(callbacks.Callback):
        seen = 0

        def on_batch_end(self, batch, logs=None):
            Older.seen += 1
            assert logs["loss"] > 0

    fit(model, Older(), epochs=2)
    assert Older.seen == 4


def test_callbacks_know_model_and_params(model):
    class Knowing(callbacks.Callback):
        def on_train_begin(self, logs=None):
            assert self.model is model
            assert self.params == {"verbose": 0, "epochs": 3, "steps": 2}

    assert fit(model, Knowing()).params == {"verbose": 0, "epochs": 3, "steps": 2}


def test_history_holds_the_numbers_of_each_epoch(model):
    history = fit(model)
    assert history.epoch == [0, 1, 2]
    assert {name: len(values) for name, values in history.history.items()} == {
        "loss": 3,
        "val_loss": 3,
    }
    assert model.history is history


def test_training_continues_at_an_epoch(model):
    first = fit(model, epochs=2)
    second = fit(model, epochs=4, initial_epoch=first.epoch[-1] + 1)
    assert second.epoch == [2, 3]
    assert fit(model, epochs=2, initial_epoch=2).history == {}


def test_history_and_hooks_sort_names_as_keras_does(model):
    model.compile("sgd", "mse", weighted_metrics=["mae"])
    assert list(fit(model, epochs=1).history) == ["loss", "mae", "val_loss", "val_mae"]
    model.compile("sgd", "mse", metrics=[keras.metrics.MeanAbsoluteError(name="x")])
    assert list(fit(model, epochs=1).history) == ["loss", "val_loss", "val_x", "x"]


class TestEarlyStopping:
    @pytest.mark.parametrize(
        ("options", "values", "epochs"),
        [
            ({"patience": 0}, [3.0, 2.0, 2.0, 1.0], 3),
            ({"patience": 2}, [3.0, 4.0, 4.0, 1.0, 1.0], 3),
            ({"patience": 1, "min_delta": 0.5}, [3.0, 2.8, 2.7, 1.0], 2),
            ({"patience": 3}, [3.0, 2.0, 1.0, 0.5], 4),
            ({"patience": 1, "mode": "max"}, [3.0, 2.0, 1.0, 0.5], 2),
        ],
        ids=str,
    )
    def test_it_stops_after_epochs_without_improvement(self, model, options, values, epochs):
        stopping = callbacks.EarlyStopping("val_loss", **options)
        history = fit(model, Fixed("val_loss", values), stopping, epochs=len(values))
        assert len(history.epoch) == epochs

    def test_it_restores_the_variables_of_the_best_epoch(self, model):
        kept = []
        keep = callbacks.LambdaCallback(
            on_epoch_end=lambda epoch, logs: kept.append(model.get_weights())
        )
        stopping = callbacks.EarlyStopping(patience=2, restore_best_weights=True, verbose=1)
        fit(model, Fixed("val_loss", [3.0, 1.0, 2.0, 2.0, 0.0]), keep, stopping, epochs=5)
        np.testing.assert_array_equal(model.get_weights()[0], kept[1][0])

    def test_a_number_that_the_logs_lack_is_a_warning(self, model):
        with pytest.warns(UserWarning, match=r"metric `val_acc` which is not.*loss,val_loss"):
            fit(model, callbacks.EarlyStopping("val_acc"), epochs=1)


class TestModelCheckpoint:
    def test_it_saves_each_epoch_under_its_own_name(self, model, tmp_path):
        path = tmp_path / "deep" / "m{epoch:02d}-{val_loss:.1f}.weights.safetensors"
        fixed = Fixed("val_loss", [3.0, 4.0])
        fit(model, fixed, callbacks.ModelCheckpoint(path, save_weights_only=True), epochs=2)
        names = ["m01-3.0.weights.safetensors", "m02-4.0.weights.safetensors"]
        assert sorted(os.listdir(tmp_path / "deep")) == names

    def test_it_saves_only_what_is_better(self, model, tmp_path, capsys):
        path = tmp_path / "best.keras"
        saving = callbacks.ModelCheckpoint(path, save_best_only=True, verbose=1)
        fit(model, Fixed("val_loss", [3.0, 4.0, 2.0]), saving)
        assert capsys.readouterr().out.splitlines()[1::2] == [
            f"Epoch 1: val_loss improved from None to 3.00000, saving model to {path}",
            f"Epoch 1: finished saving model to {path}",
            "Epoch 2: val_loss did not improve from 3.00000",
            f"Epoch 3: val_loss improved from 3.00000 to 2.00000, saving model to {path}",
            f"Epoch 3: finished saving model to {path}",
        ]
        again = keras.models.load_model(path)
        np.testing.assert_array_equal(again.get_weights()[0], model.get_weights()[0])

    def test_it_saves_after_a_number_of_batches(self, model, tmp_path):
        path = tmp_path / "b{epoch}-{batch}.keras"
        fit(model, callbacks.ModelCheckpoint(path, save_freq=3))
        assert sorted(os.listdir(tmp_path)) == ["b2-1.keras", "b3-2.keras"]

    def test_a_name_that_the_logs_lack_is_an_error(self, model, tmp_path):
        saving = callbacks.ModelCheckpoint(tmp_path / "{accuracy}.keras")
        with pytest.raises(KeyError, match=r"the logs hold no 'accuracy'\. They hold: epoch, loss"):
            fit(model, saving)


def test_an_unknown_hook_frequency_or_ending_is_an_error():
    with pytest.raises(TypeError, match="no hook `on_epoch`"):
        callbacks.LambdaCallback(on_epoch=print)
    with pytest.raises(ValueError, match="`mode` must be one of 'auto', 'min', 'max'"):
        callbacks.EarlyStopping(mode="up")
    with pytest.raises(ValueError, match=r"'best\.hdf': the name of a saved model ends"):
        callbacks.ModelCheckpoint("best.hdf")
    with pytest.raises(ValueError, match="'epoch' or a number of batches"):
        callbacks.ModelCheckpoint("m.keras", save_freq="step")
