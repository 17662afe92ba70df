"""Attributes and globals that a program may not have assigned when it reads them.

>>> import ast
>>> names_of = lambda text: sorted(partial_names(ast.parse(text)))
>>> names_of('''
... def f(x, box):
...     global seen
...     if x > 0:
...         seen = box.v = x
...     return box.v
... ''')
['.v', 'seen']

So is one that a function assigns which is called in a block.
>>> names_of('''
... def put(box):
...     box.v = 1
... def f(x, box):
...     if x > 0:
...         put(box)
... ''')
['.v']

What every instance or the module has, or what is assigned outside of blocks, is not partial.
>>> names_of('''
... seen = 0
... class Box:
...     size = 0
...     def __init__(self):
...         self.v = 0
...     def grow(self, x):
...         global seen
...         self.w = x
...         if x > 0:
...             seen = self.size = self.v
... ''')
[]
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import gast

_FUNCTIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "Lambda"})
_BLOCKS = frozenset(
    {
        "If", "For", "AsyncFor", "While", "Try", "TryStar", "Match",
        "IfExp", "BoolOp", "ListComp", "SetComp", "DictComp", "GeneratorExp",
    }
)  # fmt: skip
"""Statements and expressions whose parts may not run."""

_MODULE = ""
"""Code outside of functions."""


@dataclass
class _Function:
    """What the functions of one name assign, delete and call, in blocks and outside of them."""

    assigned: set[str] = field(default_factory=set)
    assigned_in_block: set[str] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    called_in_block: set[str] = field(default_factory=set)

    def include(self, node: gast.AST, in_block: bool) -> None:
        """Add what a node does."""
        kind = type(node).__name__
        assigned = self.assigned_in_block if in_block else self.assigned
        if kind == "Call":
            name = _name_of(node.func)
            (self.called_in_block if in_block else self.called).add(name)
            if name == "setattr" and len(node.args) == 3:
                assigned.add(f".{getattr(node.args[1], 'value', '')}")
        elif kind in ("Attribute", "Name"):
            changes = {"Store": assigned, "Del": self.deleted}.get(type(node.ctx).__name__)
            if changes is not None:
                changes.add(f".{node.attr}" if kind == "Attribute" else node.id)


def partial_names(module: object) -> frozenset[str]:
    """Return the globals, and as `.name` the attributes, that code may find unassigned.

    These are deleted by a function, or assigned in blocks only; functions that are called in a
    block belong to it. What the module, a class or its `__init__` assigns is excluded.

    Args:
      module: its syntax tree, of `ast` or `gast`.
    """
    functions: dict[str, _Function] = {}
    named: set[str] = set()
    always: set[str] = set()
    for name, node, in_block in _nodes(module):
        functions.setdefault(name, _Function()).include(node, in_block)
        kind = type(node).__name__
        if kind == "Global":
            named.update(node.names)
        elif kind == "ClassDef":
            always.update(f".{each}" for each in _class_names(node))
    for name in functions.keys() & {"__init__", _MODULE}:
        always |= functions[name].assigned
    functions.pop(_MODULE)
    deleted = {each for function in functions.values() for each in function.deleted}
    partial = deleted | (_assigned_in_blocks(functions) - always)
    return frozenset(each for each in partial if each[0] == "." or each in named)


def _nodes(module: object) -> Iterator[tuple[str, Any, bool]]:
    """Yield each node, with the name of its function and whether it is in a block."""
    waiting: list[tuple[str, Any, bool]] = [(_MODULE, module, False)]
    while waiting:
        name, node, in_block = waiting.pop()
        yield name, node, in_block
        kind = type(node).__name__
        if kind in _FUNCTIONS:
            name, in_block = getattr(node, "name", "<lambda>"), kind == "Lambda"
        in_block = in_block or kind in _BLOCKS
        waiting += ((name, each, in_block) for each in ast.iter_child_nodes(node))


def _name_of(function: object) -> str:
    return getattr(function, "id", None) or getattr(function, "attr", None) or ""


def _class_names(node: gast.AST) -> Iterator[str]:
    """Yield the names that the body of a class binds, besides cached properties.

    What a block assigns to one of these is read in place of what the property computes.
    """
    for statement in node.body:
        decorators = getattr(statement, "decorator_list", None)
        if decorators is not None and not any(map(_is_cached, decorators)):
            yield statement.name
        targets = getattr(statement, "targets", [getattr(statement, "target", None)])
        yield from (target.id for target in targets if hasattr(target, "id"))


def _is_cached(decorator: object) -> bool:
    return _name_of(decorator) == "cached_property"


def _assigned_in_blocks(functions: dict[str, _Function]) -> set[str]:
    found = {name for each in functions.values() for name in each.assigned_in_block}
    pending = {name for each in functions.values() for name in each.called_in_block}
    done: set[str] = set()
    while pending:
        name = pending.pop()
        done.add(name)
        if name in functions:
            found |= functions[name].assigned
            pending |= functions[name].called - done
    return found
