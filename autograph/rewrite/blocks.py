"""Write blocks as suites, or as functions for staged statements.

Shared by the writers of `if`, loops, `try` and the rest: the current position in the function, the
names in scope, and the state functions written so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any

import libcst as cst

from autograph.analysis.effects import Effects
from autograph.analysis.plan import Closure, Plan
from autograph.conversion_result import Span
from autograph.rewrite.expressions import Context, delayed, operator_call
from autograph.rewrite.templates import declaration_rows
from autograph.syntax.names import Names
from autograph.syntax.structure import Block, If, Leaf, Loop, Test, blocks_of


class BlockWriter:
    """A writer of the blocks of one function, according to its plan.

    statement: writes one statement. inherited: names of the functions around that may have no
    value. closure: the function in which the text being written stands. state_functions: those
    written so far, a table for each block around.
    """

    def __init__(
        self,
        plan: Plan,
        context: Context,
        names: Names,
        inherited: frozenset[str],
        statement: Callable[[Any], list[Any]],
    ) -> None:
        self.plan = plan
        self.context = context
        self.names = names
        self.inherited = inherited
        self.closure = plan.root
        self.state_functions: list[dict[Any, tuple[str, str]]] = []
        self._statement = statement

    def suite(self, block: Block, written: list[Any]) -> cst.BaseSuite:
        """Return the suite of a block; the original one if nothing changed."""
        if block.suite is not None and identical(written, block.nodes) and not block.lead:
            return block.suite
        if isinstance(block.suite, cst.IndentedBlock):
            new = block.suite.with_changes(body=written or [pass_line()], footer=block.footer)
            self.context.origins[id(new)] = (new, block.suite)
            return new
        header = block.header or cst.TrailingWhitespace()
        return cst.IndentedBlock(written or [pass_line()], header=header, footer=block.footer)

    def inner_suite(self, block: Block, written: list[Any]) -> cst.BaseSuite:
        """Return the suite of a block whose opening line has its comments."""
        lead, block.lead = block.lead, ()
        suite = self.suite(block, written)
        block.lead = lead
        return suite

    def block(self, statements: Sequence[Any]) -> list[Any]:
        """Write the statements of a block."""
        self.state_functions.append({})
        written: list[Any] = []
        for statement in statements:
            nodes = self._with_definitions(statement)
            if statement.lead and nodes:
                nodes[0] = led(nodes[0], statement.lead)
            written += nodes
        self.state_functions.pop()
        return written

    def _with_definitions(self, statement: object) -> list[Any]:
        """Return a statement, preceded by the functions that its expressions need."""
        context = self.context
        around, context.definitions = context.definitions, []
        nodes = self._statement(statement)
        nodes, context.definitions = [*context.definitions, *nodes], around
        return nodes

    def stand_at(self, point: int, effects: Effects) -> None:
        """Set which of the read names may be unassigned."""
        used = effects.reads | effects.deletes
        names = self.plan.undefined_at(used, point, self.closure)
        deleted = effects.deletes & effects.reads  # As in `del x; f(x)` on one line.
        self.context.undefined = names | deleted | self.inherited

    def test(self, test: Test, point: int) -> Any:
        """Return the test of a statement as an expression."""
        if test.expression is not None:
            self.stand_at(point, test.effects)
            return self.context.rewrite(test.expression)
        flags: Any = cst.Name(test.flags[0])
        if len(test.flags) > 1:
            rest = [delayed(cst.Name(flag)) for flag in test.flags[1:]]
            flags = operator_call("or_", flags, *rest)
        return operator_call("not_", flags) if test.unset else flags

    @contextmanager
    def inside(self, closure: Closure) -> Iterator[None]:
        """Surround the writing of a generated function."""
        context = self.context
        before = self.closure, context.in_closure, context.displaced
        self.closure, context.in_closure, context.displaced = closure, True, True
        yield
        self.closure, context.in_closure, context.displaced = before

    def definition(
        self,
        name: str,
        parameters: Sequence[str],
        block: Block,
        closure: Closure,
        first: Iterable[Any] = (),
    ) -> cst.FunctionDef:
        """Write a block as a function; `first` are statements before its own."""
        with self.inside(closure):
            written = [*first, *self.block(block.statements)]
        known = {*parameters, *_declared(block)}
        head = self.declarations(closure, known) + self.undefined(closure, parameters)
        origin = block.origin or (1, 0, 1, 0)
        for line in head:
            self.added(origin, line)
        header = block.header or cst.TrailingWhitespace()
        lines = [*head, *written] or [pass_line()]
        body = cst.IndentedBlock(lines, header=header, footer=block.footer)
        params = cst.Parameters([cst.Param(cst.Name(each)) for each in parameters])
        return cst.FunctionDef(cst.Name(name), params, body, leading_lines=block.lead)

    def declarations(self, closure: Closure, known: Set[str]) -> list[Any]:
        """Return `nonlocal` and `global` for the assigned names that are not local."""
        names = [name for name in closure.outer_names if name not in known]
        scope = self.context.scope
        of_module = [name for name in names if name in scope.globals]
        outer = [name for name in names if name not in scope.globals]
        lines: list[Any] = []
        for kind, group in ((cst.Nonlocal, outer), (cst.Global, of_module)):
            for row in declaration_rows(group):
                items = [cst.NameItem(cst.Name(name)) for name in row]
                lines.append(cst.SimpleStatementLine([kind(items)]))
        return lines

    def undefined(self, closure: Closure, parameters: Sequence[str]) -> list[Any]:
        """Return the assignments of variables that start as `Undefined`."""
        names = [name for name in closure.undefined if name not in parameters]
        return [_undefined_line(row) for row in declaration_rows(names)]

    def added(self, origin: Span, node: object) -> Any:
        """Record the origin of a generated statement."""
        if id(node) not in self.context.origins:
            self.context.origins[id(node)] = (node, origin)
        return node


def _declared(block: Block) -> set[str]:
    """Return the names that the user declares in a block."""
    found: set[str] = set()
    for statement in block:
        if isinstance(statement, Leaf):
            found |= statement.effects.globals | statement.effects.nonlocals
        elif not (isinstance(statement, If | Loop) and statement.staged):
            found = found.union(*map(_declared, blocks_of(statement)))
    return found


def _undefined_line(names: Sequence[str]) -> cst.SimpleStatementLine:
    """Return `a, b = ag__.undefined('a', 'b')`."""
    call = operator_call("undefined", *[cst.SimpleString(repr(name)) for name in names])
    target: Any = cst.Name(names[0])
    if len(names) > 1:
        target = cst.Tuple([cst.Element(cst.Name(name)) for name in names], lpar=[], rpar=[])
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(target)], call)])


def identical(new: Sequence[Any], old: Sequence[Any]) -> bool:
    """Return whether two sequences have identical items."""
    return len(new) == len(old) and all(a is b for a, b in zip(new, old, strict=True))


def pass_line() -> cst.SimpleStatementLine:
    """Return `pass`."""
    return cst.SimpleStatementLine([cst.Pass()])


def led(node: cst.BaseCompoundStatement, lines: Sequence[cst.EmptyLine]) -> Any:
    """Return a statement with comment lines before it."""
    return node.with_changes(leading_lines=[*lines, *node.leading_lines]) if lines else node


def is_commented(block: Block) -> bool:
    """Return whether a block has comments on its opening line, before or after its statements."""
    lines = [*block.lead, *block.footer]
    return any(line.comment for line in lines) or bool(block.header and block.header.comment)
