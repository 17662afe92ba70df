"""Callbacks: what happens before and after epochs and batches, beside the steps themselves."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras import families
from runtime.keras.base.names import path_of
from runtime.keras.saving import archive


class Callback:
    """A set of hooks that `fit`, `evaluate` and `predict` call.

    Attributes:
      model: the model.
      params: dict of `verbose`, `epochs` and `steps`.

    A subclass overrides the hooks that it needs: `on_KIND_begin(logs)` and `on_KIND_end(logs)` for
    `train`, `test`, `predict`; with the number of the epoch or batch before the logs for `epoch`,
    `train_batch`, `test_batch`, `predict_batch`, and `batch`, the same as `train_batch`. `logs`
    holds numbers by name: those of the batch at the end of a batch, those of the epoch at the end
    of an epoch, else none.

    >>> class Count(Callback):
    ...     epochs = 0
    ...     def on_epoch_end(self, epoch, logs=None):
    ...         self.epochs += 1
    >>> count = Count()
    >>> count.on_epoch_end(0)
    >>> count.epochs
    1
    """

    model: Any = None
    params: dict[str, Any] = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Set `params`; `fit` calls it before all hooks.

        Args:
          params: dict of `verbose`, `epochs` and `steps`.
        """
        self.params = params

    def set_model(self, model: object) -> None:
        """Set `model`; `fit` calls it before all hooks.

        Args:
          model: the model.
        """
        self.model = model

    def on_train_batch_begin(self, batch: int, logs: object = None) -> None:
        """Run before each step of training.

        Args:
          batch: number of the batch in its epoch, from 0.
          logs: no numbers.
        """
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: object = None) -> None:
        """Run after each step of training.

        Args:
          batch: number of the batch in its epoch, from 0.
          logs: loss and metrics by name.
        """
        self.on_batch_end(batch, logs)

    def _no_logs(self, logs: object = None) -> None:
        """Do nothing; a subclass overrides it.

        Args:
          logs: see the class.
        """

    def _no_step(self, number: int, logs: object = None) -> None:
        """Do nothing; a subclass overrides it.

        Args:
          number: number of the epoch, or of the batch in its epoch, from 0.
          logs: see the class.
        """

    on_train_begin = on_train_end = on_test_begin = on_test_end = _no_logs
    on_predict_begin = on_predict_end = _no_logs
    on_epoch_begin = on_epoch_end = on_batch_begin = on_batch_end = _no_step
    on_test_batch_begin = on_test_batch_end = _no_step
    on_predict_batch_begin = on_predict_batch_end = _no_step


class LambdaCallback(Callback):
    """A callback given by functions.

    Args:
      **hooks: functions by the name of the hook.

    Raises: TypeError for a name that is not a hook.

    >>> callback = LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))
    >>> callback.on_epoch_end(0, {"loss": 1.0})
    0 {'loss': 1.0}
    """

    def __init__(self, **hooks: Callable[..., Any] | None) -> None:
        for name, hook in hooks.items():
            if not hasattr(Callback, name):
                raise TypeError(f"LambdaCallback has no hook `{name}`.")
            if hook is not None:
                setattr(self, name, hook)


class History(Callback):
    """The numbers of all epochs; `fit` returns it.

    Attributes:
      epoch: numbers of the epochs, from 0.
      history: one list of numbers for each name.

    >>> history = History()
    >>> history.on_epoch_end(0, {"loss": 1.5})
    >>> history.epoch, history.history
    ([0], {'loss': [1.5]})
    """

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: object = None) -> None:
        """Forget the epochs of an earlier `fit`."""
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Append the numbers of the epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class _Monitor(Callback):
    """A callback that compares a number of the logs with the best one so far."""

    def __init__(self, monitor: str, mode: str, min_delta: float = 0.0) -> None:
        families.check_choice("mode", mode, ("auto", "min", "max"))
        self.monitor = monitor
        grows = any(word in monitor.lower() for word in ("acc", "auc", "precision", "recall"))
        self._sign = 1 if mode == "max" or (mode == "auto" and grows) else -1
        self.min_delta = abs(min_delta)
        self.best = -self._sign * math.inf

    def improves(self, value: float) -> bool:
        """Return whether a number is better than the best one by more than `min_delta`.

        Args:
          value: the number.
        """
        return self._sign * (value - self.best) > self.min_delta

    def value(self, logs: Any) -> float | None:
        """Return the number; None, with a warning, if the logs do not hold it.

        Args:
          logs: numbers by name.
        """
        found = (logs or {}).get(self.monitor)
        if found is None:
            warnings.warn(
                f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not "
                f"available. Available metrics are: {','.join(logs or {})}",
                stacklevel=2,
            )
        return found


