"""Python calls as a measure of work that no other program on the machine changes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType


def calls_of(program: Callable[[], object], *names: str) -> int:
    """Count the Python calls while a program runs.

    Args:
      program: the program.
      names: the functions to count; none: all.
    """
    count = 0

    def note(frame: FrameType, event: str, arg: object) -> None:
        nonlocal count
        count += event == "call" and (not names or frame.f_code.co_name in names)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        program()
    finally:
        sys.setprofile(before)
    return count
