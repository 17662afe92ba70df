"""Write statements as libcst nodes: each kind has a writer; this one writes simple statements.

>>> from autograph.rewrite.show import show
>>> show('''
... if x > 0:
...     x: int = x + 1  # a variable of the function around cannot be annotated
... return x
... ''', "x")
def get_state():
    return (x,)
def set_state(vars_):
    nonlocal x
    (x,) = vars_
def if_body():
    nonlocal x
    x = x + 1  # a variable of the function around cannot be annotated
ag__.if_stmt(x > 0, if_body, None, get_state, set_state, ('x',))
return x
"""

from __future__ import annotations

from typing import Any, Protocol

import gast
import libcst as cst

from autograph.analysis.plan import Plan
from autograph.rewrite.blocks import BlockWriter, identical
from autograph.rewrite.branches import BranchWriter
from autograph.rewrite.comments import comments_of, with_comments
from autograph.rewrite.expressions import Context, operator_call
from autograph.rewrite.loops import LoopWriter
from autograph.rewrite.regions import RegionWriter
from autograph.rewrite.states import StateWriter
from autograph.rewrite.unbound import guarded
from autograph.syntax.names import Names
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import Block, If, Jump, Leaf, Loop, SetFlag, node_of


class InnerDefinitions(Protocol):
    """The rewriter of inner functions and classes."""

    def function(
        self,
        node: cst.FunctionDef,
        syntax: gast.AST,
        prefix: str,
        around: Context,
        undefined: frozenset[str],
    ) -> Any:
        """Rewrite an inner `def`."""

    def class_(
        self,
        node: cst.ClassDef,
        syntax: gast.AST,
        prefix: str,
        around: Context,
        undefined: frozenset[str],
    ) -> Any:
        """Rewrite an inner class."""


