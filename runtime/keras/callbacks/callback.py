"""Callbacks: what happens before and after epochs and batches, beside the steps themselves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from runtime.keras.callbacks.progress import Progress

Logs = dict[str, Any]
Hook = Callable[..., None]


class Callback:
    """A set of hooks that `fit`, `evaluate` and `predict` call.

    Attributes:
      model: the model.
      params: dict of `verbose`, `epochs` and `steps`.

    A subclass overrides the hooks that it needs. `logs` holds numbers by name: those of the batch
    at the end of a batch, those of the epoch at the end of an epoch.

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
    params: Logs = {}

    def set_params(self, params: Logs) -> None:
        """Set `params`."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Set `model`."""
        self.model = model

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Run before each step of training; the same as `on_train_batch_begin`."""

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        """Run after each step of training; the same as `on_train_batch_end`."""

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Run before each epoch, the first of which is 0."""

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Run after each epoch and its evaluation."""

    def on_train_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Run before each step of training."""
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Run after each step of training."""
        self.on_batch_end(batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Run before each batch of an evaluation."""

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Run after each batch of an evaluation."""

    def on_predict_batch_begin(self, batch: int, logs: Any = None) -> None:
        """Run before each batch of a prediction."""

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Run after each batch of a prediction; `logs` holds its `outputs`."""

    def on_train_begin(self, logs: Any = None) -> None:
        """Run at the start of `fit`."""

    def on_train_end(self, logs: Any = None) -> None:
        """Run at the end of `fit`."""

    def on_test_begin(self, logs: Any = None) -> None:
        """Run at the start of an evaluation."""

    def on_test_end(self, logs: Any = None) -> None:
        """Run at the end of an evaluation."""

    def on_predict_begin(self, logs: Any = None) -> None:
        """Run at the start of `predict`."""

    def on_predict_end(self, logs: Any = None) -> None:
        """Run at the end of `predict`."""


