"""Replacements of functions that count frames: frames added by staging do not count.

`sys._getframe(1)` is the caller of the user's function, `inspect.stack()[1]` names it, and
`warnings.warn(text, stacklevel=2)` reports its line, wherever in the function the call is.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable
from types import FrameType
from typing import Any

from autograph.operators.frames import is_entered, leave_out

_RUNS_BLOCKS = frozenset(
    f"autograph.operators.{name}" for name in ("comprehensions", "control_flow", "items", "logic")
)


def _is_operator(frame: FrameType) -> bool:
    return str(frame.f_globals.get("__name__")).startswith("autograph.")


def _runs_blocks(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") in _RUNS_BLOCKS


def _is_import(frame: FrameType) -> bool:
    """Return whether a frame belongs to the import system, which warnings skip."""
    name = frame.f_code.co_filename
    return "importlib" in name and "_bootstrap" in name


def _belongs_to(inner: FrameType, outer: FrameType, between: FrameType | None) -> bool:
    """Return whether a frame runs a block, or the converted form, of the enclosing function."""
    if between is not None and _runs_blocks(between):
        return inner.f_code in outer.f_code.co_consts
    return is_entered(outer.f_code, inner.f_code)


def frames_up(frame: FrameType, callers: int, skips_imports: bool = False) -> int:
    """Return the number of real frames for a number of user frames.

    Args:
      frame: the user's frame to start from.
      callers: the number of user frames to go up.
      skips_imports: whether to skip frames of the import system.
    """
    steps = 0
    between: FrameType | None = None
    inner, outer = frame, frame.f_back
    while outer is not None and callers > 0:
        steps += not (skips_imports and _is_import(outer))
        if _is_operator(outer):
            between = outer
        elif not (skips_imports and _is_import(outer)):
            callers -= not _belongs_to(inner, outer, between)
            inner, between = outer, None
        outer = outer.f_back
    return steps + callers


def _getframe(depth: int = 0, /) -> FrameType:
    return sys._getframe(1 + frames_up(sys._getframe(1), depth))


def _getframemodulename(depth: int = 0) -> str | None:
    name: str | None = _MODULE_NAME(1 + frames_up(sys._getframe(1), depth))
    return name


def _warn(message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **more: Any) -> None:
    own = sys._getframe(1)
    level = stacklevel if stacklevel < 1 else frames_up(own, stacklevel - 1, True) + 1
    try:
        warnings.warn(message, category, level + 1, *args, **more)
    except Warning as error:
        leave_out(error)
        raise


def _stack(context: int = 1) -> list[inspect.FrameInfo]:
    """Return one entry for each function: its own frame, at the line where its block is."""
    found: list[inspect.FrameInfo] = []
    between: FrameType | None = None
    for entry in inspect.stack(context)[1:]:
        if _is_operator(entry.frame):
            between = entry.frame
            continue
        if found and _belongs_to(found[-1].frame, entry.frame, between):
            entry = _at_line_of(found.pop(), entry)
        found.append(entry)
        between = None
    return found


def _at_line_of(block: inspect.FrameInfo, entry: inspect.FrameInfo) -> inspect.FrameInfo:
    _, filename, lineno, _, context, index = block
    line = filename, lineno, entry.function, context, index
    return inspect.FrameInfo(entry.frame, *line, positions=block.positions)


_MODULE_NAME: Any = getattr(sys, "_getframemodulename", None)

COUNTING: dict[Any, Callable[..., Any]] = {
    sys._getframe: _getframe,
    inspect.stack: _stack,
    warnings.warn: _warn,
}
"""From functions that count frames to their replacements."""

if _MODULE_NAME is not None:
    COUNTING[_MODULE_NAME] = _getframemodulename
