"""One key order for the dicts of two branches or iterations."""

from __future__ import annotations

from typing import Any

from runtime.core.structure import children, rebuild


def ordered_like(like: Any, value: Any) -> Any:
    """Return `value` with its dicts in the key order of those in `like`, where the keys are equal.

    >>> ordered_like({"b": 0, "a": [0]}, {"a": [1], "b": 2})
    {'b': 2, 'a': [1]}
    """
    own, other = children(value), children(like)
    if type(value) is not type(like) or own is None or other is None:
        return value
    if isinstance(value, dict):
        if set(value) != set(like):
            return value
        parts = [ordered_like(like[key], value[key]) for key in like]
        return rebuild(type(value), tuple(like), parts, value)
    if not isinstance(value, (list, tuple)) or len(value) != len(like):
        return value
    parts = [ordered_like(a, b) for a, b in zip(like, value, strict=True)]
    return rebuild(type(value), own[0], parts, value)
