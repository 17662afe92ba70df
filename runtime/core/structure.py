"""Structures: nested lists, tuples, named tuples, dicts, dataclasses and attrs classes.

Every other value is a leaf. Another class becomes a structure by defining `__tensor_flatten__()`,
which returns its parts and a comparable description, and the class method
`__tensor_unflatten__(description, parts)`.
"""

from __future__ import annotations

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from autograph.reach.places import NOTE


@dataclass(frozen=True, eq=False)
class Node:
    """A structure without its leaves.

    Attributes:
      kind: the class.
      keys: keys, field names or the number of parts; for other classes their description. The
        keys 1, 1.0 and True differ, and 0.0 and -0.0: the program can tell them apart.
      parts: a `Node` for each part, or None for a leaf.
    """

    kind: type
    keys: Any
    parts: tuple[Node | None, ...]

    def __eq__(self, other: object) -> bool:
        if type(other) is not Node:
            return NotImplemented
        if (self.kind, self.keys, self.parts) != (other.kind, other.keys, other.parts):
            return False
        return type(self.keys) is not tuple or all(map(_looks_alike, self.keys, other.keys))

    def __hash__(self) -> int:
        return hash((self.kind, self.keys, self.parts))


def _looks_alike(one: object, other: object) -> bool:
    """Return whether a program cannot tell two equal keys apart, as it can 1, True and (1.0,)."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple) and isinstance(other, tuple):
        return all(map(_looks_alike, one, other))
    return not isinstance(one, (float, complex, frozenset)) or repr(one) == repr(other)


def _is_attrs(kind: type) -> bool:
    return hasattr(kind, "__attrs_attrs__")


def _field_names(kind: type) -> tuple[str, ...]:
    if _is_attrs(kind):
        return tuple(field.name for field in kind.__attrs_attrs__)  # type: ignore[attr-defined]
    return tuple(field.name for field in dataclasses.fields(kind))


def _other_names(value: object, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the attributes besides the fields, without cached properties: these are computed
    again.
    """
    own = getattr(value, "__dict__", names)
    if len(own) <= len(names) and all(name in names for name in own):
        return ()
    others = sorted(name for name in own if name not in names and not name.startswith(NOTE))
    kind = type(value)
    return tuple(n for n in others if not isinstance(getattr(kind, n, None), cached_property))


