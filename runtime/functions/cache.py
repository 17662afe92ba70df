"""A bounded cache of graphs, keyed by call type, with least-recently-used eviction.

Traces of one function exclude each other, without deadlocks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from autograph.forks import renew_in_child
from runtime.core.thread import STATE
from runtime.functions.trace_type import CallType

VARIANTS = 8
"""Maximum number of graphs for one call type; they differ in the values read from outside."""


class CacheInfo(NamedTuple):
    """Hits, misses, maximum and current number of graphs."""

    hits: int
    misses: int
    maxsize: int
    currsize: int


def scopes() -> Iterator[Any]:
    """Yield the scopes whose graphs can run here."""
    if STATE.ambient is not None:
        yield STATE.ambient, STATE.graph
    else:
        yield None
        if STATE.graph is not None:
            yield from STATE.graph.enclosing()


def scope_of(is_bound: bool) -> Any:
    """Return the scope in which a graph traced here can run; None: anywhere.

    A graph that captures symbolic tensors is bound to its enclosing graph.
    """
    if STATE.ambient is not None:
        return STATE.ambient, STATE.graph
    return STATE.graph if is_bound else None


class TraceCache:
    """A bounded map from call types to concrete functions; the caller holds the lock."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._entries: OrderedDict[Any, list[Any]] = OrderedDict()
        self._count = 0
        self.hits = 0
        self.misses = 0

    def find(self, key: CallType, among: Iterable[Any]) -> Any | None:
        """Return the current entry for a type in one of several scopes, or None.

        A scope is None for a graph that runs anywhere, a graph for one that captures its symbolic
        tensors.
        """
        for scope in among:
            for found in self._entries.get((key, scope), ()):
                if found.is_current():
                    self._entries.move_to_end((key, scope))
                    return found
        return None

    def outdated(self, key: CallType) -> Any | None:
        """Return the newest entry for this type, whose guards no longer hold; None if there is
        none.
        """
        variants = self._entries.get((key, None))
        return variants[0] if variants else None

    def find_general(self, key: CallType) -> Any | None:
        """Return the current entry for the narrowest type that includes this one, or None."""
        best, found = None, None
        for (kept, scope), variants in self._entries.items():
            if scope is None and kept.includes(key) and (best is None or best.includes(kept)):
                current = next((value for value in variants if value.is_current()), None)
                if current is not None:
                    best, found = kept, current
        return found

    def add(self, key: CallType, scope: object, value: object) -> bool:
        """Add an entry; return whether another one was evicted."""
        dropped = self._drop_dead()
        variants = self._entries.setdefault((key, scope), [])
        variants.insert(0, value)
        self._count += 1
        self._entries.move_to_end((key, scope))
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
        # Dead identities equal nothing, not even themselves, so their keys cannot be looked up.
        dead = [entry for entry in self._entries if not entry[0].is_alive]
        for entry in dead:
            self._count -= len(self._entries[entry])
        if dead:
            alive = [entry for entry in self._entries.items() if entry[0][0].is_alive]
            self._entries = OrderedDict(alive)
        return bool(dead)

    def __len__(self) -> int:
        return self._count

    def info(self) -> CacheInfo:
        """Return the statistics, with the names of `functools.lru_cache`."""
        return CacheInfo(self.hits, self.misses, self._limit, len(self))

    def types(self) -> Iterator[CallType]:
        """Return the types of entries that run anywhere."""
        return (key for key, scope in self._entries if scope is None)

    def newest(self) -> Iterator[tuple[CallType, Any]]:
        """Yield each type of an entry that runs anywhere, with its current or else newest entry."""
        for (key, scope), variants in self._entries.items():
            if scope is None:
                yield key, next((kept for kept in variants if kept.is_current()), variants[0])

    def values(self) -> list[Any]:
        """Return all entries, each once, in insertion order."""
        everything = (value for variants in self._entries.values() for value in variants)
        return list({id(value): value for value in everything}.values())

    def clear(self) -> None:
        """Remove all entries and reset the statistics."""
        self._entries.clear()
        self._count = self.hits = self.misses = 0


class _Queue:
    """The lock that each waiting thread waits for, and the condition that wakes it."""

    def __init__(self) -> None:
        self.renew()
        renew_in_child(self)

    def renew(self) -> None:
        """Reset the state: a thread that runs does not wait."""
        self.changed = threading.Condition()
        self.waiting: dict[int, Turns] = {}


_QUEUE = _Queue()


class Turns:
    """A reentrant lock that breaks deadlocks.

    If two threads trace functions that call each other, each would wait for the other forever. The
    second thread does not wait: both trace, which costs time only.
    """

    def __init__(self) -> None:
        self._holders: list[int] = []
        renew_in_child(self)

    def renew(self) -> None:
        """Release the lock for all other threads."""
        me = threading.get_ident()
        self._holders = [holder for holder in self._holders if holder == me]

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the lock."""
        me = threading.get_ident()
        with _QUEUE.changed:
            _QUEUE.waiting[me] = self
            while self._holders and me not in self._holders and not self._leads_to(me):
                _QUEUE.changed.wait()
            del _QUEUE.waiting[me]
            self._holders.append(me)
        try:
            yield
        finally:
            with _QUEUE.changed:
                self._holders.remove(me)
                _QUEUE.changed.notify_all()

    def _leads_to(self, me: int) -> bool:
        """Return whether a holder waits, directly or indirectly, for a lock that thread `me`
        holds.
        """
        seen: set[int] = set()
        pending = list(self._holders)
        while pending:
            thread = pending.pop()
            if thread == me:
                return True
            if thread in seen:
                continue
            seen.add(thread)
            waited_for = _QUEUE.waiting.get(thread)
            if waited_for is not None:
                pending += waited_for._holders
        return False
