"""Lower `break`, `continue` and `return` to nesting, and to flags where nesting is impossible.

>>> from autograph.rewrite.show import show
>>> show('''
... for x in xs:
...     if x < 0:
...         continue
...     if x > 100:
...         break
...     total += x
... return total
... ''', "xs, total")
do_break = False
def get_state():
    return (total, do_break)
def set_state(vars_):
    nonlocal total, do_break
    (total, do_break) = vars_
def loop_body(x):
    def if_body():
        nonlocal do_break
        do_break = True
    def else_body():
        nonlocal total
        total += x
    ag__.if_chain(((lambda: x < 0, None),
        (lambda: x > 100, if_body)), else_body, get_state, set_state, ('total', 'do_break'))
ag__.for_stmt(xs, loop_body, get_state, set_state, ('total', 'do_break'),
    lambda: ag__.not_(do_break))
return total

Left alone: a jump without a staged statement between it and its target.
>>> show('''
... if flag is None:
...     return 0
... return 1
... ''', "flag")
if flag is None:
    return 0
return 1

A jump is lowered if a staged statement, whose blocks become functions, is between it and its
target. The statements after an `if` with such a jump move into the branch that falls through. If
neither branch always jumps, or if the jump leaves a loop, a `try` or a `with`, the jump sets a
flag. After that statement `if flag: jump` is inserted, and lowered in turn.

Runs before the analysis, for which the flags are variables.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.conversion_result import Span
from autograph.rewrite.known import IsBuiltin, is_always_true
from autograph.rewrite.overtaken import guarded_with, may_be_overtaken
from autograph.syntax.names import Names
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import (
    Block,
    If,
    Jump,
    Leaf,
    Loop,
    Region,
    SetFlag,
    Statement,
    Test,
    blocks_of,
    inside,
    is_loop,
    named_blocks,
)

_DEEPEST_NESTING = 5
"""Maximum levels of `if` that early jumps add; beyond, a flag guards consecutive segments."""

_LONGEST_CHAIN = 16
"""Maximum arms of one `if` from early jumps; each staged arm is a graph inside the previous one."""


class _Targets:
    """The flags of the jumps to one loop, and of `return`; named when first used."""

    def __init__(self, names: Names, function: _Targets | None = None) -> None:
        self._names = names
        self._function = function
        self._flags: dict[str, str] = {}

    def flag(self, kind: str) -> str:
        if kind == "return" and self._function is not None:
            return self._function.flag(kind)
        if kind not in self._flags:
            self._flags[kind] = self._names.fresh(f"do_{kind}")
        return self._flags[kind]


@dataclass(frozen=True, slots=True)
class _Place:
    """The meaning of jumps in a block.

    native: the kinds that Python itself can carry out here.
    overtakes: the kinds of jumps on their way out of a `try`, of whose `finally` this is a part.
    falls: the jump that reaching the end of the block amounts to, if any.
    used: the kinds for which a flag was set, to be looked at behind the enclosing statement.
    depth: the levels of `if` that early jumps have added. arms: those of the same chain before it.
    """

    native: frozenset[str]
    falls: str | None
    targets: _Targets
    used: dict[str, None] = field(default_factory=dict)
    depth: int = 0
    arms: int = 0
    in_native_loop: bool = False
    overtakes: tuple[str, ...] = ()


_RETURNS = frozenset({"return"})


class JumpLowering:
    """A lowering of the jumps of one function."""

    def __init__(self, names: Names, is_builtin: IsBuiltin) -> None:
        self._names = names
        self._is_builtin = is_builtin
        self._targets = _Targets(names)
        self._kinds = JumpKinds()
        self._valued = False
        self._retval = ""

    def function(self, block: Block) -> None:
        """Lower the jumps of a function body, in place."""
        self._valued = any(
            isinstance(each, Jump) and not each.plain_value for each in inside(block.statements)
        )
        place = _Place(_RETURNS, "return", self._targets)
        block.statements = self._nest(block.statements, place)

    @any_depth
    def _nest(self, statements: Sequence[Any], place: _Place) -> list[Any]:
        """Rewrite statements so that every jump is at the end of its block, or left to Python."""
        found: list[Any] = []
        for position, statement in enumerate(statements):
            is_last = position == len(statements) - 1
            if isinstance(statement, Jump):
                found += self._jump(statement, place)
                if statement.kind in place.native:
                    # Unreachable statements stay after the jump.
                    found += self._nest(statements[position + 1 :], place)
                return found
            kinds = self._kinds.of(statement)
            if place.arms >= _LONGEST_CHAIN and _jumps_or_else(statement):
                rest = statements[position + 1 :]
                return found + self._nest([*self._guards(statement), *rest], place)
            if self._needs_no_else(statement, kinds, place):
                following = _opened(statement.orelse)
                statement.orelse = Block([])
                self._kinds.forget(statement)
                rest = statements[position + 1 :]
                return found + self._nest([statement, *following, *rest], place)
            if self._must_nest(statement, kinds, place) and (is_last or _one_sided(statement)):
                rest = list(statements[position + 1 :])
                if rest and (place.depth >= _DEEPEST_NESTING or place.arms >= _LONGEST_CHAIN):
                    return found + self._in_segments([statement, *rest], place)
                return found + self._branches(statement, rest, kinds, place)
            changed, follow_up = self._around(statement, place, is_last)
            found += changed
            if follow_up:
                return found + self._nest([*follow_up, *statements[position + 1 :]], place)
        return found

    def _needs_no_else(self, node: object, kinds: frozenset[str], place: _Place) -> bool:
        """Whether what stands in the `else` had better stand behind a Python `if` that jumps.

        There the jumps of staged statements in it are at the end of a block more often.
        """
        return (
            isinstance(node, If)
            and not node.staged
            and kinds <= place.native
            and always_jumps(node.body.statements)
            and any(_is_staged(each) and self._kinds.of(each) for each in inside(node.orelse))
        )

    def _guards(self, node: If) -> list[Any]:
        """Flatten a chain whose arms all jump into consecutive statements."""
        found: list[Any] = []
        rest: list[Any] = [node]
        while len(rest) == 1 and _jumps_or_else(rest[0]):
            arm = rest[0]
            rest = _opened(arm.orelse)
            arm.orelse = Block([])
            self._kinds.forget(arm)
            found.append(arm)
        return [*found, *rest]

    def _must_nest(self, node: object, kinds: frozenset[str], place: _Place) -> bool:
        return isinstance(node, If) and bool(kinds if node.staged else kinds - place.native)

    def _branches(
        self, node: If, rest: list[Any], kinds: frozenset[str], place: _Place
    ) -> list[Any]:
        """Move the statements after an `if` into the branch that falls through."""
        if rest:
            _extend(node.orelse if always_jumps(node.body.statements) else node.body, rest)
        if node.staged and self._returns_value(node, kinds, place):
            node.returns = True
            inner = _Place(_RETURNS, "return", place.targets, depth=place.depth + 1)
        else:
            native = frozenset[str]() if node.staged else place.native
            inner = replace(place, native=native, depth=place.depth + 1)
        node.body.statements = self._nest(node.body.statements, inner)
        if _continues_chain(node.orelse):
            inner = replace(inner, depth=place.depth, arms=place.arms + 1)
        node.orelse.statements = self._nest(node.orelse.statements, inner)
        used = node.test.effects
        if node.node is None and not (node.body or node.orelse or used.calls or used.writes):
            return []
        return [node]

    def _returns_value(self, node: If, kinds: frozenset[str], place: _Place) -> bool:
        """Return whether the branches can return their values as one expression."""
        if not self._valued or "return" not in kinds & place.native:
            return False
        return place.falls == "return" or always_jumps([node])

    def _jump(self, jump: Jump, place: _Place) -> list[Any]:
        others = tuple(kind for kind in place.overtakes if kind != jump.kind)
        overtaken = self._cleared(others, place.targets, jump.origin)
        if jump.kind in place.native:
            return [*overtaken, jump]
        if jump.kind == place.falls and not overtaken:
            return _comments_of(jump)
        flag = place.targets.flag(jump.kind)
        place.used[jump.kind] = None
        if jump.flag == flag:
            return []
        return [*overtaken, *self._set_flags(jump, flag)]

    def _set_flags(self, jump: Jump, flag: str) -> list[Any]:
        retval = self._retval_name() if jump.kind == "return" and self._valued else None
        effects = Effects(writes={flag: None} if retval is None else {retval: None, flag: None})
        effects.include(jump.effects)
        return [SetFlag(effects, jump.origin, flag, True, jump.line, jump.value, retval)]

    def _cleared(self, kinds: tuple[str, ...], targets: _Targets, origin: Span) -> list[SetFlag]:
        return [self._clear(kind, targets, origin) for kind in kinds]

    def _clear(self, kind: str, targets: _Targets, origin: Span) -> SetFlag:
        """Return the statements that clear a flag and its return value."""
        flag = targets.flag(kind)
        retval = self._retval_name() if kind == "return" and self._valued else None
        writes = [flag] if retval is None else [flag, retval]
        effects = Effects(writes=dict.fromkeys(writes))
        return SetFlag(effects, origin, flag, holds=False, retval=retval)

    def _retval_name(self) -> str:
        self._retval = self._retval or self._names.fresh("retval_")
        return self._retval

    def _around(
        self, statement: object, place: _Place, is_last: bool
    ) -> tuple[list[Any], list[Any]]:
        """Lower a statement that jumps leave; return it and the statements to insert after it."""
        if isinstance(statement, Loop) and statement.staged:
            return self._staged_loop(statement, place)
        if not blocks_of(statement):
            return [statement], []
        inner = self._inner_place(statement, place)
        if is_loop(statement):
            used = self._native_loop(statement, inner, replace(place, used={}, falls=None))
        else:
            used = inner.used
            body_jumps: tuple[str, ...] = ()
            for name, block in named_blocks(statement):
                falls = place.falls if is_last and _ends_with(statement, name) else None
                part = replace(inner, falls=falls)
                if name == "orelse" and body_jumps and falls == "return":
                    part = replace(part, falls=None)  # The body may have returned.
                if name == "finally":
                    part = replace(part, overtakes=(*inner.overtakes, *used))
                self._part(statement, name, block, part, body_jumps)
                if name == "body":
                    body_jumps = tuple(used)
            statement = self._unless_overtaken(statement, inner)
        return self._behind(statement, used, place)

    def _part(
        self, statement: Any, name: str, block: Block, inner: _Place, body_jumps: tuple[str, ...]
    ) -> None:
        """Lower a block of a statement; in a `try`, a jump out of the body affects the others."""
        in_try = isinstance(statement, Region) and bool(body_jumps)
        if in_try and name == "orelse":
            self._unless_jumped(block, inner, body_jumps)
        caught: list[Any] = []
        if in_try and name == "handler":
            flags = [inner.targets.flag(kind) for kind in body_jumps]
            if may_be_overtaken(statement.parts[0][2], flags):
                caught = self._cleared(body_jumps, inner.targets, block.statements[0].origin)
        block.statements = [*caught, *self._nest(block.statements, inner)]

    def _unless_overtaken(self, statement: Any, inner: _Place) -> Any:
        """Lower a `with` whose manager may suppress an error raised after a jump."""
        if not inner.used or not isinstance(statement.node, cst.With):
            return statement
        kinds = tuple(inner.used)
        flags = [inner.targets.flag(kind) for kind in kinds]
        clear = partial(self._cleared, kinds, inner.targets)
        return guarded_with(statement, flags, clear, self._is_builtin)

    def _native_loop(self, loop: Any, inner: _Place, around: _Place) -> dict[str, None]:
        """A jump that set a flag leaves the loop at the end of its body.

        The `else` of a loop does not belong to the loop: its jumps are those of its place.
        """
        body, *rest = blocks_of(loop)
        body.statements = self._nest(body.statements, inner)
        if inner.used:
            clear = [self._clear(kind, inner.targets, loop.origin) for kind in inner.used]
            leave = [self._leave_if_set(kind, loop.origin, inner) for kind in inner.used]
            body.statements = [*clear, *body.statements, *leave]
        for orelse in rest:
            orelse.statements = self._nest(orelse.statements, around)
        return around.used | dict.fromkeys(kind for kind in inner.used if kind not in inner.native)

    def _leave_if_set(self, kind: str, origin: Span, place: _Place) -> If:
        """Return `if flag: jump`, or `if flag: break` if only the loop can be left natively."""
        if kind in place.native:
            return self._jump_if_set(kind, origin, place)
        flag = place.targets.flag(kind)
        test = Test(None, Effects(reads={flag}), (flag,))
        return If(Effects(), origin, test, Block([Jump(Effects(), origin, "break")]), Block([]))

    def _unless_jumped(self, orelse: Block, place: _Place, kinds: tuple[str, ...]) -> None:
        """Guard the `else` of a `try`: it is skipped if a jump left the body."""
        flags = tuple(place.targets.flag(kind) for kind in kinds)
        test = Test(None, Effects(reads=set(flags)), flags, unset=True)
        origin = orelse.statements[0].origin
        inside = Block(orelse.statements)
        orelse.statements = [If(Effects(), origin, test, inside, Block([]), staged=True)]

    def _inner_place(self, statement: object, place: _Place) -> _Place:
        if is_loop(statement):
            native = (place.native & _RETURNS) | {"break", "continue"}
            targets = _Targets(self._names, self._targets)
            return _Place(native, "continue", targets, in_native_loop=True)
        staged = isinstance(statement, If) and statement.staged
        return replace(
            place,
            native=frozenset() if staged else place.native,
            used={},
        )

    def _behind(
        self, statement: Any, used: dict[str, None], place: _Place
    ) -> tuple[list[Any], list[Any]]:
        """Clear the flags before a statement, and jump after it if one is set."""
        clear = [
            self._clear(kind, place.targets, statement.origin)
            for kind in used
            if kind in place.native or kind == place.falls
        ]
        follow_up = [self._jump_if_set(kind, statement.origin, place) for kind in used]
        return [*clear, statement], follow_up

    def _jump_if_set(self, kind: str, origin: Span, place: _Place) -> If:
        flag = place.targets.flag(kind)
        effects, value = Effects(), None
        if kind == "return" and self._valued:
            effects.reads.add(self._retval_name())
            value = cst.Name(self._retval_name())
        jump = Jump(effects, origin, kind, None, value, value is None, flag=flag)
        test = Test(None, Effects(reads={flag}), (flag,))
        staged = not (place.in_native_loop and kind in place.native)
        return If(Effects(), origin, test, Block([jump]), Block([]), staged=staged)

    def _staged_loop(self, loop: Loop, place: _Place) -> tuple[list[Any], list[Any]]:
        targets = _Targets(self._names, self._targets)
        inner = _Place(frozenset(), "continue", targets)
        loop.body.statements = self._nest(loop.body.statements, inner)
        loop.break_flags = tuple(targets.flag(kind) for kind in inner.used)
        left_by_return = {kind: None for kind in inner.used if kind == "return"}
        changed, follow_up = self._behind(loop, left_by_return, place)
        if follow_up and "break" not in inner.used and _never_ends(loop):
            follow_up = follow_up[0].body.statements
        orelse, loop.orelse = loop.orelse, Block([])
        if "break" not in inner.used:
            return changed, follow_up + _opened(orelse)
        flag = targets.flag("break")
        if orelse:
            unless = Test(None, Effects(reads={flag}), (flag,), unset=True)
            origin = orelse.origin or loop.origin
            follow_up.append(If(Effects(), origin, unless, orelse, Block([]), staged=True))
        return [self._clear("break", targets, loop.origin), *changed], follow_up

    def _in_segments(self, statements: list[Any], place: _Place) -> list[Any]:
        """Segments that follow each other, all but the first guarded by flags.

        For a long row of early jumps, which would nest too deep.
        """
        inner = replace(place, native=frozenset(), falls=None, used={}, depth=0, arms=0)
        found: list[Any] = []
        segment: list[Any] = []
        for statement, following in itertools.zip_longest(statements, statements[1:]):
            segment.append(statement)
            if self._kinds.of(statement) and not self._belongs(following, segment):
                self._add_segment(found, segment, inner)
                segment = []
        self._add_segment(found, segment, inner)
        origin = statements[0].origin
        # Before a test of a flag is the statement that cleared it, and may have set it.
        tested = {flag for each in statements if isinstance(each, If) for flag in each.test.flags}
        clear = [
            self._clear(kind, place.targets, origin)
            for kind in inner.used
            if place.targets.flag(kind) not in tested
        ]
        follow_up: list[Any] = [
            self._jump_if_set(kind, found[-1].origin, place) for kind in inner.used
        ]
        if len(follow_up) == 1 and always_jumps(statements):
            # One of the segments always jumps, so no test is needed.
            follow_up = follow_up[0].body.statements
        return [*clear, *found, *self._nest(follow_up, replace(place, depth=0, arms=0))]

    def _belongs(self, statement: object, segment: list[Any]) -> bool:
        """Return whether a statement extends a segment: consecutive guards become one chain."""
        in_row = all(isinstance(each, If) and not each.orelse for each in (statement, *segment))
        return in_row and len(segment) < _LONGEST_CHAIN and bool(self._kinds.of(statement))

    def _add_segment(self, found: list[Any], segment: list[Any], inner: _Place) -> None:
        if not segment:
            return
        flags = tuple(inner.targets.flag(kind) for kind in inner.used)
        nested = self._nest(segment, inner)
        if flags:
            test = Test(None, Effects(reads=set(flags)), flags, unset=True)
            origin = segment[0].origin
            nested = [If(Effects(), origin, test, Block(nested), Block([]), staged=True)]
        found += nested


class JumpKinds:
    """The kinds of jump that may leave a statement; cached per statement."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._known: dict[int, tuple[Any, frozenset[str]]] = {}

    def of(self, statement: object) -> frozenset[str]:
        """Return the kinds of a statement, computed on the first call."""
        known = self._known.get(id(statement))
        if known is None:
            # The statement is kept, because its identity is the key.
            known = self._known[id(statement)] = (statement, self._found(statement))
        return known[1]

    def forget(self, statement: object) -> None:
        """Invalidate the entry of a changed statement."""
        self._known.pop(id(statement), None)

    @any_depth
    def _found(self, statement: object) -> frozenset[str]:
        if isinstance(statement, Jump):
            return frozenset({statement.kind})
        kinds = self._of_blocks(blocks_of(statement))
        if isinstance(statement, Loop):
            return (kinds & _RETURNS) | self._of_blocks([statement.orelse])
        if isinstance(statement, Region) and statement.parts[0][0] == "loop":
            return kinds & _RETURNS
        return kinds

    def _of_blocks(self, blocks: Iterable[Block]) -> frozenset[str]:
        return frozenset[str]().union(*(self.of(inner) for block in blocks for inner in block))


