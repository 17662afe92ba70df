"""Attributes of runtime objects that a trace reads.

A graph depends on Python values that its trace read: `trainable` of a layer, the rate of a dropout,
the layers of a model. During a trace, `Observed` records the attributes that are read; outside
traces a read costs nothing. Assigning an attribute that some trace read renews `WRITES.last`: only
then do graphs compare their attributes again.

`awaited` restores values from a checkpoint before their variables exist.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from autograph.forks import Lock

awaited: list[Callable[[], None]] = []
"""Callbacks that restore values whose variables did not exist when the values were read."""

_LOOKING = Lock()


def restore_awaited() -> None:
    """Run the callbacks; each restores the values whose variables exist by now."""
    if awaited and _LOOKING.owner != threading.get_ident():
        with _LOOKING:
            for callback in tuple(awaited):
                callback()


NAMESPACE = "__dict__"
"""The attribute that code reads to walk over all attributes, for instance to collect variables."""


class _Writes:
    """Attributes that traces read, and a mark of the last assignment to one of them.

    Attributes:
      names: names of attributes that some trace read.
      walked: ids of objects whose attributes some trace walked.
      last: a new object after each assignment.
    """

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.walked: set[int] = set()
        self.last = object()


WRITES = _Writes()


class AttributeReads:
    """The attributes that a trace reads.

    Attributes:
      written: object id and name of each attribute that the trace assigns.
    """

    def __init__(self) -> None:
        self.written: set[tuple[int, str]] = set()
        self._of_objects: dict[int, tuple[Any, set[str]]] = {}

    def note(self, owner: object, *names: str) -> None:
        """Record reads."""
        known = self._of_objects.get(id(owner))
        if known is None:
            known = self._of_objects[id(owner)] = owner, set()
        known[1].update(names)

    def merge(self, inner: AttributeReads) -> None:
        """Add the reads and writes of a nested trace."""
        self.written |= inner.written
        for owner, names in inner:
            self.note(owner, *names)

    def __iter__(self) -> Iterator[tuple[Any, set[str]]]:
        return iter(self._of_objects.values())


class _Thread(threading.local):
    reads: AttributeReads | None = None


_THREAD = _Thread()
_LOCK = Lock()
_running: list[AttributeReads] = []


class Observed:
    """Base of classes whose attribute reads are recorded during traces.

    >>> class Noise(Observed):
    ...     def __init__(self, rate):
    ...         self.rate = rate
    >>> noise = Noise(0.5)
    >>> with reading() as reads:
    ...     _ = noise.rate
    >>> [names for _, names in reads]
    [{'rate'}]
    """

    _WALKED_FOR_VARIABLES: ClassVar[bool] = False
    """True while code that walks over all attributes only looks for variables and modules."""


def _set(self: Any, name: str, value: Any) -> None:
    """Implement `__setattr__`: restore values that wait for the variable, and record the write."""
    set_ = super(Observed, self).__setattr__
    if awaited and (isinstance(value, _HOLDERS) or is_variable(value)):
        before = object.__getattribute__(self, NAMESPACE).get(name, awaited)
        set_(name, value)
        try:
            restore_awaited()
        except BaseException:
            if before is awaited:
                super(Observed, self).__delattr__(name)
            else:
                set_(name, before)
            raise
    else:
        set_(name, value)
    note_write(self, name, value)


def _delete(self: Any, name: str) -> None:
    """Implement `__delattr__`: record the write."""
    super(Observed, self).__delattr__(name)
    note_write(self, name, self)


# Not in the class body: type checkers would accept every attribute then.
Observed.__setattr__ = _set  # type: ignore[method-assign]
Observed.__delattr__ = _delete  # type: ignore[method-assign]

_HOLDERS = (Observed, list, tuple, dict)
"""Classes whose values are searched for variables by a walk over all attributes."""


def note_read(owner: object, name: str) -> None:
    """Record an attribute read of the trace of this thread, if there is one."""
    if _THREAD.reads is not None:
        _THREAD.reads.note(owner, name)


def note_write(owner: object, name: str, value: object) -> None:
    """Record that an attribute is assigned or deleted."""
    if _THREAD.reads is not None:
        _THREAD.reads.written.add((id(owner), name))
    is_holder = isinstance(value, _HOLDERS) or is_variable(value)
    if name in WRITES.names or (is_holder and id(owner) in WRITES.walked):
        WRITES.last = object()


def is_variable(value: object) -> bool:
    """Return whether a value is a variable, without importing the module of variables."""
    return hasattr(type(value), "note_access")


def _noting(self: Any, name: str) -> Any:
    """Implement `__getattribute__` during traces: record the read."""
    read = super(Observed, self).__getattribute__
    if name == NAMESPACE and not type(self)._WALKED_FOR_VARIABLES:
        for each in read(NAMESPACE):
            note_read(self, each)
    note_read(self, name)
    return read(name)


@contextmanager
def reading() -> Iterator[AttributeReads]:
    """Record the attributes that the code inside reads in this thread."""
    outer, reads = _THREAD.reads, AttributeReads()
    with _LOCK:
        _running.append(reads)
        Observed.__getattribute__ = _noting  # type: ignore[method-assign]
    _THREAD.reads = reads
    try:
        yield reads
    finally:
        _THREAD.reads = outer
        with _LOCK:
            _running.remove(reads)
            if not _running:
                del Observed.__getattribute__
        if outer is not None:
            outer.merge(reads)
