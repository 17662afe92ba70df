"""Guards: Python values that a trace reads besides its arguments.

A trace freezes the values that the function reads outside. Each graph remembers these values and
serves a call only while they are unchanged. Places that the function itself changes are side
effects and have no guard.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from autograph.reach.places import MISSING
from runtime.functions.attributes import AttributeGuards
from runtime.functions.snapshots import Same, Snapshot, first_difference, snapshot


class Guard(NamedTuple):
    """One guarded place.

    Attributes:
      label: the program's name of the place.
      read: returns its value.
      held: a snapshot of its value at trace time.
    """

    label: str
    read: Callable[[], Any]
    held: Snapshot


class Guards:
    """All guards of one graph.

    Args:
      guards: guards on objects of the program.
      attributes: guards on objects of this library.
      functions: functions of the program, whose code may be replaced, as `%autoreload` does.
    """

    __slots__ = ("_codes", "_guards", "_holds_attributes", "_objects", "_values", "attributes")

    def __init__(
        self,
        guards: Iterable[Guard],
        attributes: AttributeGuards,
        functions: Iterable[FunctionType] = (),
    ) -> None:
        """Separate identity checks, which need no call, from value comparisons."""
        self.attributes = attributes
        self._holds_attributes = attributes.hold if len(attributes) else None
        self._codes: list[tuple[Callable[[], FunctionType | None], CodeType]] = [
            (weakref.ref(function), function.__code__) for function in functions
        ]
        self._guards = list(guards)
        self._objects: list[tuple[Callable[[], Any], Any]] = []
        self._values: list[tuple[Callable[[], Any], Callable[[Any], bool]]] = []
        for _, read, held in self._guards:
            if isinstance(held, Same) and held.reference is not None:
                self._objects.append((read, held.reference))
            else:
                self._values.append((read, held.matches))

    def __len__(self) -> int:
        """Return the number of guards."""
        return len(self._codes) + len(self._guards) + len(self.attributes)

    def hold(self) -> bool:
        """Return whether no guarded value changed."""
        for function, code in self._codes:
            held = function()
            if held is not None and held.__code__ is not code:
                return False
        if self._guards:
            for read, referred in self._objects:
                if read() is not referred():
                    return False
            for read, matches in self._values:
                if not matches(read()):
                    return False
        return self._holds_attributes is None or self._holds_attributes()

    def changes(self) -> list[str]:
        """Return a description of each change."""
        changed = [(label, held, read()) for label, read, held in self._guards]
        outside = [
            f"`{label}`: {_in_words(held, value)} (read from outside; pass it as a tensor, "
            "or keep it in a tf.Variable)"
            for label, held, value in changed
            if not held.matches(value)
        ]
        functions = ((function(), code) for function, code in self._codes)
        outside += [
            f"the code of `{function.__name__}` was replaced"
            for function, code in functions
            if function is not None and function.__code__ is not code
        ]
        return outside + [
            f"`{label}`: {_in_words(held, value)}"
            for label, held, value in self.attributes.changes()
        ]


def _in_words(held: Snapshot, value: object) -> str:
    if held.matches(MISSING):
        return f"nothing -> {snapshot(value)}"
    return f"{held} -> nothing" if value is MISSING else first_difference(held, value)
