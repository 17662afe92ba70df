"""`match` with literal, or-, capture and wildcard patterns becomes a row of `if`.

>>> from autograph.rewrite.show import show
>>> show('''
... match n:
...     case 0:
...         s = 'none'
...     case 1 | 2:
...         s = 'few'
...     case _:
...         s = 'many'
... return s
... ''', "n")
s = ag__.undefined('s')
def get_state():
    return (s,)
def set_state(vars_):
    nonlocal s
    (s,) = vars_
def case_body():
    nonlocal s
    s = 'none'
def case_body_1():
    nonlocal s
    s = 'few'
def else_body():
    nonlocal s
    s = 'many'
ag__.if_chain(((lambda: n == 0, case_body),
    (lambda: ag__.or_(n == 1, lambda: n == 2), case_body_1)), else_body, get_state, set_state,
    ('s',))
return s

Left alone: patterns that look inside the subject.
>>> show('''
... match n:
...     case [first, *_]:
...         return first
... ''', "n")
match n:
    case [first, *_]:
        return first

Runs before it is decided what is staged.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.names import Names
from autograph.stack import any_depth
from autograph.structure import Block, If, Leaf, Region, Span, Test, TotalEffects, blocks_of


@any_depth
def lower_matches(
    statements: list[Any], names: Names, rebound_by_calls: frozenset[str]
) -> list[Any]:
    """The statements with every `match` of plain patterns as a row of `if`."""
    found: list[Any] = []
    for statement in statements:
        for block in blocks_of(statement):
            block.statements = lower_matches(block.statements, names, rebound_by_calls)
        if isinstance(statement, Region) and isinstance(statement.node, cst.Match):
            found += _lowered(statement, names, rebound_by_calls)
        else:
            found.append(statement)
    return found


def _lowered(region: Region, names: Names, rebound_by_calls: frozenset[str]) -> list[Any]:
    node = region.node
    assert isinstance(node, cst.Match)
    effects = TotalEffects().of_statement(region)
    obstacles = effects.suspends or effects.reads_frame or effects.deletes
    if obstacles or not all(_is_plain(case) for case in node.cases):
        return [region]
    first: list[Any] = []
    subject = node.subject
    reads = set(region.effects.reads)
    if not isinstance(subject, cst.Name) or _rebinds(region, subject.value, rebound_by_calls):
        name = names.fresh("subject")
        line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], subject)])
        written = Effects(writes={name: None})
        written.include(region.effects)
        first = [Leaf(written, region.origin, line)]
        subject, reads = cst.Name(name), {name}
    lowering = _Lowering(subject.with_changes(lpar=[], rpar=[]), reads, region.origin)
    rows = list(zip(node.cases, region.parts, strict=True))
    statements = [*first, *lowering.rows(rows)]
    statements[0].lead = (*region.lead, *node.leading_lines)
    return statements


def _rebinds(region: Region, name: str, rebound_by_calls: frozenset[str]) -> bool:
    """Whether a case that may fail afterwards assigns the subject's own name."""
    by_calls = name in rebound_by_calls
    return any(
        name in effects.writes or (by_calls and effects.calls) for _, effects, _ in region.parts
    )


def _is_plain(case: cst.MatchCase) -> bool:
    pattern = case.pattern
    if isinstance(pattern, cst.MatchAs):
        if pattern.pattern is None:
            return True
        return case.guard is None and _is_literal(pattern.pattern)
    return _is_literal(pattern)


def _is_literal(pattern: cst.MatchPattern) -> bool:
    if isinstance(pattern, cst.MatchOr):
        return all(_is_literal(element.pattern) for element in pattern.patterns)
    return isinstance(pattern, cst.MatchValue | cst.MatchSingleton)


class _Lowering:
    """The row of `if` for one `match`."""

    def __init__(self, subject: cst.Name, reads: set[str], origin: Span) -> None:
        self._subject = subject
        self._reads = reads
        self._origin = origin

    @any_depth
    def rows(self, rows: Sequence[Any]) -> list[Any]:
        if not rows:
            return []
        case, (_, effects, block) = rows[0]
        block.lead = (*block.lead, *case.leading_lines)
        pattern = case.pattern
        if isinstance(pattern, cst.MatchAs):
            name, pattern = pattern.name, pattern.pattern
        else:
            name = None
        bind = [] if name is None else [self._bind(name)]
        if pattern is None and case.guard is None:
            return [*bind, *_opened(block)]
        if pattern is None:
            test, before, inside = case.guard, bind, []
        else:
            test, before, inside = self._test(pattern, case.guard), [], bind
        block.statements = [*inside, *block.statements]
        tested = Test(test, _of_test(effects, self._reads))
        block.origin = self._origin
        node = If(Effects(), self._origin, tested, block, self._rest(rows[1:]), word="case")
        return [*before, node]

    def _rest(self, rows: Sequence[Any]) -> Block:
        """The last `case _` keeps its comments as an `else`."""
        if len(rows) == 1 and _is_wildcard(rows[0][0]):
            block: Block = rows[0][1][2]
            block.lead = (*block.lead, *rows[0][0].leading_lines)
            block.origin = self._origin
            return block
        return Block(self.rows(rows), origin=self._origin)

    def _bind(self, name: cst.Name) -> Leaf:
        assign = cst.Assign([cst.AssignTarget(cst.Name(name.value))], self._subject)
        effects = Effects(reads=set(self._reads), writes={name.value: None})
        return Leaf(effects, self._origin, cst.SimpleStatementLine([assign]))

    def _test(self, pattern: Any, guard: Any) -> Any:
        test = self._matches(pattern)
        if guard is None:
            return test
        return cst.BooleanOperation(_parenthesised(test), cst.And(), _parenthesised(guard))

    def _matches(self, pattern: Any) -> Any:
        if isinstance(pattern, cst.MatchOr):
            first, *rest = [self._matches(element.pattern) for element in pattern.patterns]
            for test in rest:
                first = cst.BooleanOperation(first, cst.Or(), test)
            return first
        operator = cst.Is() if isinstance(pattern, cst.MatchSingleton) else cst.Equal()
        return cst.Comparison(self._subject, [cst.ComparisonTarget(operator, pattern.value)])


def _of_test(effects: Effects, reads: set[str]) -> Effects:
    """What a test does: what its guard does, which is evaluated where the pattern matches."""
    return Effects(
        reads=effects.reads | reads,
        writes=dict(effects.writes),
        conditional=set(effects.writes),
        calls=effects.calls,
        delays=True,
    )


def _parenthesised(node: Any) -> Any:
    if node.lpar or not isinstance(node, cst.BooleanOperation | cst.IfExp | cst.Lambda):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def _is_wildcard(case: cst.MatchCase) -> bool:
    pattern = case.pattern
    return (
        isinstance(pattern, cst.MatchAs)
        and pattern.pattern is None
        and pattern.name is None
        and case.guard is None
    )


def _opened(block: Block) -> list[Any]:
    """The statements of a block that lost its own line."""
    if block.statements and block.lead:
        block.statements[0].lead = (*block.lead, *block.statements[0].lead)
    return block.statements
