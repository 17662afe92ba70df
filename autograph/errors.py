"""Exceptions and warnings."""

from __future__ import annotations

import re
import sys
import threading
from typing import Any

_LINE = re.compile(r'^  (File "|Cell In\[\d+\], )', re.MULTILINE)


class AutographError(Exception):
    """Base class: a source text could not be converted."""


class ConversionError(AutographError):
    """A construct in the user's text cannot be converted.

    Args:
      message: the refused construct, in one sentence.
      filename, lineno: its position; None if unknown.
      col, end_col: its columns, a half-open interval from 0.
      source_line: the text of the line.
      reason: why it is refused.
      remedy: what to write instead.

    >>> print(ConversionError("no", "a.py", 3, 4, 9, "x = yield", "why", "do this"))
    no
      File "a.py", line 3
        x = yield
            ^^^^^
      why
      do this
    """

    def __init__(
        self,
        message: str,
        filename: str | None = None,
        lineno: int | None = None,
        col: int | None = None,
        end_col: int | None = None,
        source_line: str | None = None,
        reason: str | None = None,
        remedy: str | None = None,
    ) -> None:
        """Store the parts."""
        super().__init__(message)
        self.message = message
        self.filename = filename
        self.lineno = lineno
        self.col = col
        self.end_col = end_col
        self.source_line = source_line
        self.reason = reason
        self.remedy = remedy

    def __str__(self) -> str:
        """Format message, position with a caret, reason and remedy."""
        lines = [self.message]
        if self.filename is not None:
            lines.append(f"  {named_file(self.filename)}, line {self.lineno}")
        if self.source_line is not None:
            lines += self._excerpt(self.source_line.rstrip())
        lines += [f"  {part}" for part in (self.reason, self.remedy) if part]
        return "\n".join(lines)

    def _excerpt(self, line: str) -> list[str]:
        stripped = line.lstrip()
        excerpt = [f"    {stripped}"]
        if self.col is not None:
            start = max(self.col - (len(line) - len(stripped)), 0)
            width = max((self.end_col or self.col + 1) - self.col, 1)
            excerpt.append("    " + " " * start + "^" * min(width, max(len(stripped) - start, 1)))
        return excerpt


class StaleSourceError(AutographError):
    """The text found for a function does not match its running code."""


class NoSourceError(AutographError):
    """A function has no source text."""


class FrozenValueWarning(UserWarning):
    """A traced function read outside state: every run of its graph sees the value of the trace."""


class SideEffectWarning(UserWarning):
    """A traced function changed a Python value: once, during the trace, not at each call."""


class Unwinding(BaseException):
    """An exception of the converter or a library, which ends a part of a trace."""


NOT_OF_PROGRAM = Unwinding, KeyboardInterrupt, GeneratorExit
"""Exceptions that end a trace. All others are the program's: a graph raises them when it runs."""

ENDS_TRACE = RecursionError, *NOT_OF_PROGRAM
"""The trace itself may be what recurses too deeply."""


class Signal(Unwinding):
    """An exception of the converter, which handlers of the traced program must not end.

    A bare `except`, a `return` in `finally` or a context manager of the program may still swallow
    one. Then the trace is not the program, so each is recorded; see `Signals`.

    Args:
      args: as for `BaseException`.
    """

    def __init__(self, *args: object) -> None:
        """Record the exception in the trace of this thread."""
        super().__init__(*args)
        if signals.created is not None:
            signals.created.append(self)


class Signals(threading.local):
    """The signals of a trace. Code that handles one calls `forget`.

    Attributes:
      created: those that this thread created in its trace; None: it has no trace.

    >>> signals.mark(), signals.swallowed() is None
    (0, True)
    """

    created: list[Signal] | None = None

    def mark(self) -> int:
        """Return the number of signals so far."""
        return len(self.created or ())

    def forget(self, mark: int) -> None:
        """Forget the signals since a mark: what raised them is undone or handled.

        Args:
          mark: what `mark` returned.
        """
        if self.created is not None:
            del self.created[mark:]

    def swallowed(self, mark: int = 0) -> Signal | None:
        """Return the first signal since a mark that was raised, if there is one.

        Args:
          mark: what `mark` returned.
        """
        raised = (each for each in (self.created or ())[mark:] if each.__traceback__ is not None)
        return next(raised, None)


signals = Signals()


class StagingError(Signal):
    """An operation that a trace cannot record.

    `except Exception` in the traced program does not handle it; at the end of the trace, `boundary`
    turns it into `public`.

    Args:
      message: the fact, with the user's names.
      public: the exception, or its type, for the caller of the traced function.
      remedy: the remedy in converted code. If a statement that stayed Python caused the error, the
        reason why it stayed Python replaces the remedy.
    """

    def __init__(
        self,
        message: str,
        public: type[Exception] | Exception = TypeError,
        *,
        remedy: str | None = None,
    ) -> None:
        """Store text and public type."""
        super().__init__(message if remedy is None else f"{message} {remedy}")
        self.message = message
        self.public = public
        self.remedy = remedy


def named_file(filename: str) -> str:
    """Return a file as tracebacks name it: `Cell In[3]` for a cell of a notebook.

    >>> named_file("model.py")
    'File "model.py"'
    """
    shell_of = getattr(sys.modules.get("IPython"), "get_ipython", None)
    compiler: Any = None if shell_of is None else getattr(shell_of(), "compile", None)
    # IPython 7, as of Google Colab, has no such names: its files are `<ipython-input-3-...>`.
    name = getattr(compiler, "format_code_name", None)
    cell = None if name is None else name(filename)
    return f'File "{filename}"' if cell is None else " ".join(cell)


def shows_line(message: str) -> bool:
    """Return whether a message has a line with a position in a program.

    >>> shows_line('too big\\n  File "a.py", line 3, in f'), shows_line("no file")
    (True, False)
    """
    return _LINE.search(message) is not None
