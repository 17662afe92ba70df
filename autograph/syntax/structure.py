"""The statements of a function: the representation between syntax trees and converted text.

Two trees describe one text: libcst's has every comment and blank, gast's serves the analysis. They
list the same statements in the same order, so a parallel walk pairs them into the statement classes
below. Rewrites that move statements work on these; text is written in the last step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import gast
import libcst as cst

from autograph.analysis.effects import Effects, effects_in_order, effects_of
from autograph.conversion_result import Span
from autograph.syntax.stack import any_depth


@dataclass(eq=False, slots=True)
class Test:
    """The test of a statement: the user's expression, or flags that are set (or all unset)."""

    expression: cst.BaseExpression | None
    effects: Effects
    flags: tuple[str, ...] = ()
    unset: bool = False


@dataclass(eq=False, slots=True)
class Statement:
    """The base of all statements.

    Attributes:
      effects: its own effects, without those of its blocks.
      origin: its span in the user's text.
      lead: comment lines that a rewrite moved before it.
    """

    effects: Effects
    origin: Span
    lead: Sequence[cst.EmptyLine] = field(default=(), kw_only=True)


@dataclass(eq=False, slots=True)
class Leaf(Statement):
    """A statement without blocks of this function: simple statements, `def`, `class`."""

    node: cst.BaseStatement
    syntax: tuple[Any, ...] = ()


@dataclass(eq=False, slots=True)
class SetFlag(Statement):
    """An assignment to the flag of a jump, and of the value of a `return`."""

    flag: str
    holds: bool = True
    line: cst.SimpleStatementLine | None = None
    value: cst.BaseExpression | None = None
    retval: str | None = None


@dataclass(eq=False, slots=True)
class Jump(Statement):
    """`break`, `continue` or `return`. `line` is the user's; None if the lowering added it."""

    kind: str
    line: cst.SimpleStatementLine | None = None
    value: cst.BaseExpression | None = None
    plain_value: bool = True
    flag: str | None = None


@dataclass(eq=False, slots=True)
class Block:
    """A sequence of statements, with its opening line and closing comments.

    `suite` is the libcst suite, `nodes` its paired statements. A block whose nodes are unchanged
    keeps its suite, and so its text.
    """

    statements: list[Any]
    header: cst.TrailingWhitespace | None = None
    footer: Sequence[cst.EmptyLine] = ()
    lead: Sequence[cst.EmptyLine] = ()
    origin: Span | None = None
    suite: cst.BaseSuite | None = None
    nodes: tuple[Any, ...] = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.statements)

    def __bool__(self) -> bool:
        return bool(self.statements)


@dataclass(eq=False, slots=True)
class If(Statement):
    """An `if` or `elif`, the user's or one that the lowering added.

    Attributes:
      staged: whether it becomes an operation (set by `rewrite.staged`).
      returns: whether its branches return the function's value (set by `rewrite.jumps`).
    """

    test: Test
    body: Block
    orelse: Block
    node: cst.If | None = None
    staged: bool = False
    returns: bool = False
    word: str = "if"


@dataclass(eq=False, slots=True)
class Loop(Statement):
    """A `while` or `for`.

    Attributes:
      target: the target of a `for`; None for a `while`.
      staged: whether it becomes an operation (set by `rewrite.staged`).
      break_flags: the flags that end it (set by `rewrite.jumps`).
    """

    test: Test
    body: Block
    orelse: Block
    node: cst.While | cst.For
    target: cst.BaseExpression | None = None
    target_effects: Effects = field(default_factory=Effects)
    staged: bool = False
    break_flags: tuple[str, ...] = ()

    @property
    def is_for(self) -> bool:
        """Return whether it is a `for`."""
        return self.target is not None


