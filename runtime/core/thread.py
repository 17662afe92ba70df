"""What this thread is doing; `runtime.core.context` is the way to change it."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any

import numpy as np


class _Thread(threading.local):
    def __init__(self) -> None:
        """Make the context of this thread in which NumPy reports no floating-point errors."""
        self.quiet = contextvars.copy_context()
        self.quiet.run(np.seterr, all="ignore")

    ambient: Any = None
    graph: Any = None
    creating: Callable[[Any], None] | None = None
    creators: tuple[Callable[..., Any], ...] = ()
    device: Any = None
    scope: str = ""
    sessions: tuple[Any, ...] = ()
    tapes: tuple[Any, ...] = ()
    watches: tuple[Callable[..., Any], ...] = ()
    place: Any = None
    texts_shown: int = 0


STATE = _Thread()
"""`ambient` is what a library context that was entered in a trace gives the code inside, None
outside of such contexts: functions that are called inside are recorded for it alone; `graph` is
the graph that this thread records, None while it runs operations at once; `creating`
is told of each variable that is made, None if none must be made; `creators` make variables, the
last first; `scope` stands before the names of variables made at once; the last of `sessions` is
the default one; each of `tapes` notes operations, for gradients; each of `watches` gets the outputs
of every operation and gives those that take their place; `device` is the device that the program
asks for, None if it does not matter; `place` is the line to name in errors where that of the
innermost frame would be wrong."""


def runs_directly() -> bool:
    """Whether ops run at once and nothing observes them: no graph, tape, watch or device."""
    state = STATE
    return state.graph is None and not state.tapes and not state.watches and state.device is None
