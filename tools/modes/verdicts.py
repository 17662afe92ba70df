"""What became of a program in one mode, and what an error says about it."""

from __future__ import annotations

import re
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import autograph

OUTCOMES = ("agreed", "refused", "wrong", "internal")
LIMIT = 120
"""Seconds of processor time for one program in one mode, so that a busy machine changes nothing."""
_LATE = f"no end after {LIMIT} s"

ADAPTERS = Path(autograph.__file__ or "").resolve().parent
INTERNAL_NAMES = re.compile(r"autograph\.(operators|adapters)|\bag__\b|<lambda>\(\) takes|Possibly")

FAILURES_OF_LIBRARIES = frozenset(
    {
        "BackendCompilerFailed",
        "InductorError",
        "InternalTorchDynamoError",
        "SpeculationLogDivergence",
    }
)
"""What a library raises where it fails itself: no refusal, although it may show the line."""


class Verdict(NamedTuple):
    """An outcome; for others than `agreed` what was found, as text."""

    outcome: str
    reason: str = ""


class Differs(Exception):
    """A mode gives another value than plain Python."""


def judge(expected: Callable[[], None], got: Callable[[], None], file: str) -> Verdict:
    """Compare a program in one mode with plain Python.

    Args:
      expected: runs the program in plain Python.
      got: runs it in the mode and raises Differs where the values are others.
      file: where the program is written.
    """
    try:
        expected()
    except Exception as error:
        return _of_failing(error, got, file)
    try:
        with _limited():
            got()
    except Differs as difference:
        return Verdict("wrong", str(difference))
    except Exception as error:
        return _of_error(error, file)
    return Verdict("agreed")


def _of_failing(error: Exception, got: Callable[[], None], file: str) -> Verdict:
    """Judge a program that raises in Python: the class and the text may be those of a report."""
    try:
        with _limited():
            got()
    except Exception as staged:
        if isinstance(staged, type(error)) or type(error).__name__ in _text_of(staged):
            return Verdict("agreed")
        return _of_error(staged, file)
    return Verdict("wrong", f"no {type(error).__name__}")


def _of_error(error: Exception, file: str) -> Verdict:
    shown = f"{type(error).__name__}: {_text_of(error)}"
    if _LATE in shown:  # which a library may have replaced by an error of its own
        return Verdict("internal", shown)
    if type(error).__name__ in FAILURES_OF_LIBRARIES:
        return Verdict("internal", f"the library fails itself: {shown}")
    frames = traceback.extract_tb(error.__traceback__)
    names = any(f"{mark}{file}{mark}, line" in shown for mark in "\"'") or f"{file}:" in shown
    if INTERNAL_NAMES.search(shown):
        return Verdict("internal", f"an internal name: {shown}")
    if not names and all(frame.filename != file for frame in frames):
        return Verdict("internal", f"no line of the program: {shown}")
    if not names and Path(frames[-1].filename).is_relative_to(ADAPTERS):
        return Verdict("internal", f"raised in {frames[-1].filename}: {shown}")
    return Verdict("refused", shown)


def _text_of(error: BaseException) -> str:
    return "\n".join([str(error), *getattr(error, "__notes__", ())])


@contextmanager
def _limited() -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        raise TimeoutError(_LATE)

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
