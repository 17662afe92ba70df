"""The scope of a function: its own names, and facts about the others.

>>> import gast
>>> tree = gast.parse("def f(x):\\n    y = x\\n    def g(): return y\\n    return g").body[0]
>>> scope = FunctionScope.of(tree, FunctionScope.outside(ModuleNames()))
>>> sorted(scope.own), sorted(scope.captured), sorted(scope.local_functions)
(['g', 'x', 'y'], ['y'], ['g'])
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import gast

from autograph.analysis.aliases import BUILTINS, SharedLists
from autograph.analysis.effects import Effects, effects_of, own_nodes, parameters
from autograph.analysis.partial import partial_names
from autograph.conversion.libraries import LEFT_ALONE

PLAIN_ROOTS = (frozenset(sys.stdlib_module_names) - {"bisect", "heapq", "itertools"}) | LEFT_ALONE
"""Top-level modules whose functions are never converted."""


@dataclass(frozen=True, slots=True)
class ModuleNames:
    """Facts about the module-level names.

    bound: names that the module binds, so that a built-in function of that name is hidden.
    converted: functions and classes that the same conversion converts, but for those that may
      call themselves, by whatever way: their calls go through an operator, which notices.
    plain: names of modules, or of things from modules, that are never converted.
    assigned: names that functions assign, declared `global`.
    partial: globals, and as `.name` attributes, that may be unassigned where they are read.
    annotates: whether annotations are evaluated, not only kept as text.
    """

    bound: frozenset[str] = frozenset()
    converted: frozenset[str] = frozenset()
    plain: frozenset[str] = frozenset()
    assigned: frozenset[str] = frozenset()
    partial: frozenset[str] = frozenset()
    annotates: bool = True

    @classmethod
    def of(cls, module: gast.AST) -> ModuleNames:
        """Analyze the top level of a module."""
        imports: dict[str, bool] = {}
        for statement in _top_level(module.body):
            if isinstance(statement, gast.Import | gast.ImportFrom):
                for name, plain in _imported(statement):
                    imports[name] = plain and imports.get(name, True)
        effects = effects_of(*module.body)
        counts = Counter(_bindings(module.body))
        once = {name for name, count in counts.items() if count == 1}
        definitions = {
            statement.name: statement
            for statement in module.body
            if isinstance(statement, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef)
            and not statement.decorator_list
        }
        changed = _declared_global(module)
        return cls(
            frozenset(effects.writes),
            frozenset((definitions.keys() & once) - changed - _recursive(definitions)),
            frozenset({name for name, plain in imports.items() if plain} - changed),
            frozenset(changed),
            partial_names(module),
            not any(map(_keeps_annotations, module.body)),
        )


def _keeps_annotations(statement: gast.AST) -> bool:
    """Return whether a statement is `from __future__ import annotations`."""
    return (
        isinstance(statement, gast.ImportFrom)
        and statement.module == "__future__"
        and any(alias.name == "annotations" for alias in statement.names)
    )


def _recursive(definitions: dict[str, Any]) -> set[str]:
    """Return the definitions on a call cycle, or on a path between two cycles."""
    calls = {
        name: {
            node.id
            for node in gast.walk(statement)
            if isinstance(node, gast.Name) and node.id in definitions
        }
        for name, statement in definitions.items()
    }
    callers: dict[str, set[str]] = {name: set() for name in calls}
    for name, called in calls.items():
        for each in called:
            callers[each].add(name)
    return definitions.keys() - _without_cycle(calls, callers) - _without_cycle(callers, calls)


def _without_cycle(after: dict[str, set[str]], before: dict[str, set[str]]) -> set[str]:
    """Return the nodes of a graph with no path to a cycle."""
    open_ways = {name: len(nodes) for name, nodes in after.items()}
    pending = [name for name, count in open_ways.items() if not count]
    found: set[str] = set()
    while pending:
        name = pending.pop()
        found.add(name)
        for other in before[name]:
            open_ways[other] -= 1
            if not open_ways[other]:
                pending.append(other)
    return found


def _top_level(statements: Sequence[Any]) -> Iterator[Any]:
    """Yield the statements of the module scope, also those in `if` and `try`."""
    waiting = [*statements][::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        waiting += reversed(_parts(statement))


def _parts(statement: object) -> list[Any]:
    """Return the statements in an `if`, `try` or `with`."""
    if not isinstance(statement, gast.If | gast.Try | gast.With):
        return []
    blocks = [getattr(statement, name, ()) for name in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(statement, "handlers", ())]
    return [each for block in blocks for each in block]


def _bindings(statements: Sequence[Any]) -> Iterator[str]:
    for statement in _top_level(statements):
        if not isinstance(statement, gast.If | gast.Try | gast.With):
            yield from effects_of(statement).writes


def _imported(statement: gast.AST) -> Iterator[tuple[str, bool]]:
    if isinstance(statement, gast.ImportFrom):
        plain = not statement.level and _is_plain(statement.module)
        for alias in statement.names:
            yield alias.asname or alias.name, plain
    else:
        for alias in statement.names:
            yield alias.asname or alias.name.partition(".")[0], _is_plain(alias.name)


def _is_plain(module: str | None) -> bool:
    return module is not None and module.partition(".")[0] in PLAIN_ROOTS


def _declared_global(module: object) -> set[str]:
    found: set[str] = set()
    for node in gast.walk(module):
        if isinstance(node, gast.Global):
            found.update(node.names)
    return found


@dataclass(slots=True)
class FunctionScope:
    """The names of one function, without inner functions.

    local_functions: functions that are defined in this very scope. Those of scopes around it may
      be calling the function that calls them, so that their calls have to be noticed.
    certain: parameters of which the trace knows whether they are None.
    tested: variables that the function tests for None.
    ending: variables that end a loop where they are None.
    """

    parameters: list[str]
    own: frozenset[str]
    globals: frozenset[str]
    nonlocals: frozenset[str]
    captured: frozenset[str]
    rebound_by_calls: frozenset[str]
    local_functions: frozenset[str]
    containers: frozenset[str]
    handler_names: frozenset[str]
    reads_locals: bool
    outer: ModuleNames
    hidden: frozenset[str]
    certain: frozenset[str] = frozenset()
    tested: frozenset[str] = frozenset()
    ending: frozenset[str] = frozenset()
    keyed: frozenset[str] = frozenset()
    shared: SharedLists = field(default_factory=SharedLists)

    @classmethod
    def of(cls, function: gast.AST, enclosing: FunctionScope) -> FunctionScope:
        """Analyze a `def`, `async def` or lambda."""
        body = function.body if isinstance(function.body, list) else [function.body]
        effects = effects_of(*body)
        named = parameters(function.args)
        outside = effects.globals | effects.nonlocals
        own = (frozenset(named) | effects.writes.keys() | effects.deletes) - outside
        # An inner `locals()` would show what a variable without a value is set to.
        shown = effects.shown & ((effects.writes.keys() - set(named)) | effects.deletes)
        return cls(
            parameters=named,
            own=own,
            globals=frozenset(effects.globals),
            nonlocals=frozenset(effects.nonlocals),
            captured=frozenset(effects.captured),
            rebound_by_calls=frozenset(effects.rebound_by_calls),
            local_functions=frozenset(_only_functions(body, own, named)),
            containers=_only_containers(body, own - set(named), effects),
            handler_names=frozenset(effects.handler_names),
            reads_locals=effects.reads_locals or bool(shown),
            outer=enclosing.outer,
            hidden=enclosing.own | enclosing.hidden,
            certain=(_certain(function, enclosing) - effects.rebound_by_calls)
            | (enclosing.certain - own - effects.nonlocals),
            tested=frozenset(_tested_for_none(body)) & own,
            ending=frozenset(_ends_loop(body)),
            keyed=frozenset(_keyed(body)) | (enclosing.keyed - own),
            shared=SharedLists.of(body, own),
        )

    @classmethod
    def outside(cls, module: ModuleNames, free: frozenset[str] = frozenset()) -> FunctionScope:
        """Return the scope around a function: empty, or the free variables of an extracted text."""
        nothing = frozenset[str]()
        return cls(
            parameters=[],
            own=nothing,
            globals=nothing,
            nonlocals=nothing,
            captured=nothing,
            rebound_by_calls=nothing,
            local_functions=nothing,
            containers=nothing,
            handler_names=nothing,
            reads_locals=False,
            outer=module,
            hidden=free,
        )

    def is_of_module(self, name: str) -> bool:
        """Return whether a name refers to a global or built-in."""
        return name not in self.own and name not in self.hidden

    def is_builtin(self, name: str) -> bool:
        """Return whether a name certainly refers to the built-in."""
        return name in BUILTINS and self.is_of_module(name) and name not in self.outer.bound

    def may_be_none(self, name: str) -> bool:
        """Return whether a test of a variable for None may have to be staged."""
        if self.is_of_module(name):
            return name in self.globals or name in self.outer.assigned
        return name not in self.certain

    def ends_loop(self, name: str) -> bool:
        """Return whether a variable ends a loop when it is None; such a test is Python's."""
        return name in self.ending

    def gains_keys(self, name: str) -> bool:
        """Return whether the keys, or items, of a variable may be decided at run time.

        The text adds or deletes some, the container may have an alias, or a function gets it.
        """
        shared = self.shared
        return name in self.keyed or name in shared.groups or name in shared.given

    def may_hold_list(self, name: str) -> bool:
        """Return whether a variable may refer to a list, dict or tuple, judging by the text.

        Args:
          name: the variable, `.name` for an attribute, `name[]` for the items of a variable.
        """
        return name in self.shared.names

    @property
    def item_names(self) -> frozenset[str]:
        """Return the names for which `name[i] = value` may rebind the name to a new tensor."""
        return self.own - self.containers - self.rebound_by_calls

    def always_live(self) -> set[str]:
        """Return the names that are read outside of the analyzed statements."""
        return set(self.captured | self.globals | self.nonlocals | self.rebound_by_calls)


