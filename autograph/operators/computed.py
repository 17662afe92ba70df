"""Cached properties and functions (`functools`) that are first evaluated in a staged block.

Whether the block runs is decided at run time. So a property computed in it is dropped after the
block and computed again at the next read. That gives the value that Python would have cached, as
long as the inputs of the property did not change and computing it has no side effect. A cached
function keeps its result, so it must have no side effect either.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from autograph.conversion.class_facts import CACHED
from autograph.errors import StagingError, named_file
from autograph.operators.frames import user_line
from autograph.reach.record import Label
from autograph.reach.walk import Reach
from autograph.staging import trace


class Computed:
    """A cached property that was dropped.

    Args:
      owner: the object.
      name: the name of the property.
      label: the user's name for the property.
    """

    def __init__(self, owner: object, name: str, label: str) -> None:
        self.owner = owner
        self.label = label
        self._names = owner.__dict__
        self._name = name
        self.line = user_line()
        getter = getattr(type(owner), name).func
        self._reach = Reach([], {label.removesuffix(f".{name}"): owner, name: getter})

    def is_cached(self) -> bool:
        """Return whether the program read the property again, outside of staged statements."""
        return self._name in self._names

    def check(self) -> None:
        """Raise if an input of the property changed since."""
        for place, _ in self._reach.changes(sealed=False):
            raise StagingError(
                f"`{self.label}` is first read in a staged statement, and read again after "
                f"`{place.label}` changed: Python has the first value if the statement ran.\n"
                f"  {self.line}\n"
                f"Read `{self.label}` before the statement."
            )

    def refuse_names(self, owner: object) -> None:
        """Raise if it is dropped, so that the names of the attributes of `owner` are unknown."""
        if self.owner is owner and not self.is_cached():
            raise StagingError(
                f"`{self.label}` is first read in a staged statement, so which attributes there "
                f"are depends on whether that ran.\n  {self.line}\n",
                remedy=f"Read `{self.label}` before the statement.",
            )


def dropped() -> list[Computed]:
    """Return the dropped properties that were not computed again."""
    return [known for known in trace.computed.values() if not known.is_cached()]


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
    """Raise if a property computed again may differ from Python's value."""
    for known in trace.computed.values():
        if known.is_cached():
            known.check()


def line_of_cached(function: Any) -> str:
    """Return the line of a function cached by `functools`; the empty string for a built-in one.

    >>> line_of_cached(functools.lru_cache(len))
    ''
    """
    code = getattr(function.__wrapped__, "__code__", None)
    if code is None:
        return ""
    return f"{named_file(code.co_filename)}, line {code.co_firstlineno}, in {code.co_name}"


def unchanging(target: object) -> Any:
    """Wrap a cached function to raise if it has a side effect in a staged block."""
    if type(target) is not CACHED or trace.block is None:
        return target
    return functools.partial(_call_cached, target)


def _call_cached(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    known = function.cache_info().misses
    reach = Reach([function.__wrapped__])
    value = function(*args, **kwargs)
    changed = reach.changed() if function.cache_info().misses > known else ()
    for place in changed:
        function.cache_clear()
        raise _changes(function.__name__, place.label, "called")
    return value


def _changes(name: str, changed: Label, used: str) -> StagingError:
    return StagingError(
        f"`{name}` caches its result, and changes `{changed}` where it is {used} first: in a "
        "staged statement, which may not run.\n"
        f"  {user_line()}\n",
        remedy=f"Have `{name}` {used} before the statement.",
    )


def compute(name: str, getter: Callable[[Any], Any], owner: object) -> Any:
    """Return the cached property `name`, computed by its getter.

    Raises:
      StagingError: if computing it in a staged block has a side effect.
    """
    if trace.block is None:
        return getter(owner)
    reach = Reach([], {"self": owner, name: getter})
    value = getter(owner)
    for place in reach.changed():
        raise _changes(name, place.label, "read")
    return value
