"""Cached properties that a staged block is the first to read.

Whether the block runs is decided later, so a value computed in it is dropped with the block, and
computed anew where the program reads the property again. That is the value Python has cached, as
long as nothing changed that the property reads.
"""

from __future__ import annotations

from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.reach import Reach
from autograph.staging import trace


class Computed:
    """A cached property that was dropped.

    Args:
      owner: the object.
      name: of the property.
      label: what the program calls the property.
    """

    def __init__(self, owner: Any, name: str, label: str) -> None:
        self._names = owner.__dict__
        self._name = name
        self._label = label
        self._line = user_line()
        getter = getattr(type(owner), name).func
        self._reach = Reach([], {label.removesuffix(f".{name}"): owner, name: getter})

    def is_cached(self) -> bool:
        """Whether the program has read the property again, outside staged statements."""
        return self._name in self._names

    def check(self) -> None:
        """Raises if something changed since that the property reads."""
        for place, _ in self._reach.changes(sealed=False):
            raise StagingError(
                f"`{self._label}` is first read in a staged statement, and read again after "
                f"`{place.label}` changed: Python has the first value if the statement ran.\n"
                f"  {self._line}\n"
                f"Read `{self._label}` before the statement."
            )


def note_computed() -> None:
    """Watch the properties that the blocks of a statement computed; check those known before."""
    found, trace.dropped = trace.dropped, {}
    for key, (owner, name, label) in found.items():
        known = trace.computed.get(key)
        if known is None:
            trace.computed[key] = Computed(owner, name, label)
        else:
            known.check()


def check_computed() -> None:
    """Raises if a property was computed again and may have another value than Python's."""
    for known in trace.computed.values():
        if known.is_cached():
            known.check()