class History(Callback):
    """The numbers of all epochs; `fit` returns it.

    Attributes:
      epoch: numbers of the epochs, from 0.
      history: one list of numbers for each name.
    """

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: list[int] = []

    def on_train_begin(self, logs: Any = None) -> None:
        """Forget the epochs of an earlier `fit`."""
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Append the numbers of the epoch."""
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


class ProgbarLogger(Callback):
    """Lines that show how far `fit`, `evaluate` or `predict` has come; added by these methods."""

    def __init__(self) -> None:
        self._line: Progress | None = None
        self._done = 0
        self._training = False

    def _begin(self) -> None:
        self._done = 0
        self._line = Progress(self.params.get("steps"), self.params.get("verbose", 1))

    def _step(self, batch: int, logs: Any = None) -> None:
        self._done = batch + 1
        if self._line is not None and self._line.is_due():
            self._line.update(self._done, numbers(logs))

    def _end(self, logs: Any = None) -> None:
        if self._line is not None:
            self._line.finish(self._done, logs or {})
            self._line = None

    def close(self) -> None:
        """Give the terminal back after an error."""
        if self._line is not None:
            self._line.close()
            self._line = None

    def on_train_begin(self, logs: Any = None) -> None:
        """Leave evaluations between epochs without a line."""
        self._training = True

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        """Print the number of the epoch."""
        if self.params.get("epochs", 1) > 1:
            print(f"Epoch {epoch + 1}/{self.params['epochs']}")
        self._begin()

    def on_train_batch_end(self, batch: int, logs: Any = None) -> None:
        """Update the line."""
        self._step(batch, logs)

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        """Print the numbers of the epoch."""
        self._end(logs)

    def on_test_begin(self, logs: Any = None) -> None:
        """Begin a line."""
        if not self._training:
            self._begin()

    def on_test_batch_end(self, batch: int, logs: Any = None) -> None:
        """Update the line."""
        if not self._training:
            self._step(batch, logs)

    def on_test_end(self, logs: Any = None) -> None:
        """Print the numbers of the evaluation."""
        if not self._training:
            self._end(logs)

    def on_predict_begin(self, logs: Any = None) -> None:
        """Begin a line."""
        self._begin()

    def on_predict_batch_end(self, batch: int, logs: Any = None) -> None:
        """Update the line."""
        self._step(batch, {})

    def on_predict_end(self, logs: Any = None) -> None:
        """Print the last state."""
        self._end()


class CallbackList:
    """Several callbacks as one: its hooks call those of all.

    Args:
      callbacks: the callbacks, a list or a single one.
      add_history: whether to add a `History` if there is none.
      add_progbar: whether to add a `ProgbarLogger` if there is none.
      model: the model of all of them.
      **params: their `params`.
    """

    def __init__(
        self,
        callbacks: Any = None,
        add_history: bool = False,
        add_progbar: bool = False,
        model: Any = None,
        **params: Any,
    ) -> None:
        given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        self.callbacks: list[Callback] = [each for each in given if each is not None]
        for each in self.callbacks:
            if not isinstance(each, Callback):
                raise TypeError(
                    f"`callbacks` holds {each!r} of type {type(each).__name__}, not a "
                    "`keras.callbacks.Callback`."
                )
        if add_progbar and not self._of(ProgbarLogger):
            self.callbacks.append(ProgbarLogger())
        if add_history and not self._of(History):
            self.callbacks.append(History())
        self.params = params
        for each in self.callbacks:
            each.set_params(params)
            if model is not None:
                each.set_model(model)

    def _of(self, kind: type[Callback]) -> list[Any]:
        return [each for each in self.callbacks if isinstance(each, kind)]

    @property
    def history(self) -> Any:
        """The `History` among the callbacks, or None."""
        return next(iter(self._of(History)), None)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Give the terminal back if an error ends what runs inside."""
        try:
            yield
        except BaseException:
            for each in self._of(ProgbarLogger):
                each.close()
            raise

    def numbers(self, logs: Any) -> Logs:
        """Return what a step returned as Python numbers."""
        return numbers(logs)

    def batch_hooks(self, mode: str) -> tuple[Hook, Hook]:
        """Return the hooks before and after a batch; those that nobody overrides cost nothing.

        Args:
          mode: `train`, `test` or `predict`.
        """
        before = self._overridden(f"on_{mode}_batch_begin", "on_batch_begin", mode)
        after = self._overridden(f"on_{mode}_batch_end", "on_batch_end", mode)
        shown = [hook for hook in after if isinstance(_owner(hook), ProgbarLogger)]
        others = [hook for hook in after if hook not in shown]

        def begin(step: int) -> None:
            for hook in before:
                hook(step, {})

        def end(step: int, logs: Any) -> None:
            if others:
                logs = logs if mode == "predict" else numbers(logs)
                for hook in others:
                    hook(step, logs)
            for hook in shown:
                hook(step, logs)

        return begin, end

    def _overridden(self, name: str, other: str, mode: str) -> list[Hook]:
        names = (name, other) if mode == "train" else (name,)
        return [
            getattr(each, name)
            for each in self.callbacks
            if any(getattr(type(each), n) is not getattr(Callback, n) for n in names)
            or name in vars(each)
        ]

    def __getattr__(self, name: str) -> Hook:
        """Return a function that calls one hook of all callbacks."""
        if not hasattr(Callback, name):
            raise AttributeError(f"'CallbackList' object has no attribute {name!r}")

        def call(*args: Any) -> None:
            for each in self.callbacks:
                getattr(each, name)(*args)

        return call


def _owner(hook: Any) -> Any:
    return getattr(hook, "__self__", None)


def callback_list(callbacks: Any, model: Any, verbose: Any, **params: Any) -> CallbackList:
    """Return the callbacks of a call of `fit`, `evaluate` or `predict`.

    Args:
      callbacks: list of callbacks; a `CallbackList`, as of a `fit` around, is used as it is.
      model: the model.
      verbose: whether, and how, to show progress: 0, 1, 2, or `auto` for 1.
      **params: further `params`.
    """
    if isinstance(callbacks, CallbackList):
        return callbacks
    if verbose not in ("auto", 0, 1, 2):
        raise ValueError(f"`verbose` is 'auto', 0, 1 or 2. Received: verbose={verbose!r}")
    verbose = 1 if verbose == "auto" else int(verbose)
    return CallbackList(
        callbacks,
        add_history=True,
        add_progbar=bool(verbose),
        model=model,
        verbose=verbose,
        **params,
    )


def numbers(logs: Any) -> Logs:
    """Return what a step returned as Python numbers, sorted by name; arrays stay arrays.

    Raises: TypeError if it is no dict.

    >>> numbers({"b": 2, "a": {"c": 1.5}})
    {'c': 1.5, 'b': 2.0}
    """
    if logs is None:
        return {}
    if not isinstance(logs, Mapping):
        raise TypeError(
            f"A step of training returned {logs!r} of type {type(logs).__name__}. `train_step` and "
            "`test_step` return a dict of numbers by name, such as {'loss': loss}."
        )
    found: Logs = {}
    for name in sorted(logs):
        value = logs[name]
        if isinstance(value, Mapping):
            found |= numbers(value)
        else:
            shape = getattr(value, "shape", ())
            found[name] = value if len(shape) else float(value)
    return found
