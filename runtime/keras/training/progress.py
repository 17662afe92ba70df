"""Callbacks of a call of `fit`, `evaluate` or `predict`, and the line of progress of Keras."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from runtime.keras.base.terminal import Console, Live, Text
from runtime.keras.callbacks import Callback, History
from runtime.keras.families import check_choice

WIDTH = 20
# Seconds between two updates: an update costs more than a step of a small model.
INTERVAL = 0.05


def _updates_in_place(console: Console) -> bool:
    if console.is_jupyter:
        return importlib.util.find_spec("ipywidgets") is not None
    return console.is_terminal


class ProgressBar:
    """The line of an epoch, an evaluation or a prediction; `verbose` as of `Trainer.fit`.

    In a terminal, and in a notebook that has ipywidgets, the line changes in place, at most every
    0.05 seconds. Elsewhere its last state is printed once.
    """

    def __init__(self, verbose: int, steps: int | None) -> None:
        self._verbose = verbose
        self._steps = steps
        self._live: Live | None = None
        self._start = self._due = 0.0
        self._done = 0

    def begin(self) -> None:
        """Begin a line."""
        self._start, self._due, self._done = time.perf_counter(), 0.0, 0
        if self._verbose == 1 and _updates_in_place(console := Console()):
            self._live = Live(console=console, auto_refresh=False)
            self._live.start()

    def step(self, number: int, logs: Any) -> None:
        """Show the state after a step, the first of which is 0, where a person watches."""
        self._done = number + 1
        now = time.perf_counter()
        if self._live is not None and now >= self._due:
            self._due = now + INTERVAL
            self._show(self._steps, numbers(logs), done=False)

    def end(self, logs: Mapping[str, Any]) -> None:
        """Show the last state."""
        if self._verbose:
            self._show(self._steps or self._done, logs, done=True)
        self.close()

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()
            self._live = None

    def _show(self, steps: int | None, values: Mapping[str, Any], done: bool) -> None:
        seconds = time.perf_counter() - self._start
        text = line(self._done, steps, values, seconds, self._verbose == 1, done)
        if self._live is None:
            print(text, file=sys.stdout, flush=True)
            return
        styled, start = Text(text), text.find("━")
        filled = start + WIDTH * self._done // max(steps or 1, 1)
        if start >= 0:
            styled.stylize("green", start, filled)
            styled.stylize("bright_black", filled, start + WIDTH)
        self._live.update(styled, refresh=True)


def line(
    step: int,
    steps: int | None,
    values: Mapping[str, Any],
    seconds: float,
    bar: bool,
    done: bool = False,
) -> str:
    """Return the line after a number of steps of all `steps`, None if that is unknown.

    `done`: whether to show the whole time in place of the time left.
    """
    each = seconds / max(step, 1)
    counts = f"{step}/Unknown" if steps is None else f"{step:{len(str(steps))}}/{steps}"
    results = "".join(f" - {name}: {_number(value)}" for name, value in values.items())
    if not bar:
        return f"{counts} - {seconds:.0f}s - {_pace(each)}/step{results}"
    left = seconds if done or steps is None else each * (steps - step)
    whole = "" if steps is None else f" {'━' * WIDTH}"
    return f"{counts}{whole} {_duration(left)} {_pace(each)}/step{results}"


def numbers(logs: object) -> dict[str, Any]:
    """Return what a step returned as Python numbers, sorted by name; arrays stay arrays.

    Raises: TypeError if it is not a dict.
    """
    if logs is None:
        return {}
    if not isinstance(logs, Mapping):
        raise TypeError(
            f"A step of training returned {logs!r} of type {type(logs).__name__}. `train_step` and "
            "`test_step` return a dict of numbers by name, such as {'loss': loss}."
        )
    found: dict[str, Any] = {}
    for name in sorted(logs):
        value = logs[name]
        if isinstance(value, Mapping):
            found |= numbers(value)
        else:
            found[name] = value if len(getattr(value, "shape", ())) else float(value)
    return found


def _number(value: Any) -> str:
    number = float(value)
    return f"{number:.4f}" if number > 1e-3 else f"{number:.4e}"


def _pace(seconds: float) -> str:
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _duration(seconds: float) -> str:
    """Write a duration as Keras does."""
    minutes, rest = divmod(int(seconds), 60)
    if seconds > 3600:
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if seconds > 60 else f"{int(seconds)}s"


Hook = Callable[..., None]


class CallbackList:
    """Several callbacks as one: its hooks call those of all.

    The progress of the steps of `mode` (`train`, `test` or `predict`) is shown as `verbose` says.
    Callbacks get `params`, and the number of steps.

    Raises: ValueError for another `verbose`; TypeError for what is not a callback.
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
            each.set_params({"verbose": verbose, **params, "steps": steps})
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