_CHANGING_MEMBERS = frozenset(
    {"__delitem__", "__setitem__", "add", "append", "clear", "difference_update", "discard",
     "extend", "insert", "pop", "popitem", "remove", "setdefault", "update"}
)  # fmt: skip


def _keyed(body: Sequence[Any]) -> Iterator[str]:
    """Yield variables with item assignments or deletions, also by methods of containers.

    Inner functions are included. A `defaultdict` gains keys by reads.
    """
    for node in (each for statement in body for each in gast.walk(statement)):
        if isinstance(node, gast.Assign) and _makes_defaultdict(node.value):
            yield from (each.id for each in node.targets if isinstance(each, gast.Name))
        stores = isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load)
        calls = isinstance(node, gast.Attribute) and node.attr in _CHANGING_MEMBERS
        if (stores or calls) and isinstance(node.value, gast.Name):
            yield node.value.id


def _makes_defaultdict(node: object) -> bool:
    if not isinstance(node, gast.Call):
        return False
    function = node.func
    return "defaultdict" in (getattr(function, "id", ""), getattr(function, "attr", ""))


_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


def _only_functions(body: Sequence[Any], own: frozenset[str], named: list[str]) -> set[str]:
    """Return the names that always refer to one undecorated function defined here."""
    nodes = list(own_nodes(body))
    if not any(isinstance(node, _FUNCTIONS) for node in nodes):
        return set()
    defined: Counter[str] = Counter()
    others: set[str] = set(named)
    for node in nodes:
        if isinstance(node, _FUNCTIONS):
            if node.decorator_list:
                others.add(node.name)
            defined[node.name] += 1
        elif isinstance(node, gast.stmt):
            others |= _targets(node)
        elif isinstance(node, gast.NamedExpr) and isinstance(node.target, gast.Name):
            others.add(node.target.id)
    return {name for name in defined if name in own and name not in others}


