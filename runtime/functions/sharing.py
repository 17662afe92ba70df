"""Preservation of aliases among the outputs of a function.

A structure that leaves a graph is rebuilt from its tensors. Lists, dicts and objects that occur
several times must stay one object. *Roots* are the structures that leave: values of places outside
the function, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.moved import resolve
from autograph.operators.stand_ins import has_identity
from autograph.operators.variables import Conflict
from autograph.staging import is_one_of
from autograph.values import Value
from runtime.core.structure import children, rebuild
from runtime.core.tensor import Tensor

Path = tuple[int, ...]
"""Indices of nested parts, outermost first."""

Spot = tuple[int, Path]
"""The index of a root, and a path from it."""


def shared_parts(
    value: object, stays: Callable[[Any], bool] = lambda _: False
) -> list[tuple[Path, Path]]:
    """Return the places of a structure whose object an earlier place holds, as pairs in order.

    >>> row = [0]
    >>> shared_parts((row, [row]))
    [((0,), (1, 0))]
    """
    return [(first[1], other[1]) for first, other in shared_spots([value], stays)]


def shared_spots(
    roots: Sequence[Any], stays: Callable[[Any], bool] = lambda _: False
) -> list[tuple[Spot, Spot]]:
    """Return the spots whose object an earlier spot holds, as (earlier, later) pairs.

    An object that `stays` is not rebuilt: every spot holds the object itself.
    """
    first: dict[int, Spot] = {}
    found = []
    for number, root in enumerate(roots):
        for path, part in parts_with_identity(root, stays):
            known = first.setdefault(id(part), (number, path))
            if known != (number, path) and not stays(part):
                found.append((known, (number, path)))
    return found


def parts_with_identity(
    value: object, stays: Callable[[Any], bool] = lambda _: False
) -> list[tuple[Path, Any]]:
    """Return each list, dict or object of a structure with its path.

    A list whose items are stored elsewhere counts as its storage. The walk skips the parts of a
    nested object that is not rebuilt or was visited before.
    """
    found: list[tuple[Path, Any]] = []
    seen: set[int] = set()

    def walk(value: object, path: Path) -> None:
        if type(value) is Conflict:
            return
        value = resolve(value)
        if hasattr(type(value), "__autograph_refers__"):
            found.append((path, value))
            return
        if _is_object(value):
            found.append((path, value))
            if id(value) in seen or (path and stays(value)):
                return
            seen.add(id(value))
        level = children(value)
        for position, part in enumerate(() if level is None else level[1]):
            walk(part, (*path, position))

    walk(value, ())
    return found


def possible_parts(value: object) -> list[Any]:
    """Return the lists, dicts and objects that the values chosen at run time in a structure may be.

    An object occurs as often as a value may be it.
    """
    found: list[Any] = []
    seen: set[int] = set()

    def walk(value: Value) -> None:
        if is_one_of(value):
            for each in value.__autograph_values__:
                found.extend(part for _, part in parts_with_identity(each))
            return
        value = resolve(value)
        level = children(value)
        if level is not None and id(value) not in seen:
            seen.add(id(value))
            for part in level[1]:
                walk(part)

    walk(value)
    return found


def _is_object(value: object) -> bool:
    """Return whether a value is mutable with an identity; tuples do not count."""
    return has_identity(value) and not isinstance(value, tuple)


def with_shared_parts(value: object, pairs: list[tuple[Path, Path]]) -> Any:
    """Make later places of a structure hold the object of an earlier one; return the structure.

    >>> outer = with_shared_parts(([0], [[0]]), [((0,), (1, 0))])
    >>> outer[0] is outer[1][0]
    True
    """
    for known, path in pairs:
        value = replaced(value, path, part_at(value, known))
    return value


def part_at(value: object, path: Path) -> Any:
    """Return the part of a structure at a path."""
    for position in path:
        level = children(value)
        assert level is not None
        value = level[1][position]
    return value


def replaced(value: object, path: Path, part: object) -> Any:
    """Replace the part at a path; lists, dicts and objects change in place."""
    if not path:
        return part
    level = children(value)
    assert level is not None
    keys, parts = level
    own = replaced(parts[path[0]], path[1:], part)
    if own is parts[path[0]]:
        return value
    if isinstance(value, list):
        value[path[0]] = own
        return value
    if isinstance(value, dict):
        value[keys[path[0]]] = own
        return value
    if _is_object(value):
        object.__setattr__(value, keys[path[0]], own)
        return value
    return rebuild(type(value), keys, [*parts[: path[0]], own, *parts[path[0] + 1 :]], value)


def refilled(value: object, other: object) -> None:
    """Copy the tensors of another structure to the same places of lists, dicts and objects."""
    own, given = children(value), children(other)
    if own is None or given is None:
        return
    for position, (old, new) in enumerate(zip(own[1], given[1], strict=True)):
        if isinstance(old, Tensor) and isinstance(new, Tensor):
            replaced(value, (position,), new)
        else:
            refilled(old, new)
