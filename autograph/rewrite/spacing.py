"""Insert spaces between a keyword and an expression that lost its parentheses.

>>> from autograph.rewrite.show import show
>>> show('''
... while(a and b):
...     yield(a or b)
... ''', "a, b")
while ag__.and_(a, lambda: b):
    yield ag__.or_(a, lambda: b)

>>> show('''
... match(a and b):
...     case [] if(a or b): pass
... ''', "a, b")
match ag__.items_for_python(ag__.and_(a, lambda: b)):
    case [] if ag__.or_(a, lambda: b): pass

Left alone, because the parentheses stay.
>>> show('''
... while(a):
...     yield(b)
... ''', "a, b")
while(a):
    yield(b)
"""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

import libcst as cst

_Node = TypeVar("_Node", bound=cst.CSTNode)
_UNCHECKED = frozenset({"subject", "guard", "type"})
"""Expressions of `match`, `case` and `except`, whose spaces libcst does not validate."""

_KEYWORDS = (cst.And, cst.Or, cst.Not, cst.In, cst.NotIn, cst.Is, cst.IsNot)


def with_parts(node: _Node, **parts: object) -> _Node:
    """Return a node with other parts, and with the spaces that keywords need beside them."""
    try:
        new = node.with_changes(**parts)
    except cst.CSTValidationError:
        return node.with_changes(**_spaces(node), **parts)
    return new if _UNCHECKED.isdisjoint(parts) else new.with_changes(**_spaces(node))


def _spaces(node: cst.CSTNode) -> dict[str, Any]:
    """The fields of a node that are empty space beside a keyword, as one space."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        if isinstance(value, _KEYWORDS):
            found[field.name] = value.with_changes(**_spaces(value))
        elif isinstance(value, cst.SimpleWhitespace) and not value.value and _is_gap(field.name):
            found[field.name] = cst.SimpleWhitespace(" ")
    return found


def _is_gap(field: str) -> bool:
    if not field.startswith("whitespace") or field == "whitespace_after_test":
        return False
    return not field.endswith(("_colon", "_equal", "_star"))
