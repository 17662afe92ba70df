"""What objects refer to that no attribute shows: caches, iterators, weak references."""

from __future__ import annotations

import functools
import gc
import types
import weakref
from collections.abc import Iterable
from typing import Any

from autograph.conversion.class_facts import dictionary_of
from autograph.reach.classes import draws_numbers, is_enumeration

_CALLING: Any = type(iter(int, 1))


def names_of_class(kind: Any) -> Iterable[tuple[str, Any]]:
    """Return the contents of a class namespace; of an enumeration, without the caches of `enum`."""
    items = dictionary_of(kind).items()
    if not is_enumeration(kind):
        return tuple(items)
    return *kind.__members__.items(), *(each for each in items if type(each[1]) is not dict)


def is_dispatcher(function: types.FunctionType) -> bool:
    """Return whether `functools.singledispatch` made a function: its closure holds a cache.

    >>> is_dispatcher(functools.singledispatch(lambda x: x))
    True
    """
    return function.__globals__ is vars(functools) and "registry" in function.__dict__


def cached_by(function: Any) -> Iterable[Any]:
    """Yield the keys and results that a function cached by `functools` keeps.

    >>> cached = functools.lru_cache(list)
    >>> kept = cached((7,)); kept in list(cached_by(cached))
    True
    """
    info = function.cache_info()
    if info.currsize == 0:
        return
    for part in gc.get_referents(function):
        if type(part) is not dict:
            yield part
        elif part is not function.__dict__:
            if info.maxsize is None:
                yield from part.values()
            elif not any(type(each) is _LINK for each in part.values()):
                yield part


def _class_of_links() -> type:
    """Return the class of the entries in the table of a bounded cache."""
    probe = functools.lru_cache(str)
    probe(1)
    tables = (each for each in gc.get_referents(probe) if type(each) is dict)
    return next(type(each[1]) for each in tables if 1 in each)


_LINK = _class_of_links()


def referent_of(weak: Any) -> Any:
    """Return the object that a weak reference or proxy refers to; None if it is gone.

    >>> kept = {1}
    >>> referent_of(weakref.ref(kept)) is kept, referent_of(weakref.proxy(kept)) is kept
    (True, True)
    """
    if issubclass(type(weak), weakref.ReferenceType):
        return weakref.ReferenceType.__call__(weak)
    try:
        return weak.__init__.__self__  # a proxy binds the methods of its referent to the referent
    except ReferenceError:
        return None


def is_writable_buffer(value: Any) -> bool:
    """Return whether a value is a writable buffer.

    >>> is_writable_buffer(bytearray(2)), is_writable_buffer(b"ab")
    (True, False)
    """
    try:
        with memoryview(value) as view:
            return not view.readonly
    except (TypeError, ValueError, BufferError):
        return False


def calls_library(value: object) -> bool:
    """Return whether an iterator of a callable, such as `re.finditer`'s, calls a method in C."""
    called = gc.get_referents(value) if type(value) is _CALLING else ()
    return any(isinstance(each, types.BuiltinMethodType) for each in called)


def shared_generator(owner: object) -> Any:
    """Return the owner of a bound method; for the module `random` its shared generator."""
    if type(owner) is types.ModuleType:
        owner = getattr(owner.__dict__.get("seed"), "__self__", None)
        kind: Any = type(owner)
        return owner if draws_numbers(kind) else None
    return owner