class EarlyStopping(_Monitor):
    """Stop training when a number no longer improves.

    Args:
      monitor: name of the number.
      min_delta: least change that counts as improvement.
      patience: number of epochs without improvement after which training stops.
      verbose: whether to print that.
      mode: whether the number improves downwards (`min`) or upwards (`max`); `auto`: accuracies and
        the like upwards, others downwards.
      restore_best_weights: whether to set the variables to those of the best epoch.

    >>> stopping = EarlyStopping(monitor="loss", patience=2)
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        *,
        restore_best_weights: bool = False,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience = patience
        self.verbose = verbose
        self.restore_best_weights = restore_best_weights

    def on_train_begin(self, logs: object = None) -> None:
        """Forget an earlier `fit`."""
        self.wait = self.stopped_epoch = self.best_epoch = 0
        self.best = -self._sign * math.inf
        self.best_weights: Any = None

    def on_epoch_end(self, epoch: int, logs: object = None) -> None:
        """Compare, and stop if the patience has ended."""
        current = self.value(logs)
        if current is None:
            return
        better = self.improves(current)
        if better or (self.restore_best_weights and self.best_weights is None):
            self.best_epoch = epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
        self.wait += 1
        if better:
            self.best, self.wait = current, 0
        if self.wait >= max(self.patience, 1) and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def on_train_end(self, logs: object = None) -> None:
        """Restore the best variables."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                number = self.best_epoch + 1
                print(f"Restoring model weights from the end of the best epoch: {number}.")
            self.model.set_weights(self.best_weights)


