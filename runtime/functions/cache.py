"""Graphs by the type of the call, the least recently used dropped first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from runtime.functions.trace_type import CallType

VARIANTS = 8
"""Maximum number of graphs for one type; they differ in the values read from outside."""


class CacheInfo(NamedTuple):
    """How often a graph was found and was not, how many are kept, and how many at most."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


class TraceCache:
    """A bounded map from call types to concrete functions; the caller holds the lock."""

    def __init__(self, limit: int) -> None:
        """Keeps at most `limit` entries."""
        self._limit = limit
        self._entries: OrderedDict[Any, list[Any]] = OrderedDict()
        self._count = 0
        self.hits = 0
        self.misses = 0

    def find(self, key: CallType, places: Iterable[Any]) -> Any | None:
        """What is kept for a type in one of several places, or None.

        Args:
          key: the type of the call.
          places: where graphs may belong: None for one that can be called anywhere, a graph for
            one that uses its tensors.
        """
        for place in places:
            for found in self._entries.get((key, place), ()):
                if found.is_current():
                    self._entries.move_to_end((key, place))
                    return found
        return None

    def outdated(self, key: CallType) -> Any | None:
        """The newest graph for this type, which is no longer current; None if there is none."""
        variants = self._entries.get((key, None))
        return variants[0] if variants else None

    def find_general(self, key: CallType) -> Any | None:
        """What is kept for a type that includes this one, for the narrowest of them, or None."""
        best, found = None, None
        for (kept, place), variants in self._entries.items():
            if place is None and kept.includes(key) and (best is None or best.includes(kept)):
                current = next((value for value in variants if value.is_current()), None)
                if current is not None:
                    best, found = kept, current
        return found

    def add(self, key: CallType, place: Any, value: Any) -> bool:
        """Keep something; return whether something else was dropped for it."""
        dropped = self._drop_dead()
        variants = self._entries.setdefault((key, place), [])
        variants.insert(0, value)
        self._count += 1
        self._entries.move_to_end((key, place))
        if len(variants) > VARIANTS:
            variants.pop()
            self._count -= 1
            dropped = True
        while self._count > self._limit:
            _, oldest = self._entries.popitem(last=False)
            self._count -= len(oldest)
            dropped = True
        return dropped

    def _drop_dead(self) -> bool:
        # Dead identities equal nothing, not even themselves, so such a key cannot be looked up.
        dead = [entry for entry in self._entries if not entry[0].is_alive]
        for entry in dead:
            self._count -= len(self._entries[entry])
        if dead:
            alive = [entry for entry in self._entries.items() if entry[0][0].is_alive]
            self._entries = OrderedDict(alive)
        return bool(dead)

    def __len__(self) -> int:
        """How many graphs are kept."""
        return self._count

    def info(self) -> CacheInfo:
        """Numbers, under the names that `functools.lru_cache` has for them."""
        return CacheInfo(self.hits, self.misses, self._limit, len(self))

    def types(self) -> Iterator[CallType]:
        """The types for which something is kept that needs no graph around it."""
        return (key for key, place in self._entries if place is None)

    def newest(self) -> Iterator[tuple[CallType, Any]]:
        """Yield each type with what serves it, or served it last, without a graph around it."""
        for (key, place), variants in self._entries.items():
            if place is None:
                yield key, next((kept for kept in variants if kept.is_current()), variants[0])

    def values(self) -> list[Any]:
        """Everything that is kept, each once, in the order in which it was first kept."""
        everything = (value for variants in self._entries.values() for value in variants)
        return list({id(value): value for value in everything}.values())

    def clear(self) -> None:
        """Drops everything, and counts from 0 again."""
        self._entries.clear()
        self._count = self.hits = self.misses = 0
