"""The state of each staged statement, and the function that each variable is local to.

The blocks of a staged statement become functions. The plan decides, before any text is written:
which variables are the state of a statement, which are local to a block's function, and which may
be unassigned at a read and so start as `Undefined`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autograph.analysis.effects import Effects
from autograph.analysis.flow import Flow, Points
from autograph.analysis.scopes import FunctionScope
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import (
    Block,
    If,
    Leaf,
    Loop,
    Region,
    SetFlag,
    Statement,
    Test,
    TotalEffects,
)


@dataclass(eq=False, slots=True)
class Closure:
    """A generated function, or, at the root, the user's own.

    local: variables that live in it. assigned: names that its own statements assign; reads:
    names that they read.
    undefined: variables of it that begin without a value; deleted: those that blocks of staged
    statements in it delete. certain: names that the statements in a
    row, up to the one in question, have assigned in it.
    """

    parent: Closure | None
    local: frozenset[str] = frozenset()
    assigned: dict[str, None] = field(default_factory=dict)
    undefined: dict[str, None] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    reads: set[str] = field(default_factory=set)
    certain: set[str] = field(default_factory=set)

    def home(self, name: str) -> Closure:
        """Return the function that a variable is local to."""
        closure = self
        while closure.parent is not None and name not in closure.local:
            closure = closure.parent
        return closure

    def may_unbind(self, name: str) -> bool:
        """Return whether one of its local variables may be unassigned."""
        return name in self.undefined or name in self.deleted

    @property
    def outer_names(self) -> list[str]:
        """Return assigned names that are local to an enclosing function."""
        return [name for name in self.assigned if name not in self.local]


@dataclass(frozen=True, slots=True)
class State:
    """The variables in the state of a staged statement.

    Changes inside of objects are found during the trace.

    outputs: number of leading entries that are live after the statement; the others are only
    restored before each branch.
    """

    entries: tuple[str, ...]
    outputs: int


class Plan:
    """The plan for one function's body, after its jumps were lowered."""

    def __init__(self, scope: FunctionScope, body: Block) -> None:
        self._scope = scope
        self._total = TotalEffects()
        total = self._total.of(body)
        written = total.writes.keys()
        self._deleted = total.deletes
        first = [*scope.parameters, *written]
        self._order = {name: place for place, name in enumerate(dict.fromkeys(first))}
        self.assignable = scope.own | (written - scope.globals - scope.nonlocals)
        self.flow = Flow(body.statements, scope.parameters, scope.always_live())
        self.root = Closure(None)
        self._closures: dict[int, Closure] = {}
        self._states: dict[int, State] = {}
        self._block(body.statements, self.root)
        self._bind_homes()

    def state(self, statement: object) -> State:
        """Return the state of a staged statement."""
        return self._states[id(statement)]

    def closure(self, block: Block | Test) -> Closure:
        """Return the function of a block, or of an assigning test, of a staged statement."""
        return self._closures[id(block)]

    def undefined_at(self, names: Iterable[str], point: int, closure: Closure) -> frozenset[str]:
        """Return the names to be read through `ag__.ld` at a point."""
        own = [name for name in names if closure.home(name).may_unbind(name)]
        return frozenset(self.flow.unassigned(own, point))

    def undefined_anywhere(self) -> frozenset[str]:
        """Return the names that may be unassigned in one of the functions."""
        closures = [self.root, *self._closures.values()]
        return frozenset(name for each in closures for name in (*each.undefined, *each.deleted))

    def deleted_anywhere(self) -> frozenset[str]:
        """Return those of them that the function deletes: existing closures see the deletion."""
        return self.undefined_anywhere() & self._deleted

    def _bind_homes(self) -> None:
        """Bind each variable in its home, if only inner functions assign it."""
        parameters = set(self._scope.parameters)
        for closure in (self.root, *self._closures.values()):
            for name in (*closure.outer_names, *sorted(closure.reads - closure.local)):
                home = closure.home(name)
                bound = name in home.assigned or (home is self.root and name in parameters)
                if name in self.assignable and not bound:
                    home.undefined[name] = None

    def _block(self, statements: Sequence[Any], closure: Closure) -> None:
        before = set(closure.certain)
        for statement in statements:
            self._statement(statement, closure)
            if isinstance(statement, Leaf | SetFlag):
                closure.certain |= statement.effects.writes.keys() - statement.effects.conditional
                closure.certain -= statement.effects.deletes
        closure.certain = before

    @any_depth
    def _statement(self, statement: Statement, closure: Closure) -> None:
        points = self.flow.points(statement)
        self._use(statement.effects, points.before, closure)
        if isinstance(statement, SetFlag):
            closure.assigned |= statement.effects.writes
        elif isinstance(statement, If):
            test = statement.test.effects
            self._use(test, points.before, closure, moved=statement.staged)
            closure.certain |= test.writes.keys() - test.conditional
            self._if(statement, points, closure)
        elif isinstance(statement, Loop):
            self._loop(statement, points, closure)
        elif isinstance(statement, Region):
            for _, effects, block in statement.parts:
                closure.assigned |= effects.writes
                read = Effects(
                    reads=effects.reads - effects.writes.keys(),
                    delays=effects.delays,
                    delayed=effects.delayed,
                )
                self._use(read, points.before, closure)
                self._block(block.statements, closure)

    def _use(self, effects: Effects, point: int, closure: Closure, moved: bool = False) -> None:
        """Notes what code does that stands in a function; `moved`: in a lambda in it."""
        closure.assigned |= effects.writes
        closure.reads |= effects.reads
        self._note_undefined(sorted(effects.delayed), point, closure)
        if closure.parent is not None or effects.delays or moved:
            self._note_undefined(sorted(effects.reads & self._scope.own), point, closure)

    def _note_undefined(self, names: Iterable[str], point: int, closure: Closure) -> None:
        if self._scope.reads_locals:  # Nothing is staged, and `locals` would show them.
            return
        own = [name for name in names if name in self._scope.own]
        unassigned = set(self.flow.unassigned(own, point))
        for name in own:
            home = closure.home(name)
            # A variable local to a block does not have its value from the enclosing function.
            begins_anew = home.parent is not None and name not in home.certain
            if name in unassigned or begins_anew:
                home.undefined[name] = None

    def _if(self, node: If, points: Points, closure: Closure) -> None:
        if not node.staged:
            self._block(node.body.statements, closure)
            self._block(node.orelse.statements, closure)
            return
        live_after = self.flow.live(points.behind, *points.raises)
        inner: list[Closure] = []
        for block, begin in zip((node.body, node.orelse), points.blocks, strict=True):
            kept = self._kept(self._of_block(block), live_after | self.flow.live(begin))
            inner.append(self._open(block, kept, closure))
        changed = self._changed((node.body, node.orelse), inner)
        live_inside = self.flow.live(*points.blocks)
        outputs = [name for name in changed if name in live_after]
        others = [name for name in changed if name in live_inside and name not in live_after]
        effects = Effects()
        for block in (node.body, node.orelse):
            effects.include(self._of_block(block))
        self._keep_state(node, effects, outputs, others, points, closure)

    def _loop(self, loop: Loop, points: Points, closure: Closure) -> None:
        if not loop.staged:
            self._use(loop.test.effects, points.before, closure)
            self._use(loop.target_effects, points.before, closure)
            self._block(loop.body.statements, closure)
            self._block(loop.orelse.statements, closure)
            return
        assert points.turn is not None
        if loop.is_for or not loop.test.effects.writes:
            self._use(loop.test.effects, points.before, closure, moved=not loop.is_for)
        else:
            self._note_undefined(sorted(loop.test.effects.reads), points.before, closure)
        live = self.flow.live(points.turn, points.behind, *points.raises)
        test_assigns = not loop.is_for and bool(loop.test.effects.writes)
        if test_assigns:
            live |= self.flow.live(points.blocks[0])
        effects = Effects()
        effects.include(self._of_block(loop.body))
        effects.include(loop.target_effects)
        inner = Closure(closure, self._kept(effects, live))
        self._closures[id(loop.body)] = inner
        inner.certain |= loop.target_effects.writes.keys()
        self._use(loop.target_effects, points.blocks[0], inner)
        self._block(loop.body.statements, inner)
        written = [name for name in effects.writes if name not in inner.local]
        changed = self._own(dict.fromkeys([*written, *sorted(self._aliases(effects))]))
        if test_assigns:
            self._closures[id(loop.test)] = Closure(closure, assigned=loop.test.effects.writes)
            changed = list(dict.fromkeys([*changed, *self._own(loop.test.effects.writes)]))
        carried = [name for name in changed if name in live]
        self._keep_state(loop, effects, carried, [], points, closure)

    def _of_block(self, block: Block) -> Effects:
        return self._total.of(block)

    def _kept(self, effects: Effects, live: set[str]) -> frozenset[str]:
        """Return the names local to a block: dead outside, and assigned before they are read."""
        scope = self._scope
        shared = scope.captured | scope.rebound_by_calls
        return frozenset(
            name
            for name in effects.writes
            if name in self.assignable and name not in live and name not in shared
        )

    def _open(self, block: Block, kept: frozenset[str], closure: Closure) -> Closure:
        inner = Closure(closure, kept)
        self._closures[id(block)] = inner
        self._block(block.statements, inner)
        return inner

    def _changed(self, blocks: Sequence[Block], closures: Sequence[Closure]) -> list[str]:
        names: dict[str, None] = {}
        for block, closure in zip(blocks, closures, strict=True):
            effects = self._of_block(block)
            names |= {name: None for name in effects.writes if name not in closure.local}
            if effects.calls:
                names |= dict.fromkeys(sorted(effects.rebound_by_calls & self._scope.own))
            names |= dict.fromkeys(sorted(self._aliases(effects)))
        return self._own(names)

    def _aliases(self, effects: Effects) -> set[str]:
        """Return the aliases of lists that a block may resize, besides the variables it reads."""
        changes = effects.calls or effects.items or effects.deletes
        reads = effects.reads | effects.rereads
        return self._scope.shared.others(reads if changes else effects.resized)

    def _own(self, names: Iterable[str]) -> list[str]:
        scope = self._scope
        known = self.assignable | scope.globals | scope.nonlocals
        return [name for name in names if name in known]

    def _keep_state(
        self,
        statement: If | Loop,
        effects: Effects,
        outputs: list[str],
        others: list[str],
        points: Points,
        closure: Closure,
    ) -> None:
        if effects.calls:
            called = sorted(self._scope.rebound_by_calls - {*outputs, *others})
            outputs = [*outputs, *called]
        self._note_undefined([*outputs, *others], points.before, closure)
        for name in sorted(effects.deletes.intersection([*outputs, *others])):
            closure.home(name).deleted.add(name)
        results = self._in_order(outputs)
        self._states[id(statement)] = State((*results, *self._in_order(others)), len(results))

    def _in_order(self, entries: list[str]) -> list[str]:
        """Sort by first assignment in the function, so that equal states are shared."""
        return sorted(entries, key=lambda entry: (self._order.get(entry, len(self._order)), entry))
