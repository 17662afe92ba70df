"""Iterators that a staged statement advances, or leaves somewhere."""

from __future__ import annotations

import dis
import sys
from types import CodeType

from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.staging import trace

_LOADS = frozenset(
    {"LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_DEREF", "LOAD_NAME", "LOAD_GLOBAL", "LOAD_FAST_BORROW"}
)


def refuse_unseen(*values: object) -> None:
    """Refuse to advance an iterator in a staged block if it cannot be put back afterwards.

    Raises:
      StagingError: for an iterator of a library, made before the statement, whose position cannot
        be read. All others are compared after the block.
    """
    if trace.reach is None:
        return
    for value in values:
        label = trace.reach.unseen(value)
        if label is not None:
            raise StagingError(
                f"`{label}`, of type {type(value).__name__}, is advanced in a staged statement, "
                "which is traced whether or not it will run: the change cannot wait for that.\n"
                f"  {user_line()}\n",
                remedy=f"Make a list of the items of `{label}` before the statement.",
            )


def refuse_reads_after_break(iterable: object, iterator: object) -> None:
    """Refuse a loop over an iterator that the program reads elsewhere, too.

    Raises:
      StagingError: because a staged `break` decides how many items are left for the other reads.
    """
    if iterable is not iterator:
        return
    name = _name_elsewhere(iterator)
    if name is not None:
        raise StagingError(
            f"`{name}` is an iterator in a loop that a staged `break` or `return` may leave, and "
            "is read elsewhere: how many items are left for that is known only when the program "
            f"runs.\n  {user_line()}\n",
            remedy=f"Loop over the items that `{name}` goes through, for instance over a list.",
        )


def _name_elsewhere(iterator: object) -> str | None:
    """Return the variable that refers to the iterator, if its function reads it more than once."""
    frame = sys._getframe(1)
    while frame is not None:
        if not str(frame.f_globals.get("__name__")).startswith("autograph."):
            for name, value in frame.f_locals.items():
                if value is iterator and _loads(frame.f_code, name) > 1:
                    return name
        frame = frame.f_back  # type: ignore[assignment]
    return None


def _loads(code: CodeType, name: str) -> int:
    own = sum(_loaded(each).count(name) for each in dis.get_instructions(code))
    return own + sum(_loads(each, name) for each in code.co_consts if isinstance(each, CodeType))


def _loaded(instruction: dis.Instruction) -> list[str]:
    """Return the variables that an instruction reads.

    Since CPython 3.13 one instruction may combine two, such as `STORE_FAST_LOAD_FAST`.
    """
    parts = instruction.opname.replace("_LOAD_", " LOAD_").split()
    names = instruction.argval if len(parts) > 1 else [instruction.argval]
    return [name for part, name in zip(parts, names, strict=True) if part in _LOADS]