@dataclass(eq=False, slots=True)
class Region(Statement):
    """A `try`, `with`, `match` or `async for`: stays a Python statement around its blocks.

    `parts` are its blocks, each with the effects before it (a handler's type, a pattern).
    `rebuild` returns the statement with other blocks.
    """

    node: cst.BaseCompoundStatement
    parts: list[tuple[str, Effects, Block]]
    rebuild: Callable[[Any, list[cst.BaseSuite]], Any]


def span_of(syntax: gast.AST, columns: Callable[[int, int], int]) -> Span:
    """Return the span of a syntax node, with character columns."""
    return (
        syntax.lineno,
        columns(syntax.lineno, syntax.col_offset),
        syntax.end_lineno,
        columns(syntax.end_lineno, syntax.end_col_offset),
    )


class Pairing:
    """A parallel walk over the libcst and gast trees."""

    def __init__(self, columns: Callable[[int, int], int]) -> None:
        self._columns = columns

    def block(self, suite: cst.BaseSuite, syntax: Sequence[Any]) -> Block:
        """Pair the statements of a suite."""
        if isinstance(suite, cst.IndentedBlock):
            found = self.statements(suite.body, syntax)
            block = Block(found, suite.header, suite.footer)
        else:
            assert isinstance(suite, cst.SimpleStatementSuite)
            spaces = suite.trailing_whitespace
            line = cst.SimpleStatementLine(suite.body, trailing_whitespace=spaces)
            block = Block(self.statements([line], syntax))
        block.suite = suite
        block.nodes = tuple(map(node_of, block.statements))
        return block

    def statements(self, nodes: Sequence[Any], syntax: Sequence[Any]) -> list[Any]:
        """Pair two lists of the same statements."""
        rest = iter(syntax)
        found: list[Any] = []
        for node in nodes:
            if isinstance(node, cst.SimpleStatementLine):
                found += self._line(node, [next(rest) for _ in node.body])
            else:
                found.append(self._compound(node, next(rest)))
        return found

    def _line(self, line: cst.SimpleStatementLine, syntax: list[Any]) -> list[Any]:
        """Return one statement for a line; several if a jump shares the line."""
        jumps = [_jump_kind(node) is not None for node in line.body]
        if not any(jumps):
            effects = effects_in_order(syntax)
            origin = self._span(syntax[0])
            return [Leaf(effects, (*origin[:2], *self._span(syntax[-1])[2:]), line, tuple(syntax))]
        return [
            self._small(part, line.body[position], syntax[position])
            for position, part in enumerate(_split(line))
        ]

    def _small(self, line: cst.SimpleStatementLine, node: Any, syntax: Any) -> Any:
        kind = _jump_kind(node)
        effects, origin = effects_of(syntax), self._span(syntax)
        if kind is None:
            return Leaf(effects, origin, line, (syntax,))
        if kind != "return":
            return Jump(effects, origin, kind, line)
        value = syntax.value
        has_value = value is not None and not (
            isinstance(value, gast.Constant) and value.value is None
        )
        return Jump(effects, origin, kind, line, node.value, plain_value=not has_value)

    def _compound(self, node: cst.BaseCompoundStatement, syntax: gast.AST) -> Any:
        origin = self._span(syntax)
        if isinstance(node, cst.If):
            return self._if(node, syntax)
        if isinstance(node, cst.While):
            test = Test(node.test, effects_of(syntax.test))
            body, orelse = self.block(node.body, syntax.body), self._else(node, syntax)
            return Loop(Effects(), origin, test, body, orelse, node)
        if isinstance(node, cst.For) and node.asynchronous is None:
            return self._for(node, syntax)
        if isinstance(node, cst.FunctionDef | cst.ClassDef):
            return Leaf(effects_of(syntax), origin, node, (syntax,))
        return self._region(node, syntax)

    @any_depth
    def _if(self, node: cst.If, syntax: gast.AST) -> If:
        body = self.block(node.body, syntax.body)
        body.origin = self._span(syntax)
        test = Test(node.test, effects_of(syntax.test))
        if isinstance(node.orelse, cst.If):
            orelse = Block([self._if(node.orelse, syntax.orelse[0])])
        else:
            orelse = self._else(node, syntax)
        return If(Effects(), self._span(syntax), test, body, orelse, node)

    def _else(self, node: Any, syntax: Any) -> Block:
        if node.orelse is None:
            return Block([])
        block = self.block(node.orelse.body, syntax.orelse)
        block.lead = node.orelse.leading_lines
        block.origin = self._span(syntax.orelse[0])
        return block

    def _for(self, node: cst.For, syntax: gast.AST) -> Loop:
        return Loop(
            Effects(),
            self._span(syntax),
            Test(node.iter, effects_of(syntax.iter)),
            self.block(node.body, syntax.body),
            self._else(node, syntax),
            node,
            node.target,
            effects_of(syntax.target),
        )

    def _region(self, node: Any, syntax: Any) -> Region:
        if isinstance(node, cst.With):
            return self._with(node, syntax)
        if isinstance(node, cst.For):
            return self._async_for(node, syntax)
        if isinstance(node, cst.Match):
            return self._match(node, syntax)
        return self._try(node, syntax)

    def _with(self, node: cst.With, syntax: gast.AST) -> Region:
        effects = effects_of(*chain(*((i.context_expr, i.optional_vars) for i in syntax.items)))
        effects.suspends |= node.asynchronous is not None
        effects.calls = True
        body = self.block(node.body, syntax.body)
        return Region(
            effects,
            self._span(syntax),
            node,
            [("body", Effects(), body)],
            with_body,
        )

    def _async_for(self, node: cst.For, syntax: gast.AST) -> Region:
        effects = effects_of(syntax.iter)
        effects.suspends = effects.calls = True
        parts = [("loop", effects_of(syntax.target), self.block(node.body, syntax.body))]
        if node.orelse is not None:
            parts.append(("orelse", Effects(), self._else(node, syntax)))

        def rebuild(node: Any, suites: list[cst.BaseSuite]) -> Any:
            changed = node.with_changes(body=suites[0])
            if node.orelse is not None:
                changed = changed.with_changes(orelse=node.orelse.with_changes(body=suites[1]))
            return changed

        return Region(effects, self._span(syntax), node, parts, rebuild)

    def _match(self, node: cst.Match, syntax: gast.AST) -> Region:
        parts = [
            ("case", effects_of(case.pattern, case.guard), self.block(inner.body, case.body))
            for inner, case in zip(node.cases, syntax.cases, strict=True)
        ]

        def rebuild(node: Any, suites: list[cst.BaseSuite]) -> Any:
            cases = zip(node.cases, suites, strict=True)
            return node.with_changes(cases=[case.with_changes(body=body) for case, body in cases])

        return Region(effects_of(syntax.subject), self._span(syntax), node, parts, rebuild)

    def _try(self, node: cst.Try | cst.TryStar, syntax: gast.AST) -> Region:
        parts = [("body", Effects(), self.block(node.body, syntax.body))]
        inner: Any
        for inner, handler in zip(node.handlers, syntax.handlers, strict=True):
            effects = effects_of(handler.type, handler.name)
            if handler.name is not None:
                effects.handler_names.add(handler.name.id)
            parts.append(("handler", effects, self.block(inner.body, handler.body)))
        if node.orelse is not None:
            parts.append(("orelse", Effects(), self._else(node, syntax)))
        if node.finalbody is not None:
            final = self.block(node.finalbody.body, syntax.finalbody)
            parts.append(("finally", Effects(), final))

        return Region(Effects(), self._span(syntax), node, parts, with_parts)

    def _span(self, syntax: object) -> Span:
        return span_of(syntax, self._columns)