class ModelCheckpoint(_Monitor):
    """Save the model, or its variables, while it is trained.

    Args:
      filepath: path of the file, in which `{epoch:02d}` and `{val_loss:.2f}` are replaced.
      monitor: name of the number that tells which model is best.
      verbose: whether to print what is saved.
      save_best_only: whether to save only a model that is better than all before.
      save_weights_only: whether to save the variables alone.
      mode: as of `EarlyStopping`.
      save_freq: `epoch`, or a number of batches.

    Raises: ValueError for another frequency, or for a name that a saved model cannot have.

    >>> ModelCheckpoint("model.keras", save_best_only=True).monitor
    'val_loss'
    """

    def __init__(
        self,
        filepath: Any,
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: Any = "epoch",
    ) -> None:
        super().__init__(monitor, mode)
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"`save_freq` is 'epoch' or a number of batches, not {save_freq!r}.")
        self.filepath = os.fspath(filepath)
        if not save_weights_only:
            archive.path_of_model(self.filepath)
        self.verbose = verbose
        self.save_best_only = save_best_only
        self.save_weights_only = save_weights_only
        self.save_freq = save_freq
        self._epoch = self._batches = 0

    def on_epoch_begin(self, epoch: int, logs: object = None) -> None:
        """Note the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Save after a number of batches."""
        self._batches += 1
        if self.save_freq != "epoch" and self._batches % self.save_freq == 0:
            self._save({"epoch": self._epoch + 1, "batch": batch + 1, **(logs or {})}, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Save after each epoch."""
        if self.save_freq == "epoch":
            self._save({"epoch": epoch + 1, **(logs or {})}, logs)

    def _save(self, known: dict[str, Any], logs: object) -> None:
        try:
            path = str(self.filepath.format(**known))
        except KeyError as error:
            raise KeyError(
                f"`filepath` of ModelCheckpoint is '{self.filepath}', but the logs hold no {error}."
                f" They hold: {', '.join(known)}."
            ) from error
        change = ""
        if self.save_best_only:
            current = self.value(logs)
            if current is None:
                return
            best = f"{self.best:.5f}" if math.isfinite(self.best) else None
            if not self.improves(current):
                self._print(known, f"{self.monitor} did not improve from {best}")
                return
            change = f"{self.monitor} improved from {best} to {current:.5f}, "
            self.best = current
        self._print(known, f"{change}saving model to {path}")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        save = self.model.save_weights if self.save_weights_only else self.model.save
        save(path)
        self._print(known, f"finished saving model to {path}")

    def _print(self, known: dict[str, Any], text: str) -> None:
        if self.verbose > 0:
            print(f"\nEpoch {known['epoch']}: {text}")


class TensorBoard(Callback):
    """Write the numbers of epochs and batches, and histograms of variables, for TensorBoard.

    Args:
      log_dir: directory, in which `train` and `validation` are created.
      histogram_freq: number of epochs between histograms of variables; 0: none.
      update_freq: `epoch`, `batch`, or a number of batches between numbers of batches.
      profile_batch, embeddings_freq: have no effect.

    Raises: ValueError for another frequency.

    >>> TensorBoard("logs/first", histogram_freq=1).log_dir
    'logs/first'
    """

    def __init__(
        self,
        log_dir: Any = "logs",
        histogram_freq: int = 0,
        *,
        update_freq: Any = "epoch",
        profile_batch: Any = 0,
        embeddings_freq: int = 0,
    ) -> None:
        if update_freq not in ("epoch", "batch") and not isinstance(update_freq, int):
            raise ValueError(
                f"`update_freq` is 'epoch', 'batch' or a number of batches, not {update_freq!r}."
            )
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq = histogram_freq
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._writers: dict[str, Any] = {}
        self._batches = 0

    def _writer(self, name: str) -> Any:
        if name not in self._writers:
            path = os.path.join(self.log_dir, name)
            self._writers[name] = tf.summary.create_file_writer(path)
        return self._writers[name].as_default()

    def _write(self, name: str, values: dict[str, Any], step: int) -> None:
        with self._writer(name):
            for key, value in values.items():
                tf.summary.scalar(key, value, step=step)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Write the numbers of the batch."""
        self._batches += 1
        if self.update_freq != "epoch" and self._batches % self.update_freq == 0:
            values = {f"batch_{name}": value for name, value in (logs or {}).items()}
            self._write("train", values, self._batches)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the numbers of the epoch."""
        values: dict[str, dict[str, Any]] = {"train": {}, "validation": {}}
        for name, value in (logs or {}).items():
            writer = "validation" if name.startswith("val_") else "train"
            values[writer][f"epoch_{name.removeprefix('val_')}"] = value
        rate = getattr(self.model.optimizer, "learning_rate", None)
        if rate is not None:
            values["train"]["epoch_learning_rate"] = float(rate)
        for writer, own in values.items():
            if own:
                self._write(writer, own, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train"):
                for variable in self.model.weights:
                    tf.summary.histogram(f"{path_of(variable)}/histogram", variable, step=epoch)

    def on_test_end(self, logs: Any = None) -> None:
        """Write the numbers of the evaluation, by the number of steps of training."""
        steps = getattr(self.model.optimizer, "iterations", None)
        if steps is not None:
            logs = {f"evaluation_{name}_vs_iterations": value for name, value in logs.items()}
            self._write("validation", logs, int(steps))

    def on_train_end(self, logs: object = None) -> None:
        """Close the files."""
        for writer in self._writers.values():
            writer.close()
        self._writers = {}


__dir__, __getattr__ = families.namespace(
    globals(), "derive a class from `keras.callbacks.Callback`"
)