def _is_staged(statement: object) -> bool:
    return isinstance(statement, If | Loop) and statement.staged


def _ends_with(statement: Any, name: str) -> bool:
    """Return whether the end of a block is the end of its statement."""
    if isinstance(statement, If):
        return not statement.staged
    names = [part for part, _, _ in statement.parts]
    return name != "finally" and not (name == "body" and "orelse" in names)


def _jumps_or_else(node: object) -> bool:
    """Return whether a statement is an `if` that jumps, with an `else`."""
    return isinstance(node, If) and bool(node.orelse) and always_jumps(node.body.statements)


def _one_sided(node: If) -> bool:
    return always_jumps(node.body.statements) or always_jumps(node.orelse.statements)


@any_depth
def always_jumps(statements: Sequence[Any]) -> bool:
    """Return whether control never reaches the end."""
    if not statements:
        return False
    last = statements[-1]
    if isinstance(last, Jump):
        return True
    if isinstance(last, If):
        return always_jumps(last.body.statements) and always_jumps(last.orelse.statements)
    if isinstance(last, Region) and isinstance(last.node, cst.Try | cst.TryStar):
        return _try_always_jumps(last)
    return isinstance(last, Leaf) and is_raise(last)


def _try_always_jumps(region: Region) -> bool:
    parts = {name: block.statements for name, _, block in region.parts if name != "handler"}
    if always_jumps(parts.get("finally", [])):
        return True
    handlers = [block.statements for name, _, block in region.parts if name == "handler"]
    body = always_jumps(parts["body"]) or always_jumps(parts.get("orelse", []))
    return body and all(map(always_jumps, handlers))