def _targets(statement: object) -> set[str]:
    """Return the names that a statement itself assigns, without nested statements."""
    if isinstance(statement, gast.If | gast.While | gast.Try | gast.Match):
        return _pattern_names(statement)
    if isinstance(statement, gast.For | gast.AsyncFor):
        return set(effects_of(statement.target).writes)
    if isinstance(statement, gast.With | gast.AsyncWith):
        bound = [item.optional_vars for item in statement.items]
        return set(effects_of(*bound).writes)
    return set(effects_of(statement).writes)


def _pattern_names(statement: object) -> set[str]:
    if isinstance(statement, gast.Match):
        return set(effects_of(*[case.pattern for case in statement.cases]).writes)
    if isinstance(statement, gast.Try):
        return {handler.name.id for handler in statement.handlers if handler.name}
    return set()


def _certain(function: gast.AST, enclosing: FunctionScope) -> frozenset[str]:
    """Return the parameters that are never an `Alternatives`.

    The call operator splits calls over the values of each argument. Local functions, functions
    converted together, and methods that Python calls implicitly are called without an operator.
    """
    name = getattr(function, "name", "")
    special = name.startswith("__") and name.endswith("__") and name not in _CALLED
    if not name or special or enclosing.own or name in enclosing.outer.converted:
        return frozenset()
    if any(isinstance(each, gast.Attribute) for each in function.decorator_list):
        return frozenset()
    return frozenset(parameters(function.args)) - set(_assigned(function.body))


_CALLED = frozenset({"__call__", "__init__", "__new__"})
"""Special methods that operators call."""


def _assigned(statements: Sequence[Any]) -> Iterator[str]:
    """Yield assigned names, except for a default in `if name is None`."""
    for statement in statements:
        defaults: set[str] = set()
        if isinstance(statement, gast.If) and _tests_for_none(statement.test):
            defaults = set(_defaults(statement.body))
            yield from _assigned(statement.orelse)
            statement = gast.Module(statement.body, [])
        yield from effects_of(statement).writes.keys() - defaults


