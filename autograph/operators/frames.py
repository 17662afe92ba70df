"""What keeps the operators out of the user's sight.

Every statement that became a function call has put frames between the user's own. They are taken
out of tracebacks, and the limit for recursion makes room for them.
"""

from __future__ import annotations

import sys


def leave_out(error: BaseException) -> None:
    """Takes the frame that is handling an exception out of its traceback.

    Followed by a bare `raise`, which does not add the frame again.
    """
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


FRAMES_PER_CALL = 4
"""A call within a staged statement: the operator's frame, the block's, and those of a loop."""

_made_room = False


def make_room() -> None:
    """Raises the recursion limit once, so that converted programs can recurse as deep as before.

    Python's own calls need no room on the stack of the machine.
    """
    global _made_room
    if not _made_room:
        _made_room = True
        sys.setrecursionlimit(FRAMES_PER_CALL * sys.getrecursionlimit())
