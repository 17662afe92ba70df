"""Lists, dicts and objects that a function leaves or returns at several places: each is one object.

A structure that leaves a graph is built anew from its tensors. *Roots* are the structures that do:
what is left in places outside the function, and the result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.moved import resolve
from autograph.operators.state import has_identity
from autograph.operators.variables import Conflict
from runtime.core.structure import children, rebuild
from runtime.core.tensor import Tensor

Path = tuple[int, ...]
"""Positions of parts of structures, from the outermost one inwards."""

Spot = tuple[int, Path]
"""The number of a root, and the path from it."""


def shared_parts(value: Any) -> list[tuple[Path, Path]]:
    """Return the places of a structure that hold an object which an earlier place holds.

    Args:
      value: a structure.

    Returns:
      Pairs of the first place and the other one, in order.

    >>> row = [0]
    >>> shared_parts((row, [row]))
    [((0,), (1, 0))]
    """
    return [(first[1], other[1]) for first, other in shared_spots([value])]


def shared_spots(
    roots: Sequence[Any], stays: Callable[[Any], bool] = lambda _: False
) -> list[tuple[Spot, Spot]]:
    """Return the spots that hold an object which an earlier one holds, with that one.

    Args:
      roots: structures.
      stays: whether an object is not built anew, so that every spot holds the object itself.
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
    value: Any, stays: Callable[[Any], bool] = lambda _: False
) -> list[tuple[Path, Any]]:
    """Return each list, dict or object of a structure with its path.

    A list whose items are held elsewhere is what holds them. The parts of an object inside are left
    out where it stays the one that it is, and where it is met again.
    """
    found: list[tuple[Path, Any]] = []
    seen: set[int] = set()

    def walk(value: Any, path: Path) -> None:
        if type(value) is Conflict:
            return
        value = resolve(value)
        if hasattr(type(value), "__autograph_refers__"):
            found.append((path, value))
            return
        level = children(value)
        if _is_object(value):
            found.append((path, value))
            if id(value) in seen or (path and stays(value)):
                return
            seen.add(id(value))
        for position, part in enumerate(() if level is None else level[1]):
            walk(part, (*path, position))

    walk(value, ())
    return found


def _is_object(value: Any) -> bool:
    """Whether a program can change a value; which one of equal tuples it has, it hardly asks."""
    return has_identity(value) and not isinstance(value, tuple)


def with_shared_parts(value: Any, pairs: list[tuple[Path, Path]]) -> Any:
    """Return a structure in which places hold the object that an earlier one holds.

    Args:
      value: a structure; lists and dicts in it are changed in place.
      pairs: what `shared_parts` returned for one of the same form.

    >>> outer = with_shared_parts(([0], [[0]]), [((0,), (1, 0))])
    >>> outer[0] is outer[1][0]
    True
    """
    for known, path in pairs:
        value = replaced(value, path, part_at(value, known))
    return value


def part_at(value: Any, path: Path) -> Any:
    """The part of a structure at a path."""
    for position in path:
        level = children(value)
        assert level is not None
        value = level[1][position]
    return value


def replaced(value: Any, path: Path, part: Any) -> Any:
    """A structure with another part at a path; lists, dicts and objects are changed in place."""
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


def refilled(value: Any, other: Any) -> None:
    """Has lists, dicts and objects hold the tensors at the same places of another structure."""
    own, given = children(value), children(other)
    if own is None or given is None:
        return
    for position, (old, new) in enumerate(zip(own[1], given[1], strict=True)):
        if isinstance(old, Tensor) and isinstance(new, Tensor):
            replaced(value, (position,), new)
        else:
            refilled(old, new)