def _defaults(statements: Sequence[Any]) -> Iterator[str]:
    """Yield names that are only assigned a literal or display."""
    assigned = Counter(name for each in statements for name in effects_of(each).writes)
    for each in statements:
        if isinstance(each, gast.Assign) and isinstance(each.value, _WRITTEN_OUT):
            yield from (name for name in effects_of(each).writes if assigned[name] == 1)


def _is_name(node: object) -> bool:
    return isinstance(node, gast.Name)


def _tested_for_none(nodes: Sequence[Any]) -> Iterator[str]:
    for node in own_nodes(nodes):
        if isinstance(node, gast.Compare) and _tests_for_none(node) and _is_name(node.left):
            yield node.left.id


def _ends_loop(body: Sequence[Any]) -> Iterator[str]:
    """Yield variables that end a loop when they are None; such a test is Python's.

    They get what a call returns, such as the next item of a queue. Another value, such as an
    attribute, may be one of several objects.
    """
    others: set[str] = set()
    for node in own_nodes(body):
        if isinstance(node, gast.Assign) and not isinstance(node.value, gast.Call):
            others.update(effects_of(node).writes)
    for node in own_nodes(body):
        if isinstance(node, gast.If) and isinstance(node.body[0], gast.Break):
            yield from (name for name in _tested_for_none([node.test]) if name not in others)


def _is_none(node: object) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def _tests_for_none(test: object) -> bool:
    return isinstance(test, gast.Compare) and any(map(_is_none, test.comparators))


_DISPLAYS = (gast.List, gast.Dict, gast.Set, gast.ListComp, gast.DictComp, gast.SetComp)
_WRITTEN_OUT = (*_DISPLAYS, gast.Constant, gast.Lambda, gast.Tuple)
_CONTAINER_DISPLAYS = (gast.List, gast.Dict, gast.ListComp, gast.DictComp)
_CONTAINER_MAKERS = frozenset({"list", "dict"})


def _only_containers(
    body: Sequence[Any], candidates: frozenset[str], effects: Effects
) -> frozenset[str]:
    """Return the names that always refer to one list or dict created here, their only name."""
    if not candidates:
        return candidates
    made: Counter[str] = Counter()
    bad: set[str] = set(effects.rebound_by_calls)
    for node in own_nodes(body):
        if isinstance(node, gast.Assign | gast.AnnAssign):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            for target in targets:
                if isinstance(target, gast.Name):
                    made[target.id] += 1
                    if not _makes_container(node.value):
                        bad.add(target.id)
                else:
                    bad |= effects_of(target).writes.keys()
        elif isinstance(node, gast.stmt) and not isinstance(node, gast.Delete):
            bad |= _targets(node)
        elif isinstance(node, gast.NamedExpr) and isinstance(node.target, gast.Name):
            bad.add(node.target.id)
    once = {name for name, count in made.items() if count == 1}
    found = (once - bad) & candidates
    return frozenset(found - set(_passed_on(body)) if found else found)


_RETURNING = frozenset({"getattr", "max", "min", "next", "setattr", "sum"})
"""Built-in functions that return or store an argument itself."""


def _passed_on(body: Sequence[Any]) -> Iterator[str]:
    """Yield the names whose value may get another name: all but those used in place."""
    nodes = [each for statement in body for each in gast.walk(statement)]
    in_place = {id(used) for node in nodes for used in _used_in_place(node)}
    for node in nodes:
        is_read = isinstance(node, gast.Name) and isinstance(node.ctx, gast.Load)
        if is_read and id(node) not in in_place:
            yield node.id


def _used_in_place(node: object) -> Iterable[Any]:
    """Return the operands that a syntax node reads, tests, iterates over or returns."""
    if isinstance(node, gast.Subscript | gast.Attribute | gast.Starred | gast.FormattedValue):
        return [node.value]
    if isinstance(node, gast.Return):
        return [*node.value.elts] if isinstance(node.value, gast.Tuple) else [node.value]
    if isinstance(node, gast.For | gast.comprehension):
        return [node.iter]
    if isinstance(node, gast.If | gast.While | gast.Assert):
        return [node.test]
    if isinstance(node, gast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, gast.BinOp):
        return [node.left, node.right]
    if isinstance(node, gast.UnaryOp):
        return [node.operand]
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Name):
        alone = len(node.args) == 1
        if node.func.id in BUILTINS and (alone or node.func.id not in _RETURNING):
            return [*node.args]
    return ()


def _makes_container(value: object) -> bool:
    if isinstance(value, gast.BinOp) and isinstance(value.op, gast.Mult):
        return isinstance(value.left, gast.List) or isinstance(value.right, gast.List)
    if isinstance(value, gast.Call) and isinstance(value.func, gast.Name):
        return value.func.id in _CONTAINER_MAKERS
    return value is None or isinstance(value, _CONTAINER_DISPLAYS)
