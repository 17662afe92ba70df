"""Arguments that have two names, an earlier and a later one."""

from __future__ import annotations

from typing import Any


def either(new_name: str, new: Any, old_name: str, old: Any) -> Any:
    """The value of an argument that may be given under either name; None if under none.

    Raises: ValueError if both are given.

    >>> either("axis", None, "dim", 1)
    1
    >>> either("axis", 0, "dim", 1)
    Traceback (most recent call last):
    ...
    ValueError: Cannot specify both 'dim' and 'axis'.
    """
    if old is None:
        return new
    if new is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'.")
    return old


def needed(function: str, name: str, value: Any) -> Any:
    """An argument that must be given, although the earlier signature has a default for it.

    Raises: TypeError if it is None.
    """
    if value is None:
        raise TypeError(f"{function}() missing a required argument: '{name}'")
    return value