def children(value: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """Return keys and parts of one level of a structure; None for a leaf.

    >>> children({"a": 1, "b": 2})
    (('a', 'b'), (1, 2))
    """
    kind = type(value)
    if kind is list or kind is tuple or (isinstance(value, tuple) and hasattr(kind, "_fields")):
        return len(value), tuple(value)
    if hasattr(kind, "__tensor_flatten__"):
        parts, description = value.__tensor_flatten__()
        return description, tuple(parts)
    if isinstance(value, dict):
        return tuple(value), tuple(value.values())
    if dataclasses.is_dataclass(kind) or _is_attrs(kind):
        names = _field_names(kind)
        if all(hasattr(value, name) for name in names):
            names += _other_names(value, names)
            return names, tuple(getattr(value, name) for name in names)
    return None


def rebuild(kind: Any, keys: Any, parts: Iterable[Any], like: Any = None) -> Any:
    """Build one level of a structure from its parts; the inverse of `children`.

    `like` is a dict or named tuple of the class that provides all other state, for instance the
    default factory of a defaultdict.
    """
    values = list(parts)
    if kind is list:
        return values
    if kind is tuple:
        return tuple(values)
    if hasattr(kind, "_fields"):
        named = tuple.__new__(kind, values)
        if getattr(like, "__dict__", None):
            named.__dict__.update(like.__dict__)
        return named
    if hasattr(kind, "__tensor_flatten__"):
        return kind.__tensor_unflatten__(keys, values)
    if issubclass(kind, dict):
        return _rebuilt_dict(kind, dict(zip(keys, values, strict=True)), like)
    instance = kind.__new__(kind)
    for name, value in zip(keys, values, strict=True):
        object.__setattr__(instance, name, value)
    return instance


def _rebuilt_dict(kind: Any, entries: Mapping[Any, Any], like: Any) -> Any:
    """Build a dict without the methods of its class, which may be the program's."""
    if kind is dict:
        return dict(entries)
    result = kind.__new__(kind)
    if like is not None and hasattr(like, "__dict__"):
        if like.__dict__ is like:
            result.__dict__ = result
        else:
            result.__dict__.update(like.__dict__)
    if issubclass(kind, defaultdict) and like is not None:
        result.default_factory = like.default_factory
    base: Any = OrderedDict if issubclass(kind, OrderedDict) else dict
    for key, value in entries.items():
        base.__setitem__(result, key, value)
    return result


def flatten(value: object) -> tuple[list[Any], Node | None]:
    """Return the leaves of a structure from left to right, and the structure.

    >>> flatten({"a": [1, 2], "b": 3})[0]
    [1, 2, 3]
    """
    leaves: list[Any] = []
    try:
        return leaves, _flatten_into(value, leaves)
    except RecursionError:
        raise endless(value) from None


def endless(value: object) -> ValueError:
    """Return the error for a structure that contains itself or is nested too deep."""
    path: list[tuple[Any, Iterator[Any]]] = [(None, iter((value,)))]
    around: set[int] = set()
    finished: set[int] = set()
    while path:
        part = next(path[-1][1], path)
        if part is path:
            done = id(path.pop()[0])
            around.discard(done)
            finished.add(done)
            continue
        level = children(part)
        if id(part) in around:
            return ValueError(
                f"a {type(part).__name__} contains itself, so it is not a structure of tensors. "
                "Take that part out, or hold it in an object of a class of your own."
            )
        if level is not None and id(part) not in finished:
            around.add(id(part))
            path.append((part, iter(level[1])))
    return ValueError(f"a {type(value).__name__} is nested too deep to be a structure of tensors")


def _flatten_into(value: object, leaves: list[Any]) -> Node | None:
    level = children(value)
    if level is None:
        leaves.append(value)
        return None
    keys, parts = level
    return Node(type(value), keys, tuple(_flatten_into(part, leaves) for part in parts))


def unflatten(node: Node | None, leaves: Iterable[Any]) -> Any:
    """Return the structure with these leaves.

    >>> leaves, node = flatten((1, [2]))
    >>> unflatten(node, [10, 20])
    (10, [20])
    """
    return _unflatten_from(node, iter(leaves))


def _unflatten_from(node: Node | None, leaves: Iterator[Any]) -> Any:
    if node is None:
        return next(leaves)
    return rebuild(node.kind, node.keys, [_unflatten_from(part, leaves) for part in node.parts])


def filled(value: Any, leaves: Iterator[Any]) -> Any:
    """Return the structure of a value with these leaves, without other state of its objects.

    A dict whose items are its attributes (`self.__dict__ = self`) stays one.
    """
    level = children(value)
    if level is None:
        return next(leaves)
    result = rebuild(type(value), level[0], [filled(part, leaves) for part in level[1]])
    if isinstance(value, dict) and getattr(value, "__dict__", None) is value:
        result.__dict__ = result
    return result


def map_structure(function: Callable[[Any], Any], value: object) -> Any:
    """Return the structure with `function` applied to each leaf.

    >>> map_structure(str, {"a": (1, 2)})
    {'a': ('1', '2')}
    """
    level = children(value)
    if level is None:
        return function(value)
    keys, parts = level
    return rebuild(type(value), keys, [map_structure(function, part) for part in parts], value)


def ordered_like(like: Any, value: Any) -> Any:
    """Return `value` with its dicts in the key order of those in `like`, where the keys are equal.

    >>> ordered_like({"b": 0, "a": [0]}, {"a": [1], "b": 2})
    {'b': 2, 'a': [1]}
    """
    if type(value) is not type(like) or not isinstance(value, (dict, list, tuple)):
        return value
    own, other = children(value), children(like)
    if own is None or other is None:
        return value
    if isinstance(value, dict):
        if set(value) != set(like):
            return value
        parts = [ordered_like(like[key], value[key]) for key in like]
        return rebuild(type(value), tuple(like), parts, value)
    if len(value) != len(like):
        return value
    parts = [ordered_like(a, b) for a, b in zip(like, value, strict=True)]
    return rebuild(type(value), own[0], parts, value)
