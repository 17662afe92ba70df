"""Graphs by the type of the call, the least recently used dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from runtime.function.trace_type import CallType, Identity


class TraceCache:
    """A bounded map from call types to concrete functions; the caller holds the lock."""

    def __init__(self, limit: int) -> None:
        """Keeps at most `limit` entries."""
        self._limit = limit
        self._entries: OrderedDict[Any, Any] = OrderedDict()

    def find(self, key: CallType, scope: Any) -> Any | None:
        """What is kept for a type in a scope, or None.

        Args:
          key: the type of the call.
          scope: the graphs around the call, None for one that needs none of them.
        """
        for place in (None, *scope):
            found = self._entries.get((key, place))
            if found is not None:
                self._entries.move_to_end((key, place))
                return found
        return None

    def find_general(self, key: CallType) -> Any | None:
        """What is kept for a type that includes this one, or None."""
        for (kept, place), value in self._entries.items():
            if place is None and kept.includes(key):
                return value
        return None

    def add(self, key: CallType, place: Any, value: Any) -> bool:
        """Keeps something; gives whether something else was dropped for it."""
        dropped = self._drop_dead()
        self._entries[key, place] = value
        while len(self._entries) > self._limit:
            self._entries.popitem(last=False)
            dropped = True
        return dropped

    def _drop_dead(self) -> bool:
        # Dead identities equal nothing, not even themselves, so such a key cannot be looked up.
        alive = [entry for entry in self._entries.items() if _is_alive(entry[0][0])]
        dropped = len(alive) < len(self._entries)
        if dropped:
            self._entries = OrderedDict(alive)
        return dropped

    def types(self) -> Iterator[CallType]:
        """The types for which something is kept that needs no graph around it."""
        return (key for key, place in self._entries if place is None)

    def values(self) -> list[Any]:
        """Everything that is kept, each once."""
        return list({id(value): value for value in self._entries.values()}.values())

    def clear(self) -> None:
        """Drops everything."""
        self._entries.clear()


def _is_alive(key: CallType) -> bool:
    return all(leaf.is_alive for leaf in key.leaves if isinstance(leaf, Identity))
