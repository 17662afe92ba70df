"""Callbacks that watch a number of the logs."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable
from typing import Any

from runtime.keras.callbacks.callback import Callback

# Names of numbers of which more is better.
_GROWING = ("acc", "accuracy", "auc", "precision", "recall", "cosine_similarity")


class Monitor(Callback):
    """A callback that compares a number with the best one so far.

    Args:
      monitor: name of the number.
      mode: `min`, `max`, or `auto`: max for accuracies and the like.
      min_delta: least change that counts.

    Raises: ValueError for another mode.
    """

    def __init__(self, monitor: str, mode: str = "auto", min_delta: float = 0.0) -> None:
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"`mode` is 'auto', 'min' or 'max'. Received: mode={mode!r}")
        growing = any(word in monitor.lower() for word in _GROWING)
        self.monitor = monitor
        self.mode = ("max" if growing else "min") if mode == "auto" else mode
        self.min_delta = abs(min_delta)
        self.best: Any = self.worst

    @property
    def worst(self) -> float:
        """The number that every other one improves."""
        return -math.inf if self.mode == "max" else math.inf

    def improves(self, value: float, best: float) -> bool:
        """Whether a number is better than another by more than `min_delta`."""
        if self.mode == "max":
            return value - self.min_delta > best
        return value + self.min_delta < best

    def value(self, logs: Any) -> float | None:
        """Return the number; None, with a warning, if the logs do not hold it."""
        found = (logs or {}).get(self.monitor)
        if found is None:
            warnings.warn(
                f"{type(self).__name__} conditioned on metric `{self.monitor}` which is not "
                f"available. Available metrics are: {','.join(logs or {})}",
                stacklevel=2,
            )
        return found


class EarlyStopping(Monitor):
    """Stop training when a number no longer improves.

    Args:
      monitor: name of the number.
      min_delta: least change that counts as improvement.
      patience: number of epochs without improvement after which training stops.
      verbose: whether to print that.
      mode: `min`, `max`, or `auto`: max for accuracies and the like.
      baseline: number that has to be improved.
      restore_best_weights: whether to set the variables to those of the best epoch.
      start_from_epoch: number of epochs that do not count.

    >>> stopping = EarlyStopping(monitor="loss", patience=2)
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.restore_best_weights = restore_best_weights
        self.start_from_epoch = start_from_epoch

    def on_train_begin(self, logs: Any = None) -> None:
        """Forget an earlier `fit`."""
        self.wait = 0
        self.stopped_epoch = 0
        self.best = self.worst
        self.best_epoch = 0
        self.best_weights: Any = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Compare, and stop if the patience has ended."""
        current = self.value(logs)
        if current is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self._keep(epoch)
        self.wait += 1
        if self.improves(current, self.best):
            self.best = current
            if self.restore_best_weights:
                self._keep(epoch)
            self.best_epoch = epoch
            if self.baseline is None or self.improves(current, self.baseline):
                self.wait = 0
                return
        if self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def _keep(self, epoch: int) -> None:
        self.best_weights = self.model.get_weights()
        self.best_epoch = epoch

    def on_train_end(self, logs: Any = None) -> None:
        """Restore the best variables."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose > 0:
                print(
                    "Restoring model weights from the end of the best epoch: "
                    f"{self.best_epoch + 1}."
                )
            self.model.set_weights(self.best_weights)


class ModelCheckpoint(Monitor):
    """Save the model, or its variables, while it is trained.

    Args:
      filepath: path of the file, in which `{epoch:02d}` and `{val_loss:.2f}` are replaced.
      monitor: name of the number that tells which model is best.
      verbose: whether to print what is saved.
      save_best_only: whether to save only a model that is better than all before.
      save_weights_only: whether to save the variables alone.
      mode: `min`, `max`, or `auto`: max for accuracies and the like.
      save_freq: `epoch`, or a number of batches.
      initial_value_threshold: number that has to be improved first.

    Raises: ValueError for another frequency.
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
        initial_value_threshold: float | None = None,
    ) -> None:
        super().__init__(monitor, mode)
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"`save_freq` is 'epoch' or a number of batches, not {save_freq!r}.")
        self.filepath = os.fspath(filepath)
        self.verbose = verbose
        self.save_best_only = save_best_only
        self.save_weights_only = save_weights_only
        self.save_freq = save_freq
        if initial_value_threshold is not None:
            self.best = initial_value_threshold
        self._epoch = 0
        self._batches = 0

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Note the epoch."""
        self._epoch = epoch

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Save after a number of batches."""
        self._batches += 1
        if self.save_freq != "epoch" and self._batches % self.save_freq == 0:
            self._save(self._epoch, batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Save after each epoch."""
        if self.save_freq == "epoch":
            self._save(epoch, None, logs)

    def _save(self, epoch: int, batch: int | None, logs: Any) -> None:
        path = self._path(epoch, batch, logs)
        text = f"\nEpoch {epoch + 1}: "
        if self.save_best_only:
            current = self.value(logs)
            if current is None:
                return
            change = f"{self.monitor} improved from {self.best:.5f} to {current:.5f}, "
            if not self.improves(current, self.best):
                if self.verbose > 0:
                    print(f"{text}{self.monitor} did not improve from {self.best:.5f}")
                return
            text += change
            self.best = current
        if self.verbose > 0:
            print(f"{text}saving model to {path}")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        save: Callable[..., Any] = self.model.save
        if self.save_weights_only:
            save = self.model.save_weights
        save(path, overwrite=True)

    def _path(self, epoch: int, batch: int | None, logs: Any) -> str:
        known = {"epoch": epoch + 1, **(logs or {})}
        if batch is not None:
            known["batch"] = batch + 1
        try:
            return str(self.filepath.format(**known))
        except KeyError as error:
            raise KeyError(
                f"`filepath` of ModelCheckpoint is '{self.filepath}', but the logs hold no {error}."
                f" They hold: {', '.join(known)}."
            ) from error
