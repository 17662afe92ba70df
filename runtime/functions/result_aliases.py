"""Aliases among the parts of a result: a graph returns only those that it knows.

A staged statement may have chosen a list, dict or object of a result. If that is another part of
the result or an object that outlives the function, the caller sees whether the two are one object.
"""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Set
from typing import Any

from autograph.operators.aliases import alternatives_of, may_be, may_hold_items_of
from autograph.operators.moved import is_parted, resolve
from autograph.values import Value
from runtime.core.errors import StagingError
from runtime.core.places import instead_of_return, return_place
from runtime.functions.sharing import parts_with_identity, possible_parts
from runtime.ops.effects.output import raise_when


def copy_in_words(kind: type) -> str:
    """Say how a program copies an object, if a staged statement may have chosen it."""
    if issubclass(kind, (list, dict, set, deque)):
        return f"a copy, for instance {kind.__name__}(x)"
    if issubclass(kind, tuple):
        return f"a new {kind.__name__} with copies of its lists"
    return f"a new {kind.__name__} with the attributes of the other, and copies of its lists"


def refuse_possible_aliases(result: object, known: Set[int], function: Callable[..., Any]) -> None:
    """Raise StagingError if only the running graph knows which parts of a result are one object.

    `known` has the ids of the objects that the caller can reach, too.
    """
    parts = {id(part): part for _, part in parts_with_identity(result)}
    own = parts.keys() | known
    references: list[tuple[Value, Set[int]]] = []
    for part in parts.values():
        refers = getattr(type(part), "__autograph_refers__", None)
        objects = [part] if refers is None else refers(part)
        candidates = [] if refers is None else [*objects]
        for each in objects:
            candidates += [*may_be(each), *may_hold_items_of(each)]
        possible = {id(resolve(each)): each for each in candidates if not is_parted(each)}
        held = {} if refers is None else {id(each): each for each in _held_in(objects)}
        shared = next((each for key, each in (held | possible).items() if key in own), None)
        if shared is not None:
            raise _possibly_shared(part if refers is None else shared)
        if refers is not None:
            references.append((part, possible.keys()))
    for one, other in itertools.combinations(references, 2):
        _refuse_same_parts(one[0], other[0])
        with instead_of_return(return_place(function)):
            _refuse_same(*one, *other)
    own = own.union(*(of_one for _, of_one in references))
    for part in possible_parts(result):
        alternatives = {id(each): each for each in alternatives_of(part)}
        others = [other for each in alternatives.values() for other in may_be(each)]
        if not own.isdisjoint([*alternatives, *map(id, others)]):
            raise _possibly_shared(part)
        own |= alternatives.keys()


def _refuse_same(one: Value, of_one: Set[int], other: Value, of_other: Set[int]) -> None:
    """Raise, when the graph runs, if two references of a result select one object.

    `of_one` and `of_other` are the ids of the objects that each may select, and of their possible
    aliases.
    """
    if of_one.isdisjoint(of_other):
        return
    both = (one, other)
    selected = [{id(resolve(each)) for each in part.__autograph_refers__()} for part in both]
    if selected != [of_one, of_other]:
        raise _possibly_shared(one)
    kind = _kind_of(one)
    error = TypeError(
        f"a {kind.__name__} is two parts of the result, as a staged statement decides, which a "
        f"graph cannot return. Return {copy_in_words(kind)}."
    )
    raise_when(one.__autograph_is__(other), error)


def _refuse_same_parts(one: Value, other: Value) -> None:
    """Raise StagingError if different objects that two references may select share a part."""
    pairs = itertools.product(one.__autograph_refers__(), other.__autograph_refers__())
    for first, second in pairs:
        held = set(map(id, _held_in([first])))
        if first is not second and not held.isdisjoint(map(id, _held_in([second]))):
            raise _possibly_shared(one)


def _held_in(objects: Iterable[Any]) -> list[Any]:
    """Return the lists, dicts and objects that objects may hold, and these themselves."""
    parts = [part for each in objects for _, part in parts_with_identity(each)]
    return [resolve(each) for part in parts for each in (part, *may_be(part))]


def _possibly_shared(part: Value) -> StagingError:
    kind = _kind_of(part)
    return StagingError(
        f"the result holds a {kind.__name__} that may be another part of it, or an object that "
        "outlives the function, as a staged statement decides.",
        remedy=f"Return {copy_in_words(kind)}.",
    )


def _kind_of(part: Value) -> type:
    own = type(part)
    return part.__autograph_type__() if hasattr(own, "__autograph_type__") else own
