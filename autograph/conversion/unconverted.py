"""Notes on the errors of tensor libraries: which function was not converted, and why."""

from __future__ import annotations

from types import FrameType, TracebackType

from autograph.adapters.names import CONVERSION_ERRORS, UNSTAGED
from autograph.code_objects import CONVERTED
from autograph.conversion.libraries import is_known_library
from autograph.conversion.refusals import asked_by_python, function_reason, statement_at
from autograph.errors import StagingError, named_file


class Explaining:
    """Adds a note to a library's error about Python control flow, once.

    >>> with Explaining():
    ...     pass
    """

    def __enter__(self) -> None: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if isinstance(error, StagingError) and isinstance(error.public, Exception):
            error = error.public  # what the boundary raises in its place
            traceback = error.__traceback__ or traceback
        notes = getattr(error, "__notes__", ())
        if error is None or any(note.startswith("autograph ") for note in notes):
            return
        note = _remedy(error)
        if note is None and _tells_of_a_statement(error, traceback):
            note = _unconverted(traceback)
        if note is not None:
            error.add_note(note)


def _remedy(error: BaseException) -> str | None:
    """Return what to do instead of a statement that a library does not let autograph stage."""
    text = error.args[0] if error.args else None
    if not isinstance(text, str):
        return None
    return next((remedy for part, remedy in UNSTAGED.items() if part in text), None)


def _tells_of_a_statement(error: BaseException, traceback: TracebackType | None) -> bool:
    """Return whether a library raised the error because Python decided by a staged value."""
    if type(error).__name__ in CONVERSION_ERRORS:
        return True
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    frame = traceback.tb_frame
    return frame.f_code.co_name == "__bool__" and is_known_library(frame.f_globals)


def _unconverted(traceback: TracebackType | None) -> str | None:
    """Return which function of a user a library refused to trace, and why it was not converted.

    None: the innermost function of a user in the traceback is converted, and so is its statement.
    """
    entries: list[TracebackType] = []
    while traceback is not None:
        entries.append(traceback)
        traceback = traceback.tb_next
    frames = [each.tb_frame for each in entries]
    users = [number for number, frame in enumerate(frames) if not is_known_library(frame.f_globals)]
    if not users:
        return None
    number = users[-1]
    code, line = frames[number].f_code, entries[number].tb_lineno
    statement = statement_at(code.co_filename, line)
    place = f"{named_file(code.co_filename)}, line {line}, in {code.co_name}"
    asked = asked_by_python(entries[number]) if statement is None else None
    if asked is not None:
        return f"autograph stages no code of Python's own:\n  {place}\n{asked}"
    if statement is None and CONVERTED in code.co_consts:
        return None
    why = str(statement) if statement else function_reason(code) or _caller(frames[:number])
    return f"autograph did not convert `{code.co_qualname}`:\n  {place}\n{why}"


def _caller(frames: list[FrameType]) -> str:
    """Return why a function runs as written, from the frames outside of it."""
    outer = next((each for each in reversed(frames) if not _is_own(each)), None)
    remedy = "Decorate it with autograph.convert()."
    if outer is None:
        return f"It was called outside of converted code. {remedy}"
    if is_known_library(outer.f_globals):
        return f"It was called by the library function `{outer.f_code.co_qualname}`. {remedy}"
    if CONVERTED in outer.f_code.co_consts:
        return (
            "Converted code ran it as written: a library called it, autograph.do_not_convert marks "
            f"it, or its caller is converted with recursive=False. {remedy}"
        )
    return f"It was called by `{outer.f_code.co_qualname}`, which is not converted. {remedy}"


def _is_own(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "autograph"
