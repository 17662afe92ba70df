"""Results of functions: copies of the lists and dicts that references select."""

from __future__ import annotations

from operator import is_
from typing import Any

from autograph.staging import is_one_of
from runtime.core.errors import StagingError
from runtime.core.structure import endless


def resolved(value: object) -> Any:
    """Replace references in the result of a function by copies of the selected lists and dicts.

    A reference has a method `__autograph_copied__`.

    Raises: StagingError for a structure that contains itself.

    >>> resolved([1, {"a": 2}])
    [1, {'a': 2}]
    """
    try:
        return without_references(value)
    except RecursionError:
        raise StagingError(str(endless(value)), public=ValueError) from None


def without_references(value: Any, copies: dict[int, Any] | None = None) -> Any:
    """Return the value, or a copy with copies in place of the references; see `resolved`.

    `copies` are the lists and dicts copied so far, by id: one object stays one.
    """
    copies = {} if copies is None else copies
    if id(value) in copies:
        return copies[id(value)]
    copied = getattr(type(value), "__autograph_copied__", None)
    if copied is not None:
        copies[id(value)] = copied(value)
        return copies[id(value)]
    if is_one_of(value):
        items = [without_references(each, copies) for each in value.__autograph_values__]
        same = all(map(is_, items, value.__autograph_values__))
        return value if same else value.__autograph_with__(items)
    if type(value) not in (list, tuple, dict):
        return value
    held = value.values() if type(value) is dict else value
    items = [without_references(item, copies) for item in held]
    if all(map(is_, items, held)):
        return value
    result = dict(zip(value, items, strict=True)) if type(value) is dict else type(value)(items)
    copies[id(value)] = result
    return result