def with_body(node: cst.BaseCompoundStatement, suites: list[cst.BaseSuite]) -> Any:
    """Return a `with` with another block."""
    return node.with_changes(body=suites[0])


def with_parts(node: Any, suites: list[cst.BaseSuite]) -> Any:
    """Return a `try` with other blocks."""
    rest = iter(suites)
    body = next(rest)
    handlers = [handler.with_changes(body=next(rest)) for handler in node.handlers]
    changed: Any = node.with_changes(body=body, handlers=handlers)
    for name in ("orelse", "finalbody"):
        part = getattr(node, name)
        if part is not None:
            changed = changed.with_changes(**{name: part.with_changes(body=next(rest))})
    return changed


def _jump_kind(node: cst.BaseSmallStatement) -> str | None:
    if isinstance(node, cst.Return):
        return "return"
    if isinstance(node, cst.Break):
        return "break"
    if isinstance(node, cst.Continue):
        return "continue"
    return None


def _split(line: cst.SimpleStatementLine) -> list[cst.SimpleStatementLine]:
    """Split `a; return b` into two lines; the comment stays with the last."""
    lines = [
        cst.SimpleStatementLine([part.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        for part in line.body
    ]
    if len(lines) == 1:
        return [line]
    lines[0] = lines[0].with_changes(leading_lines=line.leading_lines)
    lines[-1] = lines[-1].with_changes(trailing_whitespace=line.trailing_whitespace)
    return lines


def node_of(statement: Any) -> Any:
    """Return the libcst statement of a statement; None if the lowering added it."""
    return statement.line if isinstance(statement, Jump | SetFlag) else statement.node


def blocks_of(statement: object) -> tuple[Block, ...]:
    """Return the blocks of a statement."""
    if isinstance(statement, If | Loop):
        return (statement.body, statement.orelse)
    if isinstance(statement, Region):
        return tuple(block for _, _, block in statement.parts)
    return ()


def named_blocks(statement: object) -> list[tuple[str, Block]]:
    """Return the blocks of a statement with their roles: body, handler, orelse, finally, case."""
    if isinstance(statement, If | Loop):
        return [("body", statement.body), ("orelse", statement.orelse)]
    if isinstance(statement, Region):
        return [(name, block) for name, _, block in statement.parts]
    return []


def is_loop(statement: object) -> bool:
    """Return whether a statement is the target of `break`: a loop or an `async for`."""
    is_async = isinstance(statement, Region) and statement.parts[0][0] == "loop"
    return is_async or isinstance(statement, Loop)


def inside(statements: Iterable[Any]) -> Iterator[Any]:
    """Yield all statements, nested ones included, in the order of the text."""
    waiting = [*statements][::-1]
    while waiting:
        statement = waiting.pop()
        yield statement
        for block in reversed(blocks_of(statement)):
            waiting += reversed(block.statements)


class TotalEffects:
    """The total effects of statements, blocks included; cached, so the trees must not change."""

    def __init__(self) -> None:
        """Start with an empty cache."""
        self._known: dict[int, Effects] = {}

    def of(self, statements: Iterable[Any]) -> Effects:
        """Return the union of the effects of statements."""
        total = Effects()
        for statement in statements:
            total.include(self.of_statement(statement))
        return total

    @any_depth
    def of_statement(self, statement: Any) -> Effects:
        """Return the effects of one statement."""
        known = self._known.get(id(statement))
        if known is None:
            blocks = blocks_of(statement)
            known = statement.effects if not blocks else self._total(statement, blocks)
            self._known[id(statement)] = known
        return known

    def _total(self, statement: Any, blocks: Sequence[Block]) -> Effects:
        total = Effects()
        total.include(statement.effects)
        if isinstance(statement, If | Loop):
            total.include(statement.test.effects)
        if isinstance(statement, Loop):
            total.include(statement.target_effects)
        if isinstance(statement, Region):
            for _, effects, _ in statement.parts:
                total.include(effects)
        for block in blocks:
            total.include(self.of(block))
        return total
