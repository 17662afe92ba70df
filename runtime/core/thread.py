"""The state of this thread, and its Session; `runtime.core.context` has what changes it."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


class _Thread(threading.local):
    def __init__(self) -> None:
        """Create a context in which NumPy reports no floating-point errors."""
        self.quiet = contextvars.copy_context()
        self.quiet.run(np.seterr, all="ignore")

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in ("quiet", "graph", "tapes", "device"):
            observed = self.graph is not None or self.tapes or self.device is not None
            self.__dict__["direct"] = None if observed else self.quiet.run

    direct: Any = None
    ambient: Any = None
    graph: Any = None
    creating: Callable[[Any], None] | None = None
    device: Any = None
    scope: str = ""
    sessions: tuple[Any, ...] = ()
    tapes: tuple[Any, ...] = ()
    place: Any = None
    texts_shown: int = 0
    symbolic: Any = None


STATE = _Thread()
"""The state of this thread.

- `ambient`: the value of a library context entered during a trace, None outside such contexts.
  Functions called inside are traced separately for it.
- `graph`: the graph being recorded, None in eager mode.
- `direct`: runs a kernel without reports of floating-point errors; None if ops are observed: by a
  graph, a tape or a device.
- `creating`: called with each new variable; None if creation is forbidden.
- `scope`: the name-scope prefix of variables created eagerly.
- `sessions`: nested Sessions; the last one is the default.
- `tapes`: each records operations, for gradients.
- `device`: the requested device, None if there is no request.
- `symbolic`: the class of the tensors of recorded graphs; None: `SymbolicTensor`. For
  another class, Python ints that statements carry have 64 bits, and its method
  `carried(value, dtype)` returns the tensor for a variable that some way makes a tensor.
- `place`: the line for errors, if that of the innermost frame would be wrong.
"""


@contextmanager
def temporarily(**values: object) -> Iterator[None]:
    """Give attributes of `STATE` these values while the context is active."""
    before = {name: getattr(STATE, name) for name in values}
    for name, value in values.items():
        setattr(STATE, name, value)
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(STATE, name, value)


def session_for(given: object, action: str, method: str) -> Any:
    """Return the given Session, or the default one of this thread.

    Raises ValueError if there is none, with the action and method of the program.
    """
    session = given or (STATE.sessions[-1] if STATE.sessions else None)
    if session is None:
        raise ValueError(
            f"Cannot {action}: No default session is registered. Use `with sess.as_default()` or "
            f"pass an explicit session to `{method}(session=sess)`"
        )
    return session
