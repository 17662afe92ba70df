"""Warnings about Python side effects of a trace, which happen once and not at each call.

The graph writes places that hold tensors at each call (see `runtime.functions.outside`). Other
changed places keep the value of the trace; a warning names them.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from autograph.errors import SideEffectWarning
from autograph.operators.computed import dropped
from autograph.operators.stand_ins import has_identity
from autograph.reach.places import MISSING, Cell, Contents, Entry, Place
from autograph.reach.record import Sealed
from autograph.reach.sealed import NumPyRandom, RandomBits, RandomNumbers
from autograph.reach.walk import Reach
from autograph.writes import Line, last_name, line_of_write
from runtime.functions.snapshots import snapshot


class SideEffect(NamedTuple):
    """A change that a trace left.

    Attributes:
      label: the program's name of the place.
      text: a description of the change.
      line: finds the line that makes the change.
      advice: the consequence, and the alternative.
    """

    label: str
    text: str
    line: Callable[[], Line | None]
    advice: str = (
        "This happens once, while the function is traced, not at each call. Keep the value in a "
        "tf.Variable, return it, change it outside the function, or in a function that "
        "tf.py_function calls."
    )


_NOT_CACHED = (
    "Its value is not kept in the object, since the statement may not run, but computed anew at "
    "the next call. Read it before the statement."
)


def side_effects(
    reach: Reach,
    function: Callable[..., Any],
    changes: Iterable[tuple[Place, Any]],
    sealed: Iterable[Sealed],
) -> Iterator[SideEffect]:
    """Yield the side effects of a trace of a function.

    `changes` are the changed places, with their values before the trace; `sealed` the changed
    objects whose state is not a place.
    """

    def note(label: str, text: str) -> Iterator[SideEffect]:
        name = last_name(label)
        if name.startswith("_") and name not in reach.vocabulary:
            return  # A library keeps it in an object of the program.
        yield SideEffect(label, text, partial(line_of_write, function, reach.objects(), label))

    for place, before in changes:
        after = place.read()
        text = change_in_words(place, before, after) or _another(reach, place, before, after)
        if text:
            yield from note(place.label, text)
    for known in dropped():
        if reach.holds(known.owner):
            text = f"`{known.label}`, a cached property that a staged statement reads first"
            yield SideEffect(known.label, text, lambda: None, _NOT_CACHED)
    for each in sealed:
        # Random number generators have their own warning.
        if not isinstance(each, (NumPyRandom, RandomBits, RandomNumbers)):
            yield from note(each.label, f"`{each.label}`, {each.kind()}, in place")


def _another(reach: Reach, place: Place, before: object, after: object) -> str:
    """Describe a change of which of two equal old objects a place holds; "": there is none."""
    pairs = items_of_both(before, after) if isinstance(place, Contents) else ()
    for old, new in [(before, after), *((old, new) for _, old, new in pairs)]:
        if old is not new and has_identity(old) and has_identity(new) and reach.holds(new):
            return f"`{place.label}`: another {type(new).__name__} with equal contents"
    return ""


def change_in_words(place: Place, before: object, after: object) -> str:
    """Describe a change; return "" if the values are equal.

    >>> change_in_words(Entry({}, "count", "count"), 1, 2)
    'the global `count`: 1 -> 2'
    """
    if _is_equal(before, after):
        return ""
    for key, old, new in items_of_both(before, after):
        if not _is_equal(old, new):
            return _change(f"`{place.label}[{key!r}]`", _value(old), _value(new))
    return _change(_named(place), _whole(place, before), _whole(place, after))


def _change(named: str, old: str, new: str) -> str:
    return f"{named}: {old} -> {new}" if old != new else f"{named}: {new} with other contents"


def _is_equal(before: object, after: object) -> bool:
    return snapshot(before).matches(after)


def items_of_both(before: object, after: object) -> Iterable[tuple[Any, Any, Any]]:
    """Return the keys of two dicts, or of two lists of equal length, with both values."""
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


def _whole(place: Place, value: object) -> str:
    """Describe the former value of a place; for items, the container."""
    if isinstance(place, Contents) and isinstance(value, list | dict):
        return f"a {type(place.owner).__name__} of {len(value)}"
    return _value(value)


def _value(value: object) -> str:
    return "nothing" if value is MISSING else str(snapshot(value))


def definition_of(function: Any) -> Line:
    """Return the first line of a function, or of the `__call__` of a callable object."""
    while isinstance(function, partial):
        function = function.func
    function = inspect.unwrap(function)
    call = type(function).__call__
    code = getattr(function, "__code__", None) or getattr(call, "__code__", None)
    if code is None:
        return Line("<unknown>", 1, type(function).__name__)
    return Line(code.co_filename, code.co_firstlineno, code.co_name)


def warn_of(effects: Iterable[SideEffect], name: str, default: Line, known: set[str]) -> None:
    """Warn about side effects, once for each label; adds to the labels `known` as reported.

    `default` is the line to report if that of the write is unknown.
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
