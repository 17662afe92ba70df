"""Liveness and definite assignment.

The control flow graph is built backwards over the statements, one program point for each event.
Both dataflow problems are solved by a worklist over bit sets. The cost is linear in the number of
points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import Block, If, Jump, Loop, Region, Statement


@dataclass(slots=True)
class _Targets:
    """The targets of the jumps in a block."""

    ends: int
    breaks: int | None = None
    continues: int | None = None
    raises: tuple[int, ...] = ()

    def behind(self, point: Callable[[int], int]) -> _Targets:
        """Return the targets of jumps that pass a point of their own, which `point` adds."""
        breaks = None if self.breaks is None else point(self.breaks)
        continues = None if self.continues is None else point(self.continues)
        return _Targets(point(self.ends), breaks, continues, tuple(map(point, self.raises)))


@dataclass(frozen=True, slots=True)
class Points:
    """Program points of a statement: entry, exit, and the entry of each block."""

    before: int
    behind: int
    blocks: tuple[int, ...] = ()
    turn: int | None = None
    raises: tuple[int, ...] = ()


class Flow:
    """Liveness and definite assignment of one function body, after jumps were lowered.

    always_live: names that are read in ways that cannot be seen here: by inner functions, by
    the callers of a function that declared them `global` or `nonlocal`.
    """

    def __init__(
        self, body: Sequence[Any], parameters: Iterable[str], always_live: Iterable[str]
    ) -> None:
        self._bits: dict[str, int] = {}
        self._names: list[str] = []
        self._uses: list[int] = []
        self._kills: list[int] = []
        self._unbinds: list[int] = []
        self._next: list[list[int]] = []
        self._normal: list[list[int]] = []
        self._points: dict[int, Points] = {}
        self._always = self._mask(always_live)
        end = self._point(Effects(), [])
        self._uses[end] = self._always
        entry = self._block(body, end, _Targets(end))
        self._entry = self._point(Effects(writes=dict.fromkeys(parameters)), [entry])
        self._live = self._liveness()
        self._assigned = self._assignment()

    def points(self, statement: object) -> Points:
        """Return the program points of a statement."""
        return self._points[id(statement)]

    def live(self, *points: int) -> set[str]:
        """Return the names that are live at any of the points."""
        mask = self._always
        for point in points:
            mask |= self._live[point]
        return self._names_in(mask)

    def unassigned(self, names: Iterable[str], point: int) -> list[str]:
        """Return the names that may be unassigned at a point."""
        assigned = self._assigned[point]
        return [name for name in names if not self._mask([name]) & assigned]

    def _mask(self, names: Iterable[str]) -> int:
        mask = 0
        for name in names:
            bit = self._bits.get(name)
            if bit is None:
                bit = self._bits[name] = 1 << len(self._names)
                self._names.append(name)
            mask |= bit
        return mask

    def _names_in(self, mask: int) -> set[str]:
        found = set()
        while mask:
            low = mask & -mask
            found.add(self._names[low.bit_length() - 1])
            mask ^= low
        return found

    def _point(self, effects: Effects, following: list[int], raises: Sequence[int] = ()) -> int:
        point = len(self._uses)
        self._uses.append(self._mask(effects.reads) | self._mask(effects.deletes))
        unsure = effects.rebound_by_calls | effects.conditional
        self._kills.append(self._mask(effects.writes) & ~self._mask(unsure))
        self._unbinds.append(self._mask(effects.deletes))
        self._next.append([*following, *raises])
        self._normal.append(following)
        return point

    def _block(self, statements: Sequence[Any], follow: int, targets: _Targets) -> int:
        for statement in reversed(statements):
            follow = self._statement(statement, follow, targets)
        return follow

    @any_depth
    def _statement(self, statement: Statement, follow: int, targets: _Targets) -> int:
        if isinstance(statement, If):
            return self._if(statement, follow, targets)
        if isinstance(statement, Loop):
            return self._loop(statement, follow, targets)
        if isinstance(statement, Region):
            return self._region(statement, follow, targets)
        goes_to = follow
        if isinstance(statement, Jump):
            jumps = {
                "break": targets.breaks,
                "continue": targets.continues,
                "return": targets.ends,
            }
            goal = jumps[statement.kind]
            goes_to = targets.ends if goal is None else goal
        before = self._point(statement.effects, [goes_to], targets.raises)
        self._points[id(statement)] = Points(before, follow, raises=targets.raises)
        return before

    def _if(self, node: If, follow: int, targets: _Targets) -> int:
        inner = targets
        if node.returns:
            inner = _Targets(targets.ends, raises=targets.raises)
        body = self._block(node.body.statements, follow, inner)
        orelse = self._block(node.orelse.statements, follow, inner)
        before = self._point(node.test.effects, [body, orelse], targets.raises)
        self._points[id(node)] = Points(before, follow, (body, orelse), raises=targets.raises)
        return before

    def _loop(self, loop: Loop, follow: int, targets: _Targets) -> int:
        orelse = self._block(loop.orelse.statements, follow, targets)
        turn = self._point(Effects(), [orelse], targets.raises)
        inner = _Targets(targets.ends, follow, turn, targets.raises)
        first = self._block(loop.body.statements, turn, inner)
        if loop.is_for:
            body = self._point(loop.target_effects, [first], targets.raises)
            before = self._point(loop.test.effects, [turn], targets.raises)
        else:
            body = first
            before = turn
            self._uses[turn] |= self._mask(loop.test.effects.reads)
            writes = loop.test.effects.writes.keys() - loop.test.effects.conditional
            self._kills[turn] |= self._mask(writes)
        self._uses[turn] |= self._mask(loop.break_flags)
        self._next[turn].insert(0, body)
        self._normal[turn].append(body)
        points = Points(before, follow, (body, orelse), turn, targets.raises)
        self._points[id(loop)] = points
        return before

    def _region(self, region: Region, follow: int, targets: _Targets) -> int:
        kinds = [name for name, _, _ in region.parts]
        if kinds[0] == "case":
            before = self._match(region, follow, targets)
        elif kinds[0] == "loop":
            before = self._async_for(region, follow, targets)
        elif len(kinds) == 1:
            before = self._with(region, follow, targets)
        else:
            before = self._try(region, follow, targets)
        self._points[id(region)] = Points(before, follow, raises=targets.raises)
        return before

    def _match(self, region: Region, follow: int, targets: _Targets) -> int:
        no_case = follow
        for _, effects, block in reversed(region.parts):
            body = self._block(block.statements, follow, targets)
            assigned = Effects(writes=effects.writes, conditional=effects.conditional)
            matched = self._point(assigned, [body], targets.raises)
            tried = Effects(reads=effects.reads)
            no_case = self._point(tried, [matched, no_case], targets.raises)
        return self._point(region.effects, [no_case], targets.raises)

    def _async_for(self, region: Region, follow: int, targets: _Targets) -> int:
        rest = follow
        if len(region.parts) > 1:
            rest = self._block(region.parts[1][2].statements, follow, targets)
        turn = self._point(Effects(), [rest], targets.raises)
        inner = _Targets(targets.ends, follow, turn, targets.raises)
        _, target, block = region.parts[0]
        body = self._block(block.statements, turn, inner)
        first = self._point(target, [body], targets.raises)
        self._next[turn].insert(0, first)
        self._normal[turn].append(first)
        return self._point(region.effects, [turn], targets.raises)

    def _with(self, region: Region, follow: int, targets: _Targets) -> int:
        """Add a `with`: its manager may suppress exceptions, so any point may lead to its exit."""
        inner = _Targets(targets.ends, targets.breaks, targets.continues, (*targets.raises, follow))
        body = self._block(region.parts[0][2].statements, follow, inner)
        return self._point(region.effects, [body], targets.raises)

    def _try(self, region: Region, follow: int, targets: _Targets) -> int:
        blocks = {name: block for name, _, block in region.parts if name != "handler"}
        outside = targets
        if "finally" in blocks:
            follow, targets = self._finally(blocks["finally"], follow, targets)
        handlers = self._handlers(region, follow, targets)
        after_body = follow
        if "orelse" in blocks:
            after_body = self._block(blocks["orelse"].statements, follow, targets)
        inner = _Targets(
            targets.ends, targets.breaks, targets.continues, (*targets.raises, *handlers)
        )
        body = self._block(blocks["body"].statements, after_body, inner)
        return self._point(Effects(), [body], (*outside.raises, *handlers))

    def _finally(self, block: Block, follow: int, targets: _Targets) -> tuple[int, _Targets]:
        """Add a `finally`: every exit passes through it and continues to its target."""
        goals = [targets.ends, *targets.raises]
        goals += [goal for goal in (targets.breaks, targets.continues) if goal is not None]
        leaving = self._point(Effects(), [follow])
        self._next[leaving] += goals
        first = self._block(block.statements, leaving, targets)
        escaping = self._point(Effects(), [first])
        inner = _Targets(
            escaping,
            None if targets.breaks is None else escaping,
            None if targets.continues is None else escaping,
            (*targets.raises, escaping),
        )
        return first, inner

    def _handlers(self, region: Region, follow: int, targets: _Targets) -> list[int]:
        """Add the handlers of a `try`; those of `except*` run one after the other."""
        following: list[int] = []
        handlers: list[int] = []
        for name, effects, block in reversed(region.parts):
            if name != "handler":
                continue
            raises = (*targets.raises, *following)
            inner = _Targets(targets.ends, targets.breaks, targets.continues, raises)
            handlers.append(self._handler(effects, block, [follow, *following], inner))
            if isinstance(region.node, cst.TryStar):
                following = list(handlers)
        return handlers

    def _handler(
        self, effects: Effects, block: Block, following: list[int], targets: _Targets
    ) -> int:
        """Add a handler: its name is unassigned after it, however control leaves it."""
        inner = targets
        if effects.handler_names:
            inner = targets.behind(lambda goal: self._unbinding(effects, [goal]))
        body = self._block(block.statements, self._unbinding(effects, following), inner)
        return self._point(effects, [body], targets.raises)

    def _unbinding(self, effects: Effects, following: list[int]) -> int:
        point = self._point(Effects(), following)
        self._unbinds[point] = self._mask(effects.handler_names)
        return point

    def _liveness(self) -> list[int]:
        live = list(self._uses)
        before: list[list[int]] = [[] for _ in live]
        for point, following in enumerate(self._next):
            for other in following:
                before[other].append(point)
        work = list(range(len(live)))
        while work:
            point = work.pop()
            after = 0
            for other in self._normal[point]:
                after |= live[other]
            now = self._uses[point] | (after & ~self._kills[point])
            for other in self._next[point][len(self._normal[point]) :]:
                now |= live[other]
            if now != live[point]:
                live[point] = now
                work += before[point]
        return live

    def _assignment(self) -> list[int]:
        """Solve definite assignment forwards; at an unreachable point nothing is assigned.

        A function that takes an operand there still needs a variable to assign.
        """
        everything = (1 << len(self._names)) - 1
        assigned = [everything] * len(self._uses)
        assigned[self._entry] = 0
        work = [self._entry]
        seen = {self._entry}
        while work:
            point = work.pop()
            before = assigned[point]
            after = (before | self._kills[point]) & ~self._unbinds[point]
            normal = self._normal[point]
            for position, other in enumerate(self._next[point]):
                now = assigned[other] & (after if position < len(normal) else before)
                if now != assigned[other] or other not in seen:
                    seen.add(other)
                    assigned[other] = now
                    work.append(other)
        return [mask if point in seen else 0 for point, mask in enumerate(assigned)]