class StatementWriter:
    """A writer of the statements of one function, according to its plan."""

    def __init__(
        self,
        inner: InnerDefinitions,
        plan: Plan,
        context: Context,
        names: Names,
        prefix: str,
        inherited: frozenset[str],
    ) -> None:
        self._inner = inner
        self._plan = plan
        self._context = context
        self._prefix = prefix
        self._blocks = BlockWriter(plan, context, names, inherited, self._statement)
        states = StateWriter(self._blocks)
        self._branches = BranchWriter(self._blocks, states)
        self._loops = LoopWriter(self._blocks, states)
        self._regions = RegionWriter(self._blocks)

    def function_body(self, body: Block) -> cst.BaseSuite:
        """Write the suite of the function; return the same suite if nothing changed."""
        written = self._blocks.block(body.statements)
        undefined = self._blocks.undefined(self._plan.root, self._context.scope.parameters)
        if undefined:
            at = 1 if _has_docstring(body) else 0
            written[at:at] = undefined
        return self._blocks.suite(body, written)

    @any_depth
    def _statement(self, statement: Any) -> list[Any]:
        comments = comments_of(statement)
        written = self._written(statement)
        if not comments or not written:
            return written
        complete = with_comments(written, comments)
        if complete[0] is not written[0]:
            origins = self._context.origins
            _, origin = origins.get(id(written[0]), (None, statement.origin))
            origins[id(complete[0])] = complete[0], origin
        return complete

    def _written(self, statement: Any) -> list[Any]:
        point = self._plan.flow.points(statement).before
        if isinstance(statement, Leaf):
            self._blocks.stand_at(point, statement.effects)
            return self._leaf(statement)
        if isinstance(statement, Jump):
            self._blocks.stand_at(point, statement.effects)
            return [self._jump(statement)]
        if isinstance(statement, SetFlag):
            self._blocks.stand_at(point, statement.effects)
            return self._set_flag(statement)
        if isinstance(statement, If):
            return self._branches.write(statement)
        if isinstance(statement, Loop):
            return self._loops.write(statement)
        return self._regions.write(statement)

    def _leaf(self, leaf: Leaf) -> list[Any]:
        node = leaf.node
        if isinstance(node, cst.FunctionDef):
            undefined = self._blocks.inherited | self._plan.undefined_anywhere()
            around = self._context
            return [self._inner.function(node, leaf.syntax[0], self._prefix, around, undefined)]
        if isinstance(node, cst.ClassDef):
            undefined = self._blocks.inherited | self._plan.undefined_anywhere()
            around = self._context
            return [self._inner.class_(node, leaf.syntax[0], self._prefix, around, undefined)]
        assert isinstance(node, cst.SimpleStatementLine)
        self._blocks.added(leaf.origin, node)  # It is new where it shared a line with a jump.
        if self._blocks.closure.parent is not None:
            node = self._without_annotations(node)
        written = self._context.rewrite(node)
        lines = guarded(written, self._context, self._unbindable(leaf))
        if not leaf.syntax or lines != [written]:
            for line in lines:
                self._blocks.added(leaf.origin, line)
        return lines

    def _unbindable(self, leaf: Leaf) -> set[str]:
        """Return the deleted names that generated functions may read later."""
        closure, inherited = self._blocks.closure, self._blocks.inherited
        return {
            name
            for name in leaf.effects.deletes
            if name in inherited
            or closure.home(name) is not closure
            or closure.home(name).may_unbind(name)
        }

    def _without_annotations(self, line: cst.SimpleStatementLine) -> cst.SimpleStatementLine:
        """Remove the annotation of a variable declared `nonlocal`, which Python forbids."""
        outer = set(self._blocks.closure.outer_names)
        body = [_unannotated(part, outer) for part in line.body]
        if identical(body, line.body):
            return line
        new = line.with_changes(body=body)
        self._context.origins[id(new)] = (new, line)
        return new

    def _jump(self, jump: Jump) -> Any:
        if jump.line is not None:
            return self._context.rewrite(jump.line)
        parts: dict[str, Any] = {
            "break": cst.Break(),
            "continue": cst.Continue(),
            "return": cst.Return(jump.value),
        }
        return self._blocks.added(jump.origin, cst.SimpleStatementLine([parts[jump.kind]]))

    def _set_flag(self, flag: SetFlag) -> list[Any]:
        lines = []
        if flag.retval is not None and not flag.holds:
            nothing = operator_call("undefined", cst.SimpleString(repr(flag.retval)))
            lines.append(_assignment(flag.retval, nothing))
        elif flag.retval is not None:
            value = cst.Name("None") if flag.value is None else self._context.rewrite(flag.value)
            lines.append(_assignment(flag.retval, value))
        lines.append(_assignment(flag.flag, cst.Name(str(flag.holds))))
        if flag.line is not None:
            lines[0] = lines[0].with_changes(leading_lines=flag.line.leading_lines)
            spaces = flag.line.trailing_whitespace
            lines[-1] = lines[-1].with_changes(trailing_whitespace=spaces)
        return [self._blocks.added(flag.origin, line) for line in lines]


def _assignment(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([cst.Assign([cst.AssignTarget(cst.Name(name))], value)])


def _has_docstring(body: Block) -> bool:
    if not body.statements or not isinstance(body.statements[0], Leaf):
        return False
    node = node_of(body.statements[0])
    if not isinstance(node, cst.SimpleStatementLine) or not isinstance(node.body[0], cst.Expr):
        return False
    return isinstance(node.body[0].value, cst.SimpleString | cst.ConcatenatedString)


def _unannotated(part: object, outer: set[str]) -> Any:
    if not isinstance(part, cst.AnnAssign) or not isinstance(part.target, cst.Name):
        return part
    if part.value is None:
        return cst.Pass(semicolon=part.semicolon)
    if part.target.value not in outer:
        return part
    return cst.Assign([cst.AssignTarget(part.target)], part.value, semicolon=part.semicolon)
