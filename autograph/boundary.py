"""The end of a trace: internal errors become public, and lose the frames of the converter."""

from __future__ import annotations

from contextlib import AbstractContextManager
from types import TracebackType

from autograph.conversion.refusals import reason_at
from autograph.errors import StagingError, signals
from autograph.operators.frames import hide_frames_of as hide_frames_of
from autograph.operators.frames import without_converter as without_converter


def public_error(error: StagingError) -> Exception:
    """Return the exception for the caller of the traced function.

    If only its type is known, its text is that of `error`; the reason why the statement around it
    stayed Python, if it did, replaces the remedy.
    """
    if isinstance(error.public, Exception):
        return error.public
    if error.remedy is None:
        return error.public(error.message)
    between = "" if error.message.endswith("\n") else " "
    return error.public(f"{error.message}{between}{reason_at(error.__traceback__) or error.remedy}")


class _Boundary:
    """The end of a trace."""

    def __enter__(self) -> None:
        self.outer, signals.created = signals.created, []

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        swallowed = signals.swallowed() if error is None else None
        signals.created = self.outer
        if swallowed is not None:
            error, traceback = swallowed, swallowed.__traceback__
        if error is None:
            return
        if not isinstance(error, StagingError):
            error.__traceback__ = without_converter(traceback)
            return
        raise public_error(error).with_traceback(without_converter(traceback)) from None


def boundary() -> AbstractContextManager[None]:
    """Return a context manager for a trace, which turns a StagingError into its public exception.

    It removes the frames of the converter from tracebacks.

    >>> with boundary():
    ...     raise StagingError("`y` differs", public=TypeError)
    Traceback (most recent call last):
    ...
    TypeError: `y` differs
    """
    return _Boundary()
