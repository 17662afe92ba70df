"""The Session in which a program runs a tensor or an operation."""

from __future__ import annotations

from typing import Any

from runtime.core.thread import STATE


def session_for(given: Any, action: str, method: str) -> Any:
    """The Session that is given, else the default one of this thread.

    Args:
      given: a Session or None.
      action, method: what the program does, and what it calls for that, as errors say it.

    Raises: ValueError if there is none.
    """
    session = given or (STATE.sessions[-1] if STATE.sessions else None)
    if session is None:
        raise ValueError(
            f"Cannot {action}: No default session is registered. Use `with sess.as_default()` or "
            f"pass an explicit session to `{method}(session=sess)`"
        )
    return session
