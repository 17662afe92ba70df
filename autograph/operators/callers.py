"""Functions that count frames, as if operators and the blocks of statements had none.

`sys._getframe(1)` is the caller of the user's function, and `warnings.warn(text, stacklevel=2)`
blames it, wherever in the function it is called: frames that staging adds do not count.
"""

from __future__ import annotations

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
    """Whether the frame belongs to the import system, which warnings never blame."""
    name = frame.f_code.co_filename
    return "importlib" in name and "_bootstrap" in name


def _belongs_to(inner: FrameType, outer: FrameType, between: FrameType | None) -> bool:
    """Whether a frame is that of a block, or of the converted form, of the function around it."""
    if between is not None and _runs_blocks(between):
        return inner.f_code in outer.f_code.co_consts
    return is_entered(outer.f_code, inner.f_code)


def frames_up(frame: FrameType, callers: int, skips_imports: bool = False) -> int:
    """How many frames to go up from `frame` to reach the caller that the user counts to.

    Args:
      frame: the user's.
      callers: how many of the user's frames to go up.
      skips_imports: whether frames of the import system count neither for the user nor here.
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


_MODULE_NAME: Any = getattr(sys, "_getframemodulename", None)

COUNTING: dict[Any, Callable[..., Any]] = {sys._getframe: _getframe, warnings.warn: _warn}
"""For each function that counts frames the one that converted code calls in its place."""

if _MODULE_NAME is not None:
    COUNTING[_MODULE_NAME] = _getframemodulename
