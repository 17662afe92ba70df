"""May-alias analysis for lists and dicts.

A staged statement may change the length of a list. Then another object holds the items, and every
name of the list must refer to that object, also a name outside of the statement.

>>> import gast
>>> body = gast.parse("a = []\\nb = a\\nrows = [b]\\na.append(1)\\ny = x").body
>>> shared = SharedLists.of(body, frozenset({"a", "b", "rows", "x", "y"}))
>>> sorted(shared.names), sorted(shared.others({"a"})), sorted(shared.others({"rows"}))
(['a', 'b', 'rows'], ['b', 'rows'], [])
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.analysis.effects import own_nodes

BUILTINS = frozenset(dir(builtins))
_RESIZING = frozenset(
    {"append", "extend", "insert", "pop", "remove", "clear", "update", "setdefault", "popitem",
     "appendleft", "extendleft", "popleft", "add", "discard", "difference_update"}
)  # fmt: skip
_MAKERS = frozenset({"list", "dict", "sorted", "deque", "set"})
_DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)


@dataclass(frozen=True, slots=True)
class SharedLists:
    """The possible aliases of lists and dicts in a function.

    names: variables that may lead to one, or to a tuple; `.name` for an attribute, `name[]` for the
      items of one, `name()` for an object that a class makes, judging by its capital letter.
    groups: for each of these, the variables that may hold the same one, or hold it in an item or
      an attribute.
    given: variables with a list or dict of this function that other functions get as an argument,
      and may lengthen or shorten.
    """

    names: frozenset[str] = frozenset()
    groups: Mapping[str, frozenset[str]] = field(default_factory=dict)
    given: frozenset[str] = frozenset()

    @classmethod
    def of(cls, body: Sequence[Any], own: frozenset[str]) -> SharedLists:
        """Analyze a function body, for its own variables."""
        found = _Found()
        for node in own_nodes(body):
            found.visit(node)
        same, inside = _closure(found.same), _closure(found.holders)
        lists = {other for name in found.lists for other in same.get(name, {name})} & own
        tuples = {other for name in found.tuples for other in same.get(name, {name})} & own
        parts = {name for name in found.lists if not name.isidentifier()}
        groups = {}
        for name in lists:
            aliases = same.get(name, {name})
            holders = {each for alias in aliases for each in inside.get(alias, ())}
            groups[name] = frozenset({*aliases, *holders} & own)
        shared = {name: group for name, group in groups.items() if group != {name}}
        names = frozenset(parts | tuples).union(*groups.values())
        return cls(names, shared, frozenset(found.given & lists))

    def others(self, names: Iterable[str]) -> set[str]:
        """Return further variables that may refer to a list or dict of these variables."""
        names = set(names)
        return {other for name in names for other in self.groups.get(name, ())} - names


def _closure(edges: Mapping[str, set[str]]) -> dict[str, set[str]]:
    """Return the reflexive transitive closure of a graph."""
    reached: dict[str, set[str]] = {}
    for start in edges:
        seen, waiting = {start}, [start]
        while waiting:
            new = edges.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        reached[start] = seen
    return reached


class _Found:
    """The facts collected from the text.

    lists: variables that are assigned a list or dict, or resized like one, as `SharedLists.names`.
    tuples: variables that are assigned a tuple.
    same: for a variable, others that it is assigned to or from.
    holders: for a variable, others that are given what it holds, as an item or an attribute.
    given: arguments of functions.
    """

    def __init__(self) -> None:
        self.lists: set[str] = set()
        self.tuples: set[str] = set()
        self.same: dict[str, set[str]] = {}
        self.holders: dict[str, set[str]] = {}
        self.given: set[str] = set()

    def visit(self, node: object) -> None:
        """Record the facts of one node."""
        if isinstance(node, gast.Attribute) and node.attr in _RESIZING:
            self._note_list(node.value)
        elif isinstance(node, gast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
            first, *others = node.targets
            for other in others:
                if isinstance(first, gast.Name) and isinstance(other, gast.Name):
                    self._link(first.id, other.id)
        elif isinstance(node, gast.AnnAssign | gast.NamedExpr) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, gast.Call):
            self._call(node)

    def _call(self, node: gast.Call) -> None:
        function = node.func
        if isinstance(function, gast.Attribute):
            for argument in node.args:
                self._hold(function.value, argument)
            if function.attr in _RESIZING:
                return
        elif isinstance(function, gast.Name) and function.id in BUILTINS:
            return
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        self.given |= {each.id for each in arguments if isinstance(each, gast.Name)}

    def _note_list(self, node: object) -> None:
        key = _key_of(node)
        if key is not None:
            self.lists.add(key)

    def _assign(self, target: object, value: object) -> None:
        if isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
            for each, part in zip(target.elts, value.elts, strict=False):
                self._assign(each, part)
        elif not isinstance(target, gast.Name):
            if _makes(value):
                self._note_list(target)
            self._hold(target, value)
        else:
            self._bind(target, value)

    def _bind(self, target: gast.Name, value: gast.AST) -> None:
        if _makes(value):
            self._note_list(target)
        if _makes_tuple(value):
            self.tuples.add(target.id)
        if isinstance(value, gast.Call) and is_class_name(_key_of(value.func)):
            self.lists.add(f"{target.id}()")
        if isinstance(value, _DISPLAYS) and any(map(_makes, gast.iter_child_nodes(value))):
            self.lists.add(f"{target.id}[]")
        for part, is_inside in _parts(value):
            name = _base(part)
            if name is None:
                continue
            if isinstance(part, gast.Name) and not is_inside:
                self._link(target.id, name)
            elif is_inside:
                self.holders.setdefault(name, set()).add(target.id)
            else:
                self.holders.setdefault(target.id, set()).add(name)

    def _link(self, one: str, other: str) -> None:
        self.same.setdefault(one, set()).add(other)
        self.same.setdefault(other, set()).add(one)

    def _hold(self, holder: object, value: object) -> None:
        """Record that an object stores a value."""
        into = _base(holder)
        for part, _ in _parts(value):
            if into is not None and isinstance(part, gast.Name):
                self.holders.setdefault(part.id, set()).add(into)


def _key_of(node: object) -> str | None:
    """Return the key in `SharedLists.names` of a variable, attribute or item."""
    if isinstance(node, gast.Attribute):
        return f".{node.attr}"
    if isinstance(node, gast.Subscript):
        return f"{node.value.id}[]" if isinstance(node.value, gast.Name) else None
    return node.id if isinstance(node, gast.Name) else None


def _makes(value: object) -> bool:
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
        return isinstance(value.left, gast.List) or isinstance(value.right, gast.List)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Name):
        return value.func.id in _MAKERS
    return isinstance(value, _DISPLAYS)


def is_class_name(name: str | None) -> bool:
    """Return whether a name, or `.name` of an attribute, is written as that of a class.

    >>> is_class_name("Card"), is_class_name("._Card"), is_class_name("card")
    (True, True, False)
    """
    return name is not None and name.lstrip("._")[:1].isupper()


def _makes_tuple(value: object) -> bool:
    if isinstance(value, gast.Call):
        function = value.func
        if isinstance(function, gast.Attribute):
            return bool(function.attr == "_replace")  # of a named tuple
        return isinstance(function, gast.Name) and function.id == "tuple"
    return isinstance(value, gast.Tuple)


def _base(node: object) -> str | None:
    """Return the variable in `name`, `name.attribute` or `name[item]`."""
    while isinstance(node, gast.Attribute | gast.Subscript):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def _parts(value: object) -> Iterator[tuple[Any, bool]]:
    """Yield the possible values of an expression, and display items; the flag marks items."""
    waiting = [(value, False)]
    while waiting:
        each, is_inside = waiting.pop()
        if isinstance(each, gast.List | gast.Tuple):
            waiting += [(element, True) for element in each.elts]
        elif isinstance(each, gast.Dict):
            waiting += [(element, True) for element in each.values]
        elif isinstance(each, gast.BoolOp):
            waiting += [(operand, is_inside) for operand in each.values]
        elif isinstance(each, gast.IfExp):
            waiting += [(each.body, is_inside), (each.orelse, is_inside)]
        elif isinstance(each, gast.NamedExpr):
            waiting.append((each.value, is_inside))
        elif isinstance(each, gast.Call) and isinstance(each.func, gast.Name):
            # It may be a class whose objects store the arguments.
            if each.func.id not in BUILTINS:
                waiting += [(argument, True) for argument in each.args]
        else:
            yield each, is_inside
