"""What `functools` caches where a staged block is the first to ask for it.

Whether the block runs is decided later, so a property computed in it is dropped with the block, and
computed anew where the program reads the property again. That is the value Python has cached, as
long as nothing changed that the property reads. A function keeps its result, so it must not change
anything on the way.
"""

from __future__ import annotations

import functools
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.reach.walk import Reach
from autograph.staging import call_watchers, trace


class Computed:
    """A cached property that was dropped.

    Args:
      owner: the object.
      name: of the property.
      label: what the program calls the property.
    """

    def __init__(self, owner: Any, name: str, label: str) -> None:
        self.owner = owner
        self.label = label
        self._names = owner.__dict__
        self._name = name
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
                f"`{self.label}` is first read in a staged statement, and read again after "
                f"`{place.label}` changed: Python has the first value if the statement ran.\n"
                f"  {self._line}\n"
                f"Read `{self.label}` before the statement."
            )


def dropped() -> list[Computed]:
    """The properties that no object has cached at the end of a trace."""
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
    """Raises if a property was computed again and may have another value than Python's."""
    for known in trace.computed.values():
        if known.is_cached():
            known.check()


def line_of_cached(function: Any) -> str:
    """The line of a function that `functools` caches; nothing for one without Python code.

    >>> line_of_cached(functools.lru_cache(len))
    ''
    """
    code = getattr(function.__wrapped__, "__code__", None)
    if code is None:
        return ""
    return f'File "{code.co_filename}", line {code.co_firstlineno}, in {code.co_name}'


CACHED = functools._lru_cache_wrapper
"""The class of functions that `functools` caches."""


def _unchanging(_: Any, target: Any) -> Any:
    """A cached function that, called in a staged block, refuses to change anything."""
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
        raise StagingError(
            f"`{function.__name__}` caches its result, and changes `{place.label}` where it is "
            "called first: in a staged statement, which may not run.\n"
            f"  {user_line()}\n"
            f"Call `{function.__name__}` before the statement."
        )
    return value


call_watchers.append(_unchanging)
