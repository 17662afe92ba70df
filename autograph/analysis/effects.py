"""Effects of code: names read, assigned and changed in place, and uses of its frame.

Effects refer to one scope: names bound in an inner function, lambda or comprehension are left out;
its free variables count as read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.syntax.stack import any_depth

COMPREHENSIONS_ARE_FUNCTIONS = sys.version_info < (3, 12)
"""Whether the parts of a comprehension run in a frame of their own."""

_LOCALS_READERS = frozenset({"locals", "vars", "dir"})
_EVALUATORS = frozenset({"eval", "exec"})
FRAME_READERS = frozenset({"_getframe", "_getframemodulename", "currentframe"})
"""Functions that read the frame of their caller, from any module."""

_FRAME_READERS_OF = {"inspect": {"stack"}, "warnings": {"warn", "warn_explicit"}}
_FRAME_COUNTERS = frozenset({"_getframe", "_getframemodulename", "stack", "warn"})


@dataclass(slots=True)
class Effects:
    """The effects of code on the names of its scope.

    `rereads` are names that a line of several statements reads after one of them assigned them, in
    place of `reads`. `deletes` are names in `del name`, which are among the `writes`: the variable
    changes. `items` are names in statements `name[i] = value`, `resized` those in `del name[i]` and
    `name += value`, which changes the length of a list; `captured` are names that code running
    later uses; `rebound_by_calls` are names that an inner function assigns through
    `nonlocal`. `conditional` are names that are assigned only where an operand is evaluated, or an
    element of a comprehension; `delayed` are those of operands. `delays` says that operands may
    become functions. `shown` are free variables of inner functions that `reads_locals`.
    """

    reads: set[str] = field(default_factory=set)
    rereads: set[str] = field(default_factory=set)
    writes: dict[str, None] = field(default_factory=dict)
    deletes: set[str] = field(default_factory=set)
    items: dict[str, None] = field(default_factory=dict)
    resized: set[str] = field(default_factory=set)
    captured: set[str] = field(default_factory=set)
    rebound_by_calls: set[str] = field(default_factory=set)
    globals: set[str] = field(default_factory=set)
    nonlocals: set[str] = field(default_factory=set)
    handler_names: set[str] = field(default_factory=set)
    conditional: set[str] = field(default_factory=set)
    delayed: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    calls: bool = False
    delays: bool = False
    suspends: bool = False
    reads_locals: bool = False
    reads_frame: bool = False

    def include(self, other: Effects) -> None:
        """Add the effects of other code of the same scope."""
        self.reads |= other.reads
        self.rereads |= other.rereads
        self.writes |= other.writes
        self.deletes |= other.deletes
        self.items |= other.items
        self.resized |= other.resized
        self.captured |= other.captured
        self.rebound_by_calls |= other.rebound_by_calls
        self.globals |= other.globals
        self.nonlocals |= other.nonlocals
        self.handler_names |= other.handler_names
        self.conditional |= other.conditional
        self.delayed |= other.delayed
        self.shown |= other.shown
        self.calls |= other.calls
        self.delays |= other.delays
        self.suspends |= other.suspends
        self.reads_locals |= other.reads_locals
        self.reads_frame |= other.reads_frame


_SCOPES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)


def own_nodes(body: Sequence[Any]) -> Iterator[Any]:
    """Yield the syntax nodes of a scope, without inner functions and classes."""
    stack = list(body)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, _SCOPES):
            stack.extend(gast.iter_child_nodes(node))


def effects_of(*nodes: object) -> Effects:
    """Return the union of the effects of syntax trees of one scope."""
    visitor = _Visitor()
    for node in nodes:
        if node is not None:
            visitor.visit(node)
    return visitor.effects


def effects_in_order(nodes: Iterable[object]) -> Effects:
    """Return the effects of statements that run one after the other.

    >>> found = effects_in_order(gast.parse("a = b; c = a").body)
    >>> found.reads, found.rereads
    ({'b'}, {'a'})
    """
    total, assigned = Effects(), set[str]()
    for node in nodes:
        found = effects_of(node)
        found.rereads = found.reads & assigned
        found.reads -= assigned
        total.include(found)
        assigned |= found.writes.keys() - found.conditional - found.rebound_by_calls
        assigned -= found.deletes
    return total


def parameters(arguments: gast.AST) -> list[str]:
    """Return the parameter names of a function, in the order of its signature."""
    named = [*arguments.posonlyargs, *arguments.args]
    if arguments.vararg:
        named.append(arguments.vararg)
    named += arguments.kwonlyargs
    if arguments.kwarg:
        named.append(arguments.kwarg)
    return [name.id for name in named]


def reads_frame(name: str | None, owner: str | None) -> bool:
    """Return whether `owner.name(...)` or `name(...)` reads the frame of its caller.

    >>> reads_frame("warn", "warnings"), reads_frame("warn", "logger"), reads_frame("stack", None)
    (True, False, False)
    """
    if name in FRAME_READERS:
        return True
    if owner is None:
        return name in _FRAME_READERS_OF["warnings"]
    return name in _FRAME_READERS_OF.get(owner, ())


def counts_frames(name: str | None, owner: str | None) -> bool:
    """Return whether `owner.name(...)` or `name(...)` takes a number of frames.

    >>> counts_frames("_getframe", "sys"), counts_frames("currentframe", "inspect")
    (True, False)
    """
    return name in _FRAME_COUNTERS and reads_frame(name, owner)


class _Visitor:
    """A visitor of one scope.

    conditional: whether the visited code may be skipped at run time.
    annotates: whether the scope is that of a class, which evaluates the annotations of its names.
    """

    def __init__(self, conditional: bool = False, annotates: bool = False) -> None:
        self.effects = Effects()
        self._annotates = annotates
        self._conditional = conditional
        self._in_operand = False

    def _maybe(self, *nodes: object) -> None:
        before = self._conditional, self._in_operand
        self._conditional = self._in_operand = True
        self.each(nodes)
        self._conditional, self._in_operand = before

    def visit_NamedExpr(self, node: gast.NamedExpr) -> None:
        if self._conditional:
            self.effects.conditional.add(node.target.id)
        if self._in_operand:
            self.effects.delayed.add(node.target.id)
        self.children(node)

    @any_depth
    def visit(self, node: object) -> None:
        method = getattr(self, "visit_" + type(node).__name__, None)
        if method is not None:
            method(node)
        else:
            self.children(node)

    def children(self, node: gast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                self.each(value)
            elif isinstance(value, gast.AST):
                self.visit(value)

    def each(self, nodes: Iterable[Any]) -> None:
        for node in nodes:
            if isinstance(node, gast.AST):
                self.visit(node)

    def visit_Name(self, node: gast.Name) -> None:
        if isinstance(node.ctx, gast.Load):
            self.effects.reads.add(node.id)
        elif isinstance(node.ctx, gast.Del):
            self.effects.deletes.add(node.id)
            self.effects.writes[node.id] = None
        else:
            self.effects.writes[node.id] = None

    def visit_Attribute(self, node: gast.Attribute) -> None:
        self.effects.reads_locals |= node.attr == "f_locals"
        self.children(node)

    def visit_Assign(self, node: gast.Assign) -> None:
        for target in node.targets:
            self._note_items(target)
        self.children(node)

    def _note_items(self, target: object) -> None:
        if isinstance(target, gast.Tuple | gast.List):
            for element in target.elts:
                self._note_items(element)
        elif isinstance(target, gast.Starred):
            self._note_items(target.value)
        else:
            self._note_item(target)

    def visit_AugAssign(self, node: gast.AugAssign) -> None:
        self._note_item(node.target)
        if isinstance(node.target, gast.Name):
            self.effects.reads.add(node.target.id)
            self.effects.resized.add(node.target.id)
        self.children(node)

    def visit_Delete(self, node: gast.Delete) -> None:
        values = (each.value for each in node.targets if isinstance(each, gast.Subscript))
        self.effects.resized |= {each.id for each in values if isinstance(each, gast.Name)}
        self.children(node)

    def _note_item(self, target: object) -> None:
        if isinstance(target, gast.Subscript) and isinstance(target.value, gast.Name):
            self.effects.items[target.value.id] = None
            self.effects.delays = True

    def visit_AnnAssign(self, node: gast.AnnAssign) -> None:
        if node.value is not None or not isinstance(node.target, gast.Name):
            self.visit(node.target)
        if self._annotates:
            self.visit(node.annotation)
        if node.value is not None:
            self.visit(node.value)

    def visit_Call(self, node: gast.Call) -> None:
        self.effects.calls = True
        if _consumes(node):
            self._comprehension(node.args[0], later=False)
            for part in (node.func, *node.args[1:], *node.keywords):
                self.visit(part)
            return
        self._note_frame_sensitive(node)
        self.children(node)

    def _note_frame_sensitive(self, node: gast.AST) -> None:
        function = node.func
        name = function.id if isinstance(function, gast.Name) else getattr(function, "attr", None)
        if isinstance(function, gast.Name):
            alone = not node.args and not node.keywords
            if (name in _LOCALS_READERS and alone) or (
                name in _EVALUATORS and len(node.args) + len(node.keywords) < 2
            ):
                self.effects.reads_locals = True
        if reads_frame(name, getattr(getattr(function, "value", None), "id", None)):
            self.effects.reads_frame = True

    def _suspends(self, node: object) -> None:
        self.effects.suspends = True
        self.children(node)

    visit_Yield = visit_YieldFrom = visit_Await = _suspends

    def visit_BoolOp(self, node: gast.BoolOp) -> None:
        self.effects.delays = True
        self.visit(node.values[0])
        self._maybe(*node.values[1:])

    def visit_IfExp(self, node: gast.IfExp) -> None:
        self.effects.delays = True
        self.visit(node.test)
        self._maybe(node.body, node.orelse)

    def visit_Assert(self, node: gast.Assert) -> None:
        self.effects.delays = True
        self._maybe(node.test, node.msg)

    def visit_Compare(self, node: gast.Compare) -> None:
        self.effects.delays |= len(node.ops) > 1
        self.each([node.left, node.comparators[0]])
        self._maybe(*node.comparators[1:])

    def visit_Global(self, node: gast.Global) -> None:
        self.effects.globals |= set(node.names)

    def visit_Nonlocal(self, node: gast.Nonlocal) -> None:
        self.effects.nonlocals |= set(node.names)

    def visit_Import(self, node: gast.Import) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            self.effects.writes[name] = None

    def visit_ImportFrom(self, node: gast.ImportFrom) -> None:
        for alias in node.names:
            self.effects.writes[alias.asname or alias.name] = None

    def visit_ExceptHandler(self, node: gast.ExceptHandler) -> None:
        if node.name is not None:
            self.effects.handler_names.add(node.name.id)
        self.children(node)

    def visit_MatchAs(self, node: gast.MatchAs) -> None:
        if node.name is not None:
            self.effects.writes[node.name] = None
        self.children(node)

    visit_MatchStar = visit_MatchAs

    def visit_MatchMapping(self, node: gast.MatchMapping) -> None:
        if node.rest is not None:
            self.effects.writes[node.rest] = None
        self.children(node)

    def visit_TypeAlias(self, node: gast.TypeAlias) -> None:
        self.visit(node.name)
        self._type_scope(node, [node.value])

    def visit_FunctionDef(self, node: gast.FunctionDef) -> None:
        self.effects.writes[node.name] = None
        self.each(node.decorator_list)
        self._function(node, [node.returns, *_annotations(node.args)], node.body)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: gast.Lambda) -> None:
        self._function(node, [], [node.body])

    def _function(self, node: gast.AST, annotations: list[Any], body: list[Any]) -> None:
        self.each(node.args.defaults)
        self.each(node.args.kw_defaults)
        inner = effects_of(*body)
        bound = set(parameters(node.args)) | _type_parameters(node)
        self._type_scope(node, annotations)
        self._takes(inner, bound=bound)

    def visit_ClassDef(self, node: gast.ClassDef) -> None:
        self.effects.writes[node.name] = None
        self.each(node.decorator_list)
        self._type_scope(node, [])
        self.each(node.bases)
        self.each(keyword.value for keyword in node.keywords)
        visitor = _Visitor(annotates=True)
        visitor.each(node.body)
        inner = visitor.effects
        self.effects.calls = True
        self.effects.reads |= inner.reads
        self.effects.captured |= inner.captured | inner.nonlocals
        self.effects.rebound_by_calls |= inner.nonlocals & inner.writes.keys()
        self.effects.rebound_by_calls |= inner.rebound_by_calls
        self.effects.shown |= inner.shown

    def _type_scope(self, node: gast.AST, parts: list[Any]) -> None:
        """Visit parts of a definition, and the bounds and defaults of its type parameters."""
        inner = effects_of(*parts, *(getattr(node, "type_params", None) or ()))
        self._takes(inner, bound=_type_parameters(node))

    def _takes(self, inner: Effects, bound: set[str]) -> None:
        """Add the free variables of an inner function."""
        outside = inner.nonlocals | inner.globals
        own = (bound | inner.writes.keys() | inner.deletes) - outside
        # A `nonlocal` needs its variable even if nothing uses it.
        used = ((inner.reads | inner.writes.keys() | inner.nonlocals) - inner.globals) - own
        self.effects.reads |= used
        self.effects.captured |= used | (inner.captured - own)
        self.effects.rebound_by_calls |= inner.nonlocals & inner.writes.keys()
        self.effects.rebound_by_calls |= inner.rebound_by_calls - own
        self.effects.shown |= inner.shown - own
        if inner.reads_locals:
            self.effects.shown |= used

    def visit_ListComp(self, node: object) -> None:
        # Its parts, which may become functions, run in the frame of the function.
        self.effects.delays |= not COMPREHENSIONS_ARE_FUNCTIONS
        self._comprehension(node, later=False)

    def visit_SetComp(self, node: object) -> None:
        self._comprehension(node, later=isinstance(node, gast.GeneratorExp))

    visit_DictComp = visit_GeneratorExp = visit_SetComp

    def _comprehension(self, node: gast.AST, later: bool) -> None:
        """Visit a comprehension: its first iterable and its `:=` belong to the enclosing scope."""
        first = node.generators[0]
        self.visit(first.iter)
        inner = _Visitor(conditional=True)
        for generator in node.generators:
            inner.visit(generator.target)
            if generator is not first:
                inner.visit(generator.iter)
            inner.each(generator.ifs)
        targets = set(inner.effects.writes) - _walrus_targets(node)
        for name in ("key", "value", "elt"):
            part = getattr(node, name, None)
            if part is not None:
                inner.visit(part)
        found = inner.effects
        used = found.reads - targets
        self.effects.reads |= used
        if later:
            self.effects.captured |= used
        self.effects.captured |= found.captured - targets
        self.effects.writes |= dict.fromkeys(found.writes.keys() - targets)
        self.effects.conditional |= found.conditional
        if self._in_operand:
            self.effects.delayed |= found.conditional
        self.effects.rebound_by_calls |= found.rebound_by_calls
        self.effects.shown |= found.shown - targets
        self.effects.calls |= found.calls
        self.effects.delays |= found.delays
        is_async = any(generator.is_async for generator in node.generators)
        self.effects.suspends |= found.suspends or is_async
        self.effects.reads_locals |= found.reads_locals
        self.effects.reads_frame |= found.reads_frame


_CONSUMERS = frozenset(
    {"all", "any", "dict", "frozenset", "list", "max", "min", "set", "sorted", "sum", "tuple"}
)


def _consumes(call: gast.AST) -> bool:
    """Return whether a call exhausts its generator expression immediately."""
    if not call.args or not isinstance(call.args[0], gast.GeneratorExp):
        return False
    function = call.func
    if isinstance(function, gast.Attribute):
        return function.attr == "join" and isinstance(function.value, gast.Constant)
    return isinstance(function, gast.Name) and function.id in _CONSUMERS


def _walrus_targets(node: object) -> set[str]:
    return {
        inner.target.id
        for inner in gast.walk(node)
        if isinstance(inner, gast.NamedExpr) and isinstance(inner.target, gast.Name)
    }


def _annotations(arguments: gast.AST) -> list[Any]:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    named += [name for name in (arguments.vararg, arguments.kwarg) if name is not None]
    return [name.annotation for name in named if name.annotation is not None]


def _type_parameters(node: object) -> set[str]:
    return {parameter.name for parameter in getattr(node, "type_params", None) or ()}
