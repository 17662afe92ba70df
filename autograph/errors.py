"""What a user sees when something is refused: cause, place, and what to do about it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType

from autograph import refusals
from autograph.operators.frames import hide_frames_of as hide_frames_of
from autograph.operators.frames import without_converter as without_converter


class AutographError(Exception):
    """Source text could not be converted."""


class ConversionError(AutographError):
    """A construct in the user's text cannot be converted.

    Args:
      message: what is refused, in one sentence.
      filename, lineno: the place; None where it is unknown.
      col, end_col: the columns of the construct in its line, from 0, the end exclusive.
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
        """Stores the parts; the text is made of those that are known."""
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
        """Gives message, place with a caret, reason and remedy."""
        lines = [self.message]
        if self.filename is not None:
            lines.append(f'  File "{self.filename}", line {self.lineno}')
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
    """The text found for a function is not the text that is running."""


class NoSourceError(AutographError):
    """There is no source text for a function."""


class FrozenValueWarning(UserWarning):
    """A traced function read the world: every run of its graph sees the value of the trace."""


class SideEffectWarning(UserWarning):
    """A traced function changed a Python value: once, while it was traced, not at each call."""


class StagingError(BaseException):
    """Something cannot be recorded while code is being traced.

    It is no `Exception`, so that an `except` clause in the traced program cannot swallow it;
    `boundary` turns it into `public` where the trace ends.

    Args:
      message: what is wrong, with the user's names, and a remedy.
      public: what the caller of the traced function sees: an exception, or the type of one.
      remedy: what to do about it in code that is converted. Where the error comes from a
        statement that stayed Python, why it did takes the place of this.
    """

    def __init__(
        self,
        message: str,
        public: type[Exception] | Exception = TypeError,
        *,
        remedy: str | None = None,
    ) -> None:
        """Stores text and public type."""
        super().__init__(message if remedy is None else f"{message} {remedy}")
        self.message = message
        self.public = public
        self.remedy = remedy

    def surface(self) -> Exception:
        """The public exception; where only its type is known, one with the same text."""
        return self.public if isinstance(self.public, Exception) else self.public(self._text())

    def _text(self) -> str:
        if self.remedy is None:
            return self.message
        between = "" if self.message.endswith("\n") else " "
        return f"{self.message}{between}{refusals.reason_at(self.__traceback__) or self.remedy}"


class _Boundary:
    """The end of a trace."""

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            return
        if not isinstance(error, StagingError):
            error.__traceback__ = without_converter(traceback)
            return
        raise error.surface().with_traceback(without_converter(traceback)) from None


def boundary() -> AbstractContextManager[None]:
    """The end of a trace: a `StagingError` leaves it as the exception that it stands for.

    The frames of the converter are taken out of tracebacks.

    >>> with boundary():
    ...     raise StagingError("`y` differs", public=TypeError)
    Traceback (most recent call last):
    ...
    TypeError: `y` differs
    """
    return _Boundary()
