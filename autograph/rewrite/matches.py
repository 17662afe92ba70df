"""Lower `match` with literal, or-, capture and wildcard patterns to an `if` chain.

So do sequence patterns for a subject that is written as a tuple or list.

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

A guard after a pattern that both tests and captures runs after the captures.
>>> show('''
... match (a, b):
...     case (0, y) if y > 1:
...         return y
... return a
... ''', "a, b")
y = ag__.undefined('y')
matched = a == 0
def get_state():
    return (matched, y)
def set_state(vars_):
    nonlocal matched, y
    (matched, y) = vars_
def case_body():
    nonlocal y, matched
    y = b
    matched = y > 1
ag__.if_stmt(matched, case_body, None, get_state, set_state, ('matched', 'y'))
return ag__.if_stmt(matched, lambda: ag__.ld(y), lambda: a)

A class of numbers or strings asks for the class of the value.
>>> show('''
... match n:
...     case str():
...         return 0
...     case int(k):
...         return k
... return 1
... ''', "n")
if ag__.converted(isinstance)(n, str):
    return 0
elif ag__.converted(isinstance)(n, int):
    k = n
    return k
return 1

Left to Python: patterns that look inside a value.
>>> show('''
... match n:
...     case [first, *_]:
...         return first
... ''', "n")
match ag__.items_for_python(n):
    case [first, *_]:
        return first

Runs before it is decided what is staged.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.conversion_result import Span
from autograph.rewrite.expressions import bare
from autograph.syntax.names import Names
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import Block, If, Leaf, Region, Test, TotalEffects, blocks_of


@any_depth
def lower_matches(
    statements: list[Any], names: Names, rebound_by_calls: frozenset[str]
) -> list[Any]:
    """Lower every `match` of plain patterns to an `if` chain."""
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
    if effects.suspends or effects.reads_frame:
        return [region]
    by_item = any(_has_sequence(case.pattern) for case in node.cases)
    subject, values = _named(node.subject, by_item, names)
    if not all(_is_plain(case.pattern, subject) for case in node.cases):
        return [region]
    if any(map(_always_matches, node.cases[:-1])):
        return [region]
    first: list[Any] = []
    reads = set(region.effects.reads)
    own_names = [value.value for value in values if isinstance(value, cst.Name)]
    if len(own_names) < len(values) or _rebinds(region, own_names, rebound_by_calls):
        first = [_assigned(subject, node.subject, region)]
        reads = set(first[0].effects.writes)
    else:
        subject = node.subject.with_changes(lpar=[], rpar=[]) if not by_item else node.subject
    lowering = _Lowering(subject, reads, region.origin, names)
    rows = list(zip(node.cases, region.parts, strict=True))
    statements = [*first, *lowering.rows(rows)]
    statements[0].lead = (*region.lead, *node.leading_lines)
    return statements


def _named(value: Any, by_item: bool, names: Names) -> tuple[Any, list[Any]]:
    """A fresh name for a value, or one for each item of a display, and what they name."""
    if not by_item or not _is_display(value):
        return cst.Name(names.fresh("subject")), [value]
    items, values = [], []
    for element in value.elements:
        item, named = _named(element.value, by_item, names)
        items.append(element.with_changes(value=item))
        values += named
    return value.with_changes(elements=items), values


def _is_display(value: object) -> bool:
    return isinstance(value, cst.Tuple | cst.List) and not any(
        isinstance(element, cst.StarredElement) for element in value.elements
    )


def _assigned(subject: Any, value: Any, region: Region) -> Leaf:
    """Return the statement that evaluates the subject once."""
    if isinstance(subject, cst.Name) or _has_bare_assignment(value):
        value = bare(value)
    line = cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(subject)], value)])
    written = Effects(writes=dict.fromkeys(_names_in(subject)))
    written.include(region.effects)
    return Leaf(written, region.origin, line)


def _has_bare_assignment(display: Any) -> bool:
    """Whether an item is a `:=` without parentheses, as only `match` takes it in a tuple."""
    items = [element.value for element in display.elements]
    return any(isinstance(item, cst.NamedExpr) and not item.lpar for item in items)


def _names_in(subject: Any) -> list[str]:
    if isinstance(subject, cst.Name):
        return [subject.value]
    return [name for element in subject.elements for name in _names_in(element.value)]


def _rebinds(region: Region, subjects: Sequence[str], rebound_by_calls: frozenset[str]) -> bool:
    """Whether a case that may fail afterwards assigns a name of the subject."""
    return any(
        name in effects.writes or (name in rebound_by_calls and effects.calls)
        for _, effects, _ in region.parts
        for name in subjects
    )


def _is_plain(pattern: object, subject: object) -> bool:
    """Whether comparisons with the subject, a name or a display of such, decide a pattern."""
    if isinstance(pattern, _Rest):
        return True
    if isinstance(pattern, cst.MatchAs):
        if pattern.name is not None and isinstance(subject, cst.List):
            return False  # Each case would bind a list of its own.
        return pattern.pattern is None or _is_plain(pattern.pattern, subject)
    if isinstance(pattern, cst.MatchOr):
        options = [element.pattern for element in pattern.patterns]
        return all(_is_plain(each, subject) and not _captures(each, subject) for each in options)
    if isinstance(pattern, cst.MatchSequence):
        if isinstance(subject, cst.Name):
            return False
        pairs = _pairs(pattern, subject)
        return pairs is not None and all(_is_plain(*pair) for pair in pairs)
    if isinstance(pattern, cst.MatchClass):
        return _asks_for_kind(pattern, subject) and all(
            _is_plain(element.value, subject) for element in pattern.patterns
        )
    is_literal = isinstance(pattern, cst.MatchValue | cst.MatchSingleton)
    return is_literal and isinstance(subject, cst.Name)


def _asks_for_kind(pattern: cst.MatchClass, subject: object) -> bool:
    """Return whether a pattern asks for a class of numbers or strings, as in `int()`, `int(n)`."""
    kind = pattern.cls
    is_known = isinstance(kind, cst.Name) and kind.value in _KINDS
    takes_one = len(pattern.patterns) < 2 and not pattern.kwds
    return is_known and isinstance(subject, cst.Name) and takes_one


_KINDS = frozenset({"bool", "float", "int", "str"})
"""Classes whose positional pattern matches the value itself."""


def _has_sequence(pattern: object) -> bool:
    if isinstance(pattern, cst.MatchOr):
        return any(_has_sequence(element.pattern) for element in pattern.patterns)
    if isinstance(pattern, cst.MatchAs):
        return pattern.pattern is not None and _has_sequence(pattern.pattern)
    return isinstance(pattern, cst.MatchSequence)


def _pairs(pattern: cst.MatchSequence, subject: Any) -> list[tuple[Any, Any]] | None:
    """The patterns in a sequence pattern, each with its item; None if the lengths differ.

    The items of `*rest` make up a list.
    """
    patterns = [
        element.name if isinstance(element, cst.MatchStar) else element.value
        for element in pattern.patterns
    ]
    items = [element.value for element in subject.elements]
    stars = [isinstance(element, cst.MatchStar) for element in pattern.patterns]
    if True not in stars:
        if len(patterns) != len(items):
            return None
        return list(zip(patterns, items, strict=True))
    rest = len(items) - len(patterns) + 1
    if rest < 0:
        return None
    at = stars.index(True)
    starred = cst.List([cst.Element(item) for item in items[at : at + rest]])
    return [
        *zip(patterns[:at], items[:at], strict=True),
        (_Rest(patterns[at]), starred),
        *zip(patterns[at + 1 :], items[at + rest :], strict=True),
    ]


@dataclass(frozen=True, slots=True)
class _Rest:
    """`*rest` in a sequence pattern; None: `*_`."""

    name: Any


def _always_matches(case: cst.MatchCase) -> bool:
    return case.guard is None and _is_irrefutable(case.pattern)


def _is_irrefutable(pattern: object) -> bool:
    """Return whether a plain pattern always matches."""
    if isinstance(pattern, cst.MatchOr):
        return any(_is_irrefutable(element.pattern) for element in pattern.patterns)
    if isinstance(pattern, cst.MatchAs):
        return pattern.pattern is None or _is_irrefutable(pattern.pattern)
    if isinstance(pattern, cst.MatchSequence):
        return all(
            isinstance(element, cst.MatchStar) or _is_irrefutable(element.value)
            for element in pattern.patterns
        )
    return False


def _captures(pattern: object, subject: object) -> list[tuple[str, Any]]:
    """Yield the names that a plain pattern binds, with their values."""
    if isinstance(pattern, _Rest):
        return [] if pattern.name is None else [(pattern.name.value, subject)]
    if isinstance(pattern, cst.MatchSequence):
        pairs = _pairs(pattern, subject)
        assert pairs is not None
        return [bound for pair in pairs for bound in _captures(*pair)]
    if isinstance(pattern, cst.MatchClass):
        return [each for part in pattern.patterns for each in _captures(part.value, subject)]
    if isinstance(pattern, cst.MatchAs):
        inner = [] if pattern.pattern is None else _captures(pattern.pattern, subject)
        return [*inner, *([] if pattern.name is None else [(pattern.name.value, subject)])]
    return []


class _Lowering:
    """The `if` chain of one `match`."""

    def __init__(self, subject: object, reads: set[str], origin: Span, names: Names) -> None:
        self._subject = subject
        self._reads = reads
        self._origin = origin
        self._names = names

    @any_depth
    def rows(self, rows: Sequence[Any]) -> list[Any]:
        if not rows:
            return []
        case, (_, effects, block) = rows[0]
        block.lead = (*block.lead, *case.leading_lines)
        bind = [self._bind(*each) for each in _captures(case.pattern, self._subject)]
        test = self._test(case.pattern)
        if test is None and case.guard is None:
            return [*bind, *_opened(block)]
        before: list[Any] = []
        used = _of_test(effects, self._reads)
        used.delayed -= {name for leaf in bind for name in leaf.effects.writes}
        if test is None:
            test, before = case.guard, bind
        elif bind and case.guard is not None:
            name = cst.Name(self._names.fresh("matched"))
            before = self._guarded(name, test, bind, case.guard, effects)
            test, used = name, Effects(reads={name.value})
        else:
            block.statements = [*bind, *block.statements]
            if case.guard is not None:
                test = _both(test, case.guard)
        block.origin = self._origin
        tested = Test(test, used)
        node = If(Effects(), self._origin, tested, block, self._rest(rows[1:]), word="case")
        return [*before, node]

    def _guarded(
        self, name: cst.Name, test: object, bind: list[Any], guard: object, effects: Effects
    ) -> list[Any]:
        """Statements that bind what a pattern captures where it matches, and ask the guard."""
        matches = _of_test(effects, self._reads)
        matches.writes, matches.conditional = {name.value: None}, set()
        asked = Effects(writes={name.value: None}, delays=True)
        asked.include(effects)
        body = Block([*bind, self._leaf(name, guard, asked)], origin=self._origin)
        tested = Test(name, Effects(reads={name.value}))
        return [
            self._leaf(name, test, matches),
            If(Effects(), self._origin, tested, body, Block([]), word="case"),
        ]

    def _rest(self, rows: Sequence[Any]) -> Block:
        """Write the last `case _` as an `else`, with its comments."""
        if len(rows) == 1 and _is_wildcard(rows[0][0]):
            block: Block = rows[0][1][2]
            block.lead = (*block.lead, *rows[0][0].leading_lines)
            block.origin = self._origin
            return block
        return Block(self.rows(rows), origin=self._origin)

    def _bind(self, name: str, value: object) -> Leaf:
        effects = Effects(reads=set(self._reads), writes={name: None})
        return self._leaf(cst.Name(name), value, effects)

    def _leaf(self, name: cst.Name, value: Any, effects: Effects) -> Leaf:
        assign = cst.Assign([cst.AssignTarget(name)], value)
        return Leaf(effects, self._origin, cst.SimpleStatementLine([assign]))

    def _test(self, pattern: object) -> Any:
        """Return the comparisons of a pattern; None if it always matches."""
        return _comparisons(pattern, self._subject)


@any_depth
def _comparisons(pattern: Any, subject: Any) -> Any:
    if isinstance(pattern, _Rest) or _is_irrefutable(pattern):
        return None
    if isinstance(pattern, cst.MatchAs):
        return _comparisons(pattern.pattern, subject)
    if isinstance(pattern, cst.MatchOr):
        options = [_comparisons(element.pattern, subject) for element in pattern.patterns]
        return reduce(lambda a, b: cst.BooleanOperation(a, cst.Or(), b), options)
    if isinstance(pattern, cst.MatchSequence):
        tests = [_comparisons(*pair) for pair in _pairs(pattern, subject) or ()]
        return reduce(_both, [test for test in tests if test is not None])
    if isinstance(pattern, cst.MatchClass):
        asked = cst.Call(cst.Name("isinstance"), [cst.Arg(subject), cst.Arg(pattern.cls)])
        inner = [_comparisons(element.value, subject) for element in pattern.patterns]
        return reduce(_both, [asked, *(test for test in inner if test is not None)])
    operator = cst.Is() if isinstance(pattern, cst.MatchSingleton) else cst.Equal()
    return cst.Comparison(subject, [cst.ComparisonTarget(operator, pattern.value)])


def _both(test: object, other: object) -> Any:
    return cst.BooleanOperation(_parenthesized(test), cst.And(), _parenthesized(other))


def _of_test(effects: Effects, reads: set[str]) -> Effects:
    """What a test does: what its guard does, which is evaluated where the pattern matches."""
    return Effects(
        reads=effects.reads | reads,
        writes=dict(effects.writes),
        conditional=set(effects.writes),
        delayed=set(effects.writes),
        calls=effects.calls,
        delays=True,
    )


def _parenthesized(node: Any) -> Any:
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
    """Return the statements of a dissolved block."""
    if block.statements and block.lead:
        block.statements[0].lead = (*block.lead, *block.statements[0].lead)
    return block.statements
