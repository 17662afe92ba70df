"""The Session that `run()` and `eval()` use."""

from __future__ import annotations

from typing import Any

from runtime.core.thread import STATE


def session_for(given: object, action: str, method: str) -> Any:
    """Return the given Session, or the default one of this thread.

    Args:
      given: a Session or None.
      action: what the program attempts, for the message.
      method: the method that it calls, for the message.

    Raises:
      ValueError: if there is no Session.
    """
    session = given or (STATE.sessions[-1] if STATE.sessions else None)
    if session is None:
        raise ValueError(
            f"Cannot {action}: No default session is registered. Use `with sess.as_default()` or "
            f"pass an explicit session to `{method}(session=sess)`"
        )
    return session
