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

What the module has, or every instance of the class, is not partial. Nor is what is assigned
outside of blocks.
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
... def grow(x, box: Box):
...     other = Box()
...     if x > 0:
...         other.v = box.v = x
... ''')
[]

An object whose class the text does not show may be of one that does not have it.
>>> names_of('''
... class Box:
...     def __init__(self):
...         self.v = 0
... def grow(x, box):
...     if x > 0:
...         box.v = x
... ''')
['.v']
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import gast

_FUNCTIONS = frozenset({"FunctionDef", "AsyncFunctionDef", "Lambda"})
_BLOCKS = frozenset(
    {
        "If", "For", "AsyncFor", "While", "Try", "TryStar", "Match",
        "IfExp", "BoolOp", "ListComp", "SetComp", "DictComp", "GeneratorExp",
    }
)  # fmt: skip
"""Statements and expressions whose parts may not run."""

_LEAVES = frozenset({"Constant", "Load", "Store", "Del"})
"""Nodes without parts that do nothing: most nodes of a table of data."""

_MODULE = ""
"""Code outside of functions."""


class _Assigned(NamedTuple):
    """What code assigns: a global, or as `.name` an attribute with the class of its object.

    The class is empty if the text does not show it.
    """

    name: str
    owner: str = ""


@dataclass
class _Function:
    """What the functions of one name assign, delete and call, in blocks and outside of them."""

    assigned: set[_Assigned] = field(default_factory=set)
    assigned_in_block: set[_Assigned] = field(default_factory=set)
    deleted: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)
    called_in_block: set[str] = field(default_factory=set)

    def include(self, node: gast.AST, place: _Place) -> None:
        """Add what a node does."""
        kind = type(node).__name__
        assigned = self.assigned_in_block if place.in_block else self.assigned
        if kind == "Call":
            name = _name_of(node.func)
            (self.called_in_block if place.in_block else self.called).add(name)
            if name == "setattr" and len(node.args) == 3:
                given = getattr(node.args[1], "value", None)
                if isinstance(given, str):
                    assigned.add(place.attribute(node.args[0], given))
        elif kind == "Attribute" and _is(node.ctx, "Store"):
            assigned.add(place.attribute(node.value, node.attr))
        elif kind == "Name" and _is(node.ctx, "Store"):
            assigned.add(_Assigned(node.id))
        elif kind in ("Attribute", "Name") and _is(node.ctx, "Del"):
            self.deleted.add(f".{node.attr}" if kind == "Attribute" else node.id)


@dataclass(frozen=True)
class _Place:
    """Where a node is.

    Args:
      function: the name of the function.
      in_block: whether the node may not run when the function does.
      owners: from variables of the function to the names of their classes.
      owner: the class around a function; empty elsewhere.
    """

    function: str = _MODULE
    in_block: bool = False
    owners: Mapping[str, str] = field(default_factory=dict)
    owner: str = ""

    def attribute(self, owner: gast.AST, name: str) -> _Assigned:
        """Return what the assignment of an attribute assigns."""
        return _Assigned(f".{name}", self.owners.get(getattr(owner, "id", ""), ""))

    def inside(self, node: Any) -> _Place:
        """Return the place of the parts of a node."""
        kind = type(node).__name__
        if kind == "ClassDef":
            return replace(self, owner=node.name)
        if kind == "Lambda":
            return replace(self, function="<lambda>", in_block=True, owner="")
        if kind in _FUNCTIONS:
            owners = {**self.owners, **_owners(node, self.owner)}
            return _Place(node.name, owners=owners)
        return self if self.in_block or kind not in _BLOCKS else replace(self, in_block=True)


def partial_names(module: object) -> frozenset[str]:
    """Return the globals, and as `.name` the attributes, that code may find unassigned.

    These are deleted by a function, or assigned in blocks only; functions that are called in a
    block belong to it. What the module, or the class of the object or its `__init__`, assigns is
    excluded.

    Args:
      module: its syntax tree, of `ast` or `gast`.
    """
    functions: dict[str, _Function] = {_MODULE: _Function(), "__init__": _Function()}
    named: set[str] = set()
    classes: dict[str, Any] = {}
    for node, place in _nodes(module):
        functions.setdefault(place.function, _Function()).include(node, place)
        if _is(node, "Global"):
            named.update(node.names)
        elif _is(node, "ClassDef"):
            classes[node.name] = node
    always = functions.pop(_MODULE).assigned | functions["__init__"].assigned
    for node in classes.values():
        always |= {_Assigned(f".{name}", node.name) for name in _class_names(node)}
    names = {name for each in functions.values() for name in each.deleted}
    names |= {
        each.name
        for each in _assigned_in_blocks(functions)
        if always.isdisjoint(_inherited(each, classes))
    }
    return frozenset(each for each in names if each[0] == "." or each in named)


def _nodes(module: object) -> Iterator[tuple[Any, _Place]]:
    waiting = [(module, _Place())]
    while waiting:
        node, place = waiting.pop()
        yield node, place
        inside = place.inside(node)
        parts = (each for each in _parts(node) if type(each).__name__ not in _LEAVES)
        waiting += ((each, inside) for each in parts)


def _parts(node: Any) -> Iterator[Any]:
    """Yield the parts of a node, without an augmented target: its value is read first."""
    if not _is(node, "AugAssign"):
        yield from ast.iter_child_nodes(node)
        return
    yield node.value
    yield from ast.iter_child_nodes(node.target)


def _owners(function: Any, owner: str) -> dict[str, str]:
    """Return the classes of variables, by name, where the text shows them.

    These are the object of a method, parameters with an annotation, and variables that are bound
    once, to a new object.

    Args:
      owner: the class that the function is a method of, or "".
    """
    parameters = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    owners = {_name_of(each): _name_of(getattr(each, "annotation", None)) for each in parameters}
    if owner and parameters and "staticmethod" not in map(_name_of, function.decorator_list):
        owners[_name_of(parameters[0])] = owner
    bindings = Counter(owners.keys())
    nodes: Iterator[Any] = ast.walk(function)
    for node in nodes:
        if _is(node, "Name") and _is(node.ctx, "Store"):
            bindings[node.id] += 1
        elif _is(node, "Assign") and _is(node.value, "Call"):
            owners[_name_of(node.targets[0])] = _name_of(node.value.func)
    return {name: found if bindings[name] == 1 else "" for name, found in owners.items()}


def _inherited(assigned: _Assigned, classes: Mapping[str, Any]) -> Iterator[_Assigned]:
    """Yield an attribute of each class of the module that an object has it from."""
    waiting = {assigned.owner}
    done: set[str] = set()
    while waiting:
        owner = waiting.pop()
        yield assigned._replace(owner=owner)
        done.add(owner)
        waiting |= {_name_of(each) for each in getattr(classes.get(owner), "bases", ())} - done


def _is(node: object, kind: str) -> bool:
    """Return whether a node, of `ast` or `gast`, is of a class."""
    return type(node).__name__ == kind


def _name_of(node: object) -> str:
    """Return the name of a variable, parameter, attribute or annotation; else ""."""
    names = (getattr(node, each, None) for each in ("id", "attr", "arg", "value"))
    return next((each for each in names if isinstance(each, str)), "")


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


def _assigned_in_blocks(functions: Mapping[str, _Function]) -> set[_Assigned]:
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
