"""Lists and dicts that a function returns at several places: there, its caller finds one object."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.core.structure import children, rebuild

Path = tuple[int, ...]
"""Positions of parts of structures, from the outermost one inwards."""


def shared_parts(value: Any) -> list[tuple[Path, Path]]:
    """Return the places of a structure that hold a list or dict which an earlier place holds.

    Args:
      value: a structure.

    Returns:
      Pairs of the first place and the other one, in order.

    >>> row = [0]
    >>> shared_parts((row, [row]))
    [((0,), (1, 0))]
    """
    first: dict[int, Path] = {}
    return list(_repeated(value, (), first))


def _repeated(value: Any, path: Path, first: dict[int, Path]) -> Iterator[tuple[Path, Path]]:
    level = children(value)
    if level is None:
        return
    if isinstance(value, (list, dict)):
        known = first.setdefault(id(value), path)
        if known != path:
            yield known, path
            return
    for position, part in enumerate(level[1]):
        yield from _repeated(part, (*path, position), first)


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
        value = _replaced(value, path, _at(value, known))
    return value


def _at(value: Any, path: Path) -> Any:
    for position in path:
        level = children(value)
        assert level is not None
        value = level[1][position]
    return value


def _replaced(value: Any, path: Path, part: Any) -> Any:
    if not path:
        return part
    level = children(value)
    assert level is not None
    keys, parts = level
    own = _replaced(parts[path[0]], path[1:], part)
    if own is parts[path[0]]:
        return value
    if isinstance(value, list):
        value[path[0]] = own
        return value
    if isinstance(value, dict):
        value[keys[path[0]]] = own
        return value
    return rebuild(type(value), keys, [*parts[: path[0]], own, *parts[path[0] + 1 :]], value)
