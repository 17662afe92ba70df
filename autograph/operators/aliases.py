"""Possible aliases: lists and dicts that may be the same object, decided at run time.

After `if test: a = [3, 4]` the variable refers to the new list or to the previous one, decided at
run time. The difference is invisible until one of them changes: the change may or may not affect
the other. So after a change of one, every use of the other is an error.

A possible alias is valid until the end of the block that recorded it. Then the entries of its
statement are assigned again, and their possible aliases recorded again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from operator import is_
from types import MemberDescriptorType
from typing import Any

from autograph.errors import StagingError
from autograph.operators.frames import user_line
from autograph.operators.moved import (
    Parted,
    changed_elsewhere,
    check_moved,
    is_parted,
    moved_in,
    part,
    parted_in,
    resolve,
)
from autograph.operators.variables import RETURN_VALUE
from autograph.reach.classes import attributes_of
from autograph.staging import Alias, is_one_of, trace
from autograph.values import Value

Path = tuple[Any, ...]
"""The keys from a structure to a part of it."""


def link(one: object, other: object, label: str, place: str) -> None:
    """Record that two objects may be the same one.

    Args:
      one, other: lists, dicts or other structures.
      label: the variable that refers to one of them.
      place: the line of the statement that decides.
    """
    if one is other or _holder(one) is _holder(other):
        return
    if any(moved_in(each) is not None for each in (one, other)):
        trace.choices.moved.append((one, other))
        one, other = _holder(one), _holder(other)
    if not any(each is other for each in may_be(one)):
        alias = Alias(one, other, label, place, (_items(one), _items(other)))
        for each in (one, other):
            trace.choices.known.setdefault(id(each), []).append(alias)


def note_choice(label: str, sources: Iterable[Any], result: object) -> None:
    """Record that a value is a copy of one of several objects, decided at run time.

    Args:
      label: the user's name for the value.
      sources: the objects.
      result: the value. Each structure in it may be the one at the same path of each object.
    """
    line = user_line()
    for source in sources:
        for path, old in structures_in(source):
            for new in structures_at(result, path):
                link(new, old, label, line)


def _holder(value: object) -> Any:
    """Return the object that holds the items of a list or dict; other values as they are."""
    return value if is_parted(value) else resolve(value)


def may_be(value: object) -> list[Any]:
    """Return the possible aliases of an object."""
    return [each.other if each.one is value else each.one for each in trace.choices.of(value)]


def may_hold_items_of(value: object) -> list[Any]:
    """Return the possible aliases of a list or dict whose items moved."""
    pairs = [pair for layer in trace.choices.layers() for pair in layer.moved]
    both = [each for pair in pairs for each in (pair, pair[::-1])]
    return [other for one, other in both if not is_parted(one) and resolve(one) is value]


def before_change(container: object) -> None:
    """Handle a change of a list or dict by converted code during a trace; call it before.

    Raises:
      StagingError: if Python itself changed a possible alias: this change would hide that one.
    """
    line = trace.lines[id(container), "contents"] = user_line()
    for alias in trace.choices.of(container):
        other = alias.other if alias.one is container else alias.one
        if not _can_refuse(other):
            continue  # `check_choices` finds the change
        if _has_changed(alias, other):
            raise _changed(alias)
        # An inner block may have poisoned it, because it did not know the alias.
        parted = parted_in(other)
        if parted is None:
            returned = alias.label == RETURN_VALUE
            parted = changed_elsewhere(alias.label, line, _kind_in_words(other), returned)
        refuse_uses(other, parted)
        trace.choices.settled.add(alias)


def _kind_in_words(container: object) -> str:
    """Return what a library's container represents, unless that is a list or dict."""
    if hasattr(type(container), "__autograph_carried__"):
        kind = container.__autograph_type__()  # type: ignore[attr-defined]
        if not issubclass(kind, list | dict | deque | set):
            return str(kind.__name__)
    return "list or dict"


def after_change(container: object) -> None:
    """Handle a change of a dict: its possible aliases refuse the new keys, too; call it after.

    Otherwise a key that they lack would raise Python's KeyError.
    """
    for layer in trace.choices.layers():
        for alias in layer.known.get(id(container), ()):
            other = alias.other if alias.one is container else alias.one
            parted = parted_in(other)
            if parted is not None and issubclass(type(other), dict | set):
                added = set(map(hash, keys_of(container))) - parted.hashes
                if added:
                    parted.hashes |= added
                    refuse_uses(other, parted)


def keys_of(items: Any) -> Iterable[Any]:
    """Return the possible keys of a dict or of the holder of its items; none for a list."""
    return items if issubclass(type(items), dict | set) else getattr(items, "entries", ())


def refuse_uses(container: object, parted: Parted) -> None:
    """Make every use of a list or dict an error, in this block and after it."""
    part(container, parted)
    trace.choices.parted[id(container)] = (container, parted)


def check_choices() -> None:
    """Raise if the ending block changed an object without `before_change`."""
    check_moved()
    choices = trace.choices
    for layer in choices.layers():
        for container, parted in layer.parted.values():
            if moved_in(container) is not parted or _is_longer(container, parted):
                parted.refuse()
    for alias in {id(each): each for known in choices.known.values() for each in known}.values():
        for value in (alias.one, alias.other):
            if alias in choices.settled and _can_refuse(value):
                continue
            if _has_changed(alias, value):
                raise _changed(alias)


def _has_changed(alias: Alias, value: object) -> bool:
    """Return whether one of two possible aliases, which is not poisoned, changed."""
    before = alias.items[0 if value is alias.one else 1]
    if is_parted(value):
        return False
    now = _items(value)
    return len(now) != len(before) or not all(map(is_, now, before))


