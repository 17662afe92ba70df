"""Tells a person who watches how far a run is."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from autograph.cli import output


class Watch(NamedTuple):
    """`note` says a line; `advance` counts one file."""

    note: Callable[[str], None]
    advance: Callable[[], None]


@contextlib.contextmanager
def watching(files: Sequence[object]) -> Iterator[Watch]:
    """A progress bar on standard error, for several files and where that is a terminal.

    Args:
      files: what the run works through.
    """
    if len(files) < 2 or sys.stderr is None or not sys.stderr.isatty():
        yield Watch(output.note, lambda: None)
        return
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True) as bar:
        task = bar.add_task("Converting", total=len(files))
        yield Watch(
            # Lines stay as they are for whoever copies them; only the bar is drawn around them.
            lambda line: console.print(line, markup=False, highlight=False, soft_wrap=True),
            lambda: bar.advance(task),
        )
