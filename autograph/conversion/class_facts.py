"""Facts about classes, read without running a metaclass, a descriptor or a property.

>>> is_static(int), look_up(int, "missing") is None
(True, True)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

bases_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
direct_bases_of: Callable[[type], tuple[type, ...]] = type.__dict__["__bases__"].__get__
dictionary_of: Callable[[type], dict[str, Any]] = type.__dict__["__dict__"].__get__

# Is the second class derived from the first? Unlike issubclass, it asks no metaclass.
is_base: Callable[[type, type], bool] = type.__subclasscheck__

CACHED = type(functools.lru_cache(len))
"""The class of functions cached by `functools`."""

_flags: Callable[[type], int] = type.__dict__["__flags__"].__get__
_HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE in CPython's object.h
_MISSING = object()


def is_static(kind: type) -> bool:
    """Return whether a class is defined in C and immutable."""
    return not _flags(kind) & _HEAP_TYPE


def look_up(kind: type, name: str) -> Any:
    """Return a class attribute without binding it; None if there is none."""
    for base in bases_of(kind):
        found = dictionary_of(base).get(name, _MISSING)
        if found is not _MISSING:
            return found
    return None