def check_result(result: object) -> Any:
    """Return the result of a program.

    Raises:
      StagingError: if it contains a list or dict that may have changed, as a staged statement
        decides, or if the program changed an object that may be another one.
    """
    check_choices()
    for _, each in structures_in(result, is_part=_is_parted_item):
        parted = each if _is_parted_item(each) else parted_in(each)
        if parted is not None:
            parted.refuse()
    return result


def _is_parted_item(value: object) -> bool:
    return type(value) is Parted


def _is_longer(container: Value, parted: Any) -> bool:
    """Return whether a poisoned list or dict got new items."""
    if hasattr(type(container), "__autograph_carried__"):
        return not container.is_hidden
    is_list = issubclass(type(container), list | deque)
    return len(container) != (parted.length if is_list else 1 + len(parted.hashes))


def _can_refuse(value: object) -> bool:
    """Return whether a value is a list or dict, or the stand-in of one."""
    kind: Any = type(value)
    return issubclass(kind, list | dict | deque | set) or hasattr(kind, "__autograph_carried__")


def refuse_change(container: object) -> None:
    """Raise if a changed list or dict has a possible alias that is still usable.

    `check_choices` handles aliases recorded in the block itself.
    """
    own = trace.choices.known.get(id(container), ())
    for alias in trace.choices.of(container):
        if alias not in own:
            raise _changed(alias)


def _changed(alias: Alias) -> StagingError:
    example = f", for instance copy.copy({alias.label})" if alias.label.isidentifier() else ""
    return StagingError(
        f"`{alias.label}` may be one of several lists, dicts or objects, as a staged statement "
        "decides, and one of them is changed afterwards: only the running program knows whether "
        f"the others change, too.\n  {alias.place}\n",
        remedy=f"Change a copy{example}.",
    )


def _nothing(value: object) -> bool:
    return False


def structures_in(
    value: Value, path: Path = (), around: Path = (), is_part: Callable[[Any], bool] = _nothing
) -> Iterator[tuple[Path, Any]]:
    """Yield a list, dict or other structure and the structures in it, with their paths.

    Objects for which `is_part` is true are yielded, too, but not entered. The alternatives of a
    value chosen at run time, and the objects that a reference may select, share its path, and so do
    a view and the array that it shows.

    >>> [path for path, _ in structures_in([1, ({"k": []},)])]
    [(), (1, 0), (1, 0, 'k')]
    """
    if is_one_of(value) or hasattr(type(value), "__autograph_refers__"):
        for each in alternatives_of(value):
            yield from structures_in(each, path, around, is_part)
        return
    parts = _parts(value)
    if parts is None and is_part(value):
        yield path, value
    if parts is None or id(value) in around:
        return
    if not issubclass(type(value), tuple):
        yield path, value
    shows_parts = getattr(type(value), "__autograph_shows_parts__", False)
    for key, each in parts:
        if type(each) not in _NUMBERS:
            inner = path if shows_parts else (*path, key)
            yield from structures_in(each, inner, (*around, id(value)), is_part)


_NUMBERS = (int, float, bool, str)


def structures_at(
    value: object, path: Path, is_part: Callable[[Any], bool] = _nothing
) -> list[Any]:
    """Return the structures at a path of `structures_in`: one for each alternative.

    >>> structures_at([1, ({"k": []},)], (1, 0)), structures_at([1], (0,))
    ([{'k': []}], [])
    """
    found = _alternatives(value)
    for key in path:
        parts = [part for each in found for part in _parts(each) or ()]
        found = [each for name, part in parts if name == key for each in _alternatives(part)]
    return [each for each in found if _parts(each) is not None or is_part(each)]


def _alternatives(value: Value) -> list[Any]:
    return list(value.__autograph_values__) if is_one_of(value) else [value]


def alternatives_of(value: Value) -> tuple[Any, ...]:
    """Return the values that one chosen at run time may be, or the value itself."""
    if is_one_of(value):
        return tuple(value.__autograph_values__)
    refers = getattr(type(value), "__autograph_refers__", None)
    return (value,) if refers is None else tuple(refers(value))


def _parts(value: Value) -> list[tuple[Any, Any]] | None:
    """Return keys and parts of a structure that libraries carry by value; None for others."""
    kind: Any = type(value)
    if issubclass(kind, list | tuple | deque):
        return list(enumerate(value))
    if issubclass(kind, dict):
        return list(value.items())
    if kind is set:
        return list(enumerate(value))
    if hasattr(kind, "__autograph_carried__"):
        return list(value.parts().items())
    if hasattr(kind, "__dataclass_fields__") or hasattr(kind, "__attrs_attrs__"):
        held = ((name, _own_attribute(value, name)) for name in attributes_of(value))
        return [(name, each) for name, each in held if each is not None]
    return None


def _items(value: object) -> list[Any]:
    """Return the parts of a structure."""
    if hasattr(type(value), "__autograph_carried__"):
        return value.__autograph_state__()  # type: ignore[attr-defined,no-any-return]
    parts = _parts(value)
    return _attributes(value) if parts is None else [each for _, each in parts]


def _attributes(value: object) -> list[Any]:
    """Return the attribute values of an object, without running user code."""
    names = [
        name
        for base in type(value).__mro__
        for name, slot in vars(base).items()
        if type(slot) is MemberDescriptorType
    ]
    held = [_own_attribute(value, name) for name in names]
    own = _own_attribute(value, "__dict__")
    return held if own is None else [*held, *own, *own.values()]


def _own_attribute(value: object, name: str) -> Any:
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return None
