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

    Raises:
      StagingError: for a structure that contains itself.

    >>> resolved([1, {"a": 2}])
    [1, {'a': 2}]
    """
    try:
        return without_references(value)
    except RecursionError:
        raise StagingError(str(endless(value)), public=ValueError) from None


def without_references(value: Any) -> Any:
    """Return the value, or a copy with copies in place of the references; see `resolved`."""
    copied = getattr(type(value), "__autograph_copied__", None)
    if copied is not None:
        return copied(value)
    if type(value) in (list, tuple):
        items = [without_references(item) for item in value]
        return value if all(map(is_, items, value)) else type(value)(items)
    if type(value) is dict:
        items = [without_references(item) for item in value.values()]
        same = all(map(is_, items, value.values()))
        return value if same else dict(zip(value, items, strict=True))
    if is_one_of(value):
        return value.__autograph_with__(map(without_references, value.__autograph_values__))
    return value
