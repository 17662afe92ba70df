"""Python side effects of a trace: they happen once, not at each call, so they are told.

A place that holds tensors is written by the graph at each call (see `runtime.functions.outside`).
Any other place that a trace leaves changed keeps what the trace left there: a warning names it.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from autograph.errors import SideEffectWarning
from autograph.reach.places import MISSING, Cell, Contents, Entry, Place
from autograph.writes import Line, last_name
from runtime.functions.snapshots import snapshot


class SideEffect(NamedTuple):
    """What a trace left changed.

    Attributes:
      label: what the program calls the place.
      text: the change in words.
      line: finds the line of the program that does it.
      advice: what follows from it, and what to write instead.
    """

    label: str
    text: str
    line: Callable[[], Line | None]
    advice: str = (
        "This happens once, while the function is traced, not at each call. Keep the value in a "
        "tf.Variable, return it, change it outside the function, or in a function that "
        "tf.py_function calls."
    )


def change_in_words(place: Place, before: Any, after: Any) -> str:
    """Return what changed, or nothing if the values are equal.

    >>> change_in_words(Entry({}, "count", "count"), 1, 2)
    'the global `count`: 1 -> 2'
    """
    if _is_equal(before, after):
        return ""
    for key, old, new in _items(before, after):
        if not _is_equal(old, new):
            return _change(f"`{place.label}[{key!r}]`", _value(old), _value(new))
    return _change(_named(place), _whole(place, before), _whole(place, after))


def _change(named: str, old: str, new: str) -> str:
    return f"{named}: {old} -> {new}" if old != new else f"{named}: {new} with other contents"


def _is_equal(before: Any, after: Any) -> bool:
    return snapshot(before).matches(after)


def _items(before: Any, after: Any) -> Iterable[tuple[Any, Any, Any]]:
    """The keys of two dicts, or of two lists of one length, each with both values."""
    if type(before) is dict and type(after) is dict:
        keys = {**before, **after}
        return ((key, before.get(key, MISSING), after.get(key, MISSING)) for key in keys)
    if type(before) is list and type(after) is list and len(before) == len(after):
        return zip(range(len(before)), before, after, strict=True)
    return ()


def _named(place: Place) -> str:
    if isinstance(place, Cell):
        return f"the variable `{place.label}` of an enclosing function"
    is_global = isinstance(place, Entry) and last_name(place.label) == place.label
    return f"the global `{place.label}`" if is_global else f"`{place.label}`"


def _whole(place: Place, value: Any) -> str:
    """Describe what a place held; items, as the container of the program that has them."""
    if isinstance(place, Contents) and isinstance(value, list | dict):
        return f"a {type(place.owner).__name__} of {len(value)}"
    return _value(value)


def _value(value: Any) -> str:
    return "nothing" if value is MISSING else str(snapshot(value))


def definition_of(function: Any) -> Line:
    """Return the line at which a function, or the method that a callable object runs, begins."""
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function)
    call = type(function).__call__
    code = getattr(function, "__code__", None) or getattr(call, "__code__", None)
    if code is None:
        return Line("<unknown>", 1, type(function).__name__)
    return Line(code.co_filename, code.co_firstlineno, code.co_name)


def warn_of(effects: Iterable[SideEffect], name: str, default: Line, known: set[str]) -> None:
    """Warn of side effects, each once for a function.

    Args:
      effects: the side effects.
      name: the name of the function.
      default: the line to blame where that of the write is unknown.
      known: places that the function was warned of; gets the new ones.
    """
    for effect in effects:
        if effect.label in known:
            continue
        known.add(effect.label)
        line = effect.line() or default
        warnings.warn_explicit(
            f"{name} changes {effect.text}. {effect.advice}",
            SideEffectWarning,
            line.filename,
            line.lineno,
        )
