"""The callbacks of one call of `fit`, `evaluate` or `predict`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.keras.callbacks import Callback, History
from runtime.keras.families import check_choice
from runtime.keras.training.progress import ProgressBar, numbers

Hook = Callable[..., None]


class CallbackList:
    """Several callbacks as one: its hooks call those of all.

    The progress of the steps of `mode` (`train`, `test` or `predict`) is shown as `verbose` says.
    Callbacks get `params`, and the number of steps.

    Raises: ValueError for another `verbose`; TypeError for what is no callback.
    """

    def __init__(
        self, callbacks: Any, model: Any, verbose: Any, mode: str, steps: int | None, **params: Any
    ) -> None:
        check_choice("verbose", verbose, ("auto", 0, 1, 2))
        verbose = 1 if verbose == "auto" else int(verbose)
        given = callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]
        self._callbacks: list[Callback] = [each for each in given if each is not None]
        for each in self._callbacks:
            if not isinstance(each, Callback):
                raise TypeError(
                    f"`callbacks` holds {each!r} of type {type(each).__name__}, not a "
                    "`keras.callbacks.Callback`."
                )
        known = [each for each in self._callbacks if isinstance(each, History)]
        self.history = known[0] if known else History()
        if not known:
            self._callbacks.append(self.history)
        for each in self._callbacks:
            each.set_params({"verbose": verbose, "steps": steps, **params})
            each.set_model(model)
        self.bar = ProgressBar(verbose, steps)
        self._mode = mode

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Give the terminal back if an error ends what runs inside."""
        try:
            yield
        finally:
            self.bar.close()

    def batch_hooks(self, mode: str) -> tuple[Hook, Hook]:
        """Return the hooks before and after a batch; those that nobody overrides cost nothing."""
        before = self._overriding(f"on_{mode}_batch_begin", "on_batch_begin", mode)
        after = self._overriding(f"on_{mode}_batch_end", "on_batch_end", mode)

        def begin(step: int) -> None:
            for hook in before:
                hook(step, {})

        def end(step: int, logs: Any) -> None:
            if after and mode != "predict":
                logs = numbers(logs)
            for hook in after:
                hook(step, logs)
            if mode == self._mode:
                self.bar.step(step, {} if mode == "predict" else logs)

        return begin, end

    def _overriding(self, name: str, other: str, mode: str) -> list[Hook]:
        names = (name, other) if mode == "train" else (name,)
        return [
            getattr(each, name)
            for each in self._callbacks
            if any(getattr(type(each), n) is not getattr(Callback, n) for n in names)
            or name in vars(each)
        ]

    def __getattr__(self, name: str) -> Hook:
        """Return a function that calls one hook of all callbacks."""
        if not hasattr(Callback, name):
            raise AttributeError(f"'CallbackList' object has no attribute {name!r}")

        def call(*args: Any) -> None:
            for each in self._callbacks:
                getattr(each, name)(*args)

        return call
