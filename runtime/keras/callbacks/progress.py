"""Lines that show how far training has come, in the form of Keras."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.text import Text

WIDTH = 20
# Seconds between two updates: an update costs more than a step of a small model.
INTERVAL = 0.05


class Progress:
    """A line for the steps of one epoch.

    Where a person watches, in a terminal or notebook, the line changes in place, at most every
    0.05 seconds. Elsewhere its last state is printed once.

    Args:
      target: number of steps; None: unknown.
      verbose: 1 for a bar, 2 for a line without one.

    >>> line = Progress(2, verbose=2)
    >>> line.text(2, {"loss": 0.5}, 3.2, done=True)
    '2/2 - 3s - 2s/step - loss: 0.5000'
    """

    def __init__(self, target: int | None, verbose: int = 1) -> None:
        self.target = target
        self.verbose = verbose
        self._start = time.perf_counter()
        self._due = 0.0
        self._live: Live | None = None
        console = Console()
        if verbose == 1 and (console.is_terminal or console.is_jupyter):
            self._live = Live(console=console, auto_refresh=False)
            self._live.start()

    def is_due(self) -> bool:
        """Whether `update` would show something."""
        return self._live is not None and time.perf_counter() >= self._due

    def update(self, step: int, values: Mapping[str, Any]) -> None:
        """Show the state after `step` steps, where a person watches."""
        if self._live is not None:
            now = time.perf_counter()
            self._due = now + INTERVAL
            self._live.update(self.styled(step, values, now - self._start), refresh=True)

    def finish(self, step: int, values: Mapping[str, Any]) -> None:
        """Show the last state."""
        self.target = step if self.target is None else self.target
        seconds = time.perf_counter() - self._start
        if self._live is not None:
            self._live.update(self.styled(step, values, seconds, done=True), refresh=True)
        else:
            print(self.text(step, values, seconds, done=True), file=sys.stdout, flush=True)
        self.close()

    def close(self) -> None:
        """Give the terminal back."""
        if self._live is not None:
            self._live.stop()

    def styled(
        self, step: int, values: Mapping[str, Any], seconds: float, done: bool = False
    ) -> Text:
        """Return the line with colors."""
        text = Text(self.text(step, values, seconds, done))
        text.highlight_regex(r"^\s*\d+/\S+", "bold")
        filled = 0 if self.target is None else WIDTH * step // max(self.target, 1)
        start = text.plain.find("━")
        if start >= 0:
            text.stylize("green", start, start + filled)
            text.stylize("bright_black", start + filled, start + WIDTH)
        return text

    def text(self, step: int, values: Mapping[str, Any], seconds: float, done: bool = False) -> str:
        """Return the line.

        Args:
          step: number of steps taken.
          values: numbers by name.
          seconds: time since the first step began.
          done: whether to show the whole time in place of the time left.
        """
        each = seconds / max(step, 1)
        if self.target is None:
            counts = f"{step}/Unknown"
        else:
            counts = f"{step:{len(str(self.target))}}/{self.target}"
        numbers = "".join(f" - {name}: {_number(value)}" for name, value in values.items())
        pace = f"{_pace(each)}/step"
        if self.verbose == 2:
            return f"{counts} - {seconds:.0f}s - {pace}{numbers}"
        left = seconds if done or self.target is None else each * (self.target - step)
        bar = "" if self.target is None else f" {'━' * WIDTH}"
        return f"{counts}{bar} {_duration(left)} {pace}{numbers}"


def _number(value: Any) -> str:
    number = float(value)
    return f"{number:.4f}" if number > 1e-3 else f"{number:.4e}"


def _pace(seconds: float) -> str:
    if seconds >= 1 or seconds == 0:
        return f"{seconds:.0f}s"
    return f"{seconds * 1e3:.0f}ms" if seconds >= 1e-3 else f"{seconds * 1e6:.0f}us"


def _duration(seconds: float) -> str:
    """Write a duration as Keras does.

    >>> _duration(7.0), _duration(75.0), _duration(3661.0)
    ('7s', '1:15', '1:01:01')
    """
    minutes, rest = divmod(int(seconds), 60)
    if seconds > 3600:
        return f"{minutes // 60}:{minutes % 60:02}:{rest:02}"
    return f"{minutes}:{rest:02}" if seconds > 60 else f"{int(seconds)}s"