def is_raise(leaf: Leaf) -> bool:
    """Return whether a statement is a `raise`, alone or last on its line."""
    node = leaf.node
    return isinstance(node, cst.SimpleStatementLine) and isinstance(node.body[-1], cst.Raise)


def _continues_chain(orelse: Block) -> bool:
    """Return whether an `else` starts with an `if`, which becomes one more arm."""
    return bool(orelse) and isinstance(orelse.statements[0], If)


def _never_ends(loop: Loop) -> bool:
    """Return whether a loop is a `while True`."""
    return not loop.is_for and is_always_true(loop.test.expression)


def _extend(block: Block, rest: list[Any]) -> None:
    """Append statements; closing comments of the block keep their position."""
    if block.footer and block.statements:
        rest = [_led(rest[0], block.footer), *rest[1:]]
        block.footer = ()
    block.statements = [*block.statements, *rest]
    if block.origin is None:
        block.origin = rest[0].origin


def _led(statement: Statement, lines: Sequence[cst.EmptyLine]) -> Any:
    statement.lead = (*lines, *statement.lead)
    return statement


def _opened(block: Block) -> list[Any]:
    """Return the statements of a dissolved block, with its comments."""
    if not block.statements:
        return []
    if block.header is not None and block.header.comment:
        _led(block.statements[0], [cst.EmptyLine(comment=block.header.comment)])
    _led(block.statements[0], block.lead)
    if any(line.comment for line in block.footer):
        passing = cst.SimpleStatementLine([cst.Pass()])
        last = Leaf(Effects(), block.statements[-1].origin, passing, lead=block.footer)
        return [*block.statements, last]
    return block.statements


def _comments_of(jump: Jump) -> list[Any]:
    """Replace a redundant jump by its comments."""
    line = jump.line
    if line is None:
        return []
    commented = line.trailing_whitespace.comment or any(e.comment for e in line.leading_lines)
    if not commented and not any(entry.comment for entry in jump.lead):
        return []
    passing = line.with_changes(body=[cst.Pass()])
    return [Leaf(Effects(), jump.origin, node=passing, lead=jump.lead)]
