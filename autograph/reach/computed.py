"""Names of attributes that code computes, as in `getattr(x, name)`."""

from __future__ import annotations

import ast
import functools
import linecache
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CodeType

from autograph.code_objects import code_objects, names_in
from autograph.syntax import grammar

_COMPUTING = frozenset(
    {"getattr", "globals", "hasattr", "vars", "attrgetter", "methodcaller", "__dict__",
     "__getattribute__"}
)  # fmt: skip
"""Names of functions that read attributes or globals by computed names."""

_ASKING = ("getattr", "hasattr")
"""Those that get the name of an attribute as their second argument."""


@dataclass(frozen=True)
class Asked:
    """The names that code passes to `getattr` and `hasattr`.

    Attributes:
      names: the constants.
      variables: global variables that hold names.
    """

    names: frozenset[str]
    variables: frozenset[str]


@functools.lru_cache(maxsize=1 << 16)
def names_asked_for(code: CodeType) -> Asked | None:
    """Return the names that code passes to `getattr` and `hasattr`; None if it computes a name.

    None, too, if the text of the code is not known.

    >>> names_asked_for(compile("x.rate", "", "eval"))
    Asked(names=frozenset(), variables=frozenset())
    """
    if _COMPUTING.isdisjoint(names_in(code)):
        return Asked(frozenset(), frozenset())
    inside = list(code_objects(code))
    last = max(line for each in inside for *_, line in each.co_lines() if line)
    text = "".join(linecache.getlines(code.co_filename))
    asked = [name for line, name in _asked_in(text) if code.co_firstlineno <= line <= last]
    known = {name for name in asked if name is not None}
    names = frozenset(name for name, is_variable in known if not is_variable)
    variables = frozenset(name for name, is_variable in known if is_variable)
    local = {
        name
        for each in inside
        for name in (*each.co_varnames, *each.co_cellvars, *each.co_freevars)
    }
    if not asked or None in asked or not variables.isdisjoint(local):
        return None
    return Asked(names, variables)


Named = tuple[str, bool]
"""The name that code passes, or the variable that holds it; and whether it is a variable."""


@functools.lru_cache(maxsize=512)
def _asked_in(text: str) -> tuple[tuple[int, Named | None], ...]:
    """Return the lines of a text that read attributes by `_COMPUTING`, with the names."""
    try:
        module = grammar.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    nodes = list(ast.walk(module))
    known = {id(call.func): name for call, name in _calls_with_names(nodes)}
    return tuple(
        (node.lineno, known.get(id(node)))
        for node in nodes
        if (isinstance(node, ast.Name) and node.id in _COMPUTING)
        or (isinstance(node, ast.Attribute) and node.attr in _COMPUTING)
        or (isinstance(node, ast.alias) and node.name in _COMPUTING)
    )


def _calls_with_names(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.Call, Named]]:
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        name = node.args[1] if node.func.id in _ASKING and len(node.args) > 1 else None
        if isinstance(name, ast.Name):
            yield node, (name.id, True)
        elif isinstance(name, ast.Constant) and isinstance(name.value, str):
            yield node, (name.value, False)
