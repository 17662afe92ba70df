"""Callbacks that call functions, write files, or stop training."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras.callbacks.callback import Callback


class LambdaCallback(Callback):
    """A callback given by functions.

    Args:
      on_epoch_begin, on_epoch_end: functions of the epoch and the logs.
      on_train_batch_begin, on_train_batch_end: functions of the batch and the logs.
      on_train_begin, on_train_end: functions of the logs.
      **kwargs: further hooks by name.

    Raises: TypeError for a name that is no hook.

    >>> callback = LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))
    >>> callback.on_epoch_end(0, {"loss": 1.0})
    0 {'loss': 1.0}
    """

    def __init__(
        self,
        on_epoch_begin: Callable[..., Any] | None = None,
        on_epoch_end: Callable[..., Any] | None = None,
        on_train_begin: Callable[..., Any] | None = None,
        on_train_end: Callable[..., Any] | None = None,
        on_train_batch_begin: Callable[..., Any] | None = None,
        on_train_batch_end: Callable[..., Any] | None = None,
        **kwargs: Callable[..., Any],
    ) -> None:
        hooks = {
            "on_epoch_begin": on_epoch_begin,
            "on_epoch_end": on_epoch_end,
            "on_train_begin": on_train_begin,
            "on_train_end": on_train_end,
            "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end,
            **kwargs,
        }
        for name, hook in hooks.items():
            if not hasattr(Callback, name):
                raise TypeError(f"LambdaCallback has no hook `{name}`.")
            if hook is not None:
                setattr(self, name, hook)


class TensorBoard(Callback):
    """Write the numbers of epochs and batches, and histograms of variables, for TensorBoard.

    Args:
      log_dir: directory, in which `train` and `validation` are created.
      histogram_freq: number of epochs between histograms of variables; 0: none.
      write_graph, write_images, profile_batch, embeddings_freq, embeddings_metadata: have no
        effect.
      write_steps_per_second: whether to write the number of batches per second.
      update_freq: `epoch`, `batch`, or a number of batches between numbers of batches.

    Raises: ValueError for another frequency.
    """

    def __init__(
        self,
        log_dir: Any = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: Any = "epoch",
        profile_batch: Any = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: Any = None,
    ) -> None:
        if update_freq not in ("epoch", "batch") and not isinstance(update_freq, int):
            raise ValueError(
                f"`update_freq` is 'epoch', 'batch' or a number of batches, not {update_freq!r}."
            )
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq = histogram_freq
        self.write_steps_per_second = write_steps_per_second
        self.update_freq = 1 if update_freq == "batch" else update_freq
        self._writers: dict[str, Any] = {}
        self._batches = 0

    def _writer(self, name: str) -> Any:
        if name not in self._writers:
            path = os.path.join(self.log_dir, name)
            self._writers[name] = tf.summary.create_file_writer(path)
        return self._writers[name]

    def _write(self, name: str, values: dict[str, Any], step: int) -> None:
        with self._writer(name).as_default():
            for key, value in values.items():
                tf.summary.scalar(key, value, step=step)

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Start the clock."""
        self._start = time.perf_counter(), self._batches

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Write the numbers of the batch."""
        self._batches += 1
        if self.update_freq != "epoch" and self._batches % self.update_freq == 0:
            values = {f"batch_{name}": value for name, value in (logs or {}).items()}
            self._write("train", values, self._batches)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Write the numbers of the epoch."""
        own = {f"epoch_{k}": v for k, v in (logs or {}).items() if not k.startswith("val_")}
        rate = getattr(self.model.optimizer, "learning_rate", None)
        if rate is not None:
            own["epoch_learning_rate"] = float(rate)
        if self.write_steps_per_second:
            start, batches = self._start
            seconds = time.perf_counter() - start
            own["epoch_steps_per_second"] = (self._batches - batches) / seconds
        self._write("train", own, epoch)
        later = {
            f"epoch_{k.removeprefix('val_')}": v
            for k, v in (logs or {}).items()
            if k.startswith("val_")
        }
        if later:
            self._write("validation", later, epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            with self._writer("train").as_default():
                for variable in self.model.weights:
                    name = getattr(variable, "path", variable.name)
                    tf.summary.histogram(f"{name}/histogram", variable, step=epoch)

    def on_train_end(self, logs: Any = None) -> None:
        """Close the files."""
        for writer in self._writers.values():
            writer.close()
        self._writers = {}
