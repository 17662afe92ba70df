"""Aliases among the parts of a result: a graph returns only those that it knows.

A staged statement may have chosen a list, dict or object of a result. If that is another part of
the result or an object that outlives the function, the caller sees whether the two are one object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Set

from autograph.operators.aliases import may_be, may_hold_items_of
from autograph.operators.moved import is_parted, resolve
from autograph.values import Value
from runtime.core.errors import StagingError
from runtime.functions.sharing import parts_with_identity, possible_parts


def copy_in_words(kind: type) -> str:
    """Say how a program copies an object, if a staged statement may have chosen it."""
    if issubclass(kind, (list, dict, set, deque)):
        return f"a copy, for instance {kind.__name__}(x)"
    if issubclass(kind, tuple):
        return f"a new {kind.__name__} with copies of its lists"
    return f"a new {kind.__name__} with the attributes of the other, and copies of its lists"


def refuse_possible_aliases(result: object, known: Set[int]) -> None:
    """Raise StagingError if only the running graph knows which parts of a result are one object.

    Args:
      result: the result.
      known: the ids of the objects that the caller can reach, too.
    """
    parts = {id(part): part for _, part in parts_with_identity(result)}
    own = parts.keys() | known
    for part in parts.values():
        possible = [*may_be(part), *may_hold_items_of(part)]
        if any(id(resolve(each)) in own for each in possible if not is_parted(each)):
            raise _possibly_shared(part)
    for part in possible_parts(result):
        alternatives = {id(part), *map(id, may_be(part))}
        if not own.isdisjoint(alternatives):
            raise _possibly_shared(part)
        own |= {id(part)}


def _possibly_shared(part: Value) -> StagingError:
    own = type(part)
    kind = part.__autograph_type__() if hasattr(own, "__autograph_type__") else own
    return StagingError(
        f"the result holds a {kind.__name__} that may be another part of it, or an object that "
        "outlives the function, as a staged statement decides.",
        remedy=f"Return {copy_in_words(kind)}.",
    )
