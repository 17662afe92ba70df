"""Rewrite `if` as a call with branches as functions; an `elif` chain is one call.

>>> from autograph.rewrite.show import show
>>> show('''
... if x > 0:
...     y = x
... else:
...     y = -x  # mirrored
... return y
... ''', "x")
y = ag__.undefined('y')
def get_state():
    return (y,)
def set_state(vars_):
    nonlocal y
    (y,) = vars_
def if_body():
    nonlocal y
    y = x
def else_body():
    nonlocal y
    y = -x  # mirrored
ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y',))
return y

Branches that end in `return` return their values.
>>> show('''
... if x > 0:
...     return x
... return 0
... ''', "x")
return ag__.if_stmt(x > 0, lambda: x, lambda: 0)

Left alone where only Python values can decide.
>>> show('''
... if x is None:
...     x = 0
... return x
... ''', "x")
if x is None:
    x = 0
return x
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from autograph.rewrite.blocks import BlockWriter, is_commented, led
from autograph.rewrite.comments import comments_in
from autograph.rewrite.expressions import bare, delayed, operator_call
from autograph.rewrite.spacing import with_parts
from autograph.rewrite.states import StateWriter
from autograph.syntax.structure import Block, If, Jump, Test


class BranchWriter:
    """A writer of the `if` statements of one function."""

    def __init__(self, blocks: BlockWriter, states: StateWriter) -> None:
        self._blocks = blocks
        self._plan = blocks.plan
        self._context = blocks.context
        self._names = blocks.names
        self._states = states

    def write(self, node: If) -> list[Any]:
        """Write an `if`, preceded by the definitions that it needs."""
        return self._staged(node) if node.staged else self._plain(node)

    def _plain(self, node: If) -> list[Any]:
        """Write an `if` that stays Python."""
        test = self._blocks.test(node.test, self._plan.flow.points(node).before)
        body = self._blocks.suite(node.body, self._blocks.block(node.body.statements))
        orelse = self._else(node)
        old = node.node
        if old is None:
            new = cst.If(test, body, orelse=orelse)
            return [self._blocks.added(node.origin, new)]
        if old.test is test and old.body is body and old.orelse is orelse:
            return [old]
        return [self._context.replaced(old, with_parts(old, test=test, body=body, orelse=orelse))]

    def _else(self, node: If) -> Any:
        block = node.orelse
        old = None if node.node is None else node.node.orelse
        if not block.statements:
            return None
        written = self._blocks.block(block.statements)
        if isinstance(old, cst.If):
            if _is_one_if(written) and not block.suite:
                return written[0]
            return cst.Else(cst.IndentedBlock(written, footer=block.footer))
        if old is None and _is_one_if(written) and not is_commented(block):
            return written[0]
        suite = self._blocks.inner_suite(block, written)
        if old is None:
            return cst.Else(suite, leading_lines=block.lead)
        return old if old.body is suite else with_parts(old, body=suite)

    def _staged(self, node: If) -> list[Any]:
        """Write a staged `if`: state functions, branches, and the call."""
        arms, orelse = self._arms(node)
        for arm in arms[1:]:
            arm.body.lead = (*_comments(arm), *arm.body.lead)
        written, state = self._states.state(node)
        bodies = []
        for arm in arms:
            body, definitions = self._branch(arm.body, f"{arm.word}_body", arm.returns)
            bodies.append(body)
            written += definitions
        last, definitions = self._branch(orelse, "else_body", node.returns)
        written += definitions
        call = self._if_call(arms, bodies, last, state)
        part = cst.Return(call) if node.returns else cst.Expr(call)
        line = self._blocks.added(node.origin, cst.SimpleStatementLine([part]))
        if node.node is not None and not node.body.statements:
            line = _with_comment(line, node.body.header)
        written.append(line)
        for each in written[:-1]:
            self._blocks.added(node.origin, each)
        if node.node is not None:
            written[0] = led(written[0], node.node.leading_lines)
        return written

    def _arms(self, node: If) -> tuple[list[If], Block]:
        arms = [node]
        while len(arms[-1].orelse.statements) == 1:
            following = arms[-1].orelse.statements[0]
            if not self._chains(arms[-1], following, node):
                break
            arms.append(following)
        return arms, arms[-1].orelse

    def _chains(self, before: If, following: object, first: If) -> bool:
        """Return whether an `if` is the whole `else` before it, and can be one more arm."""
        if not isinstance(following, If) or not following.staged:
            return False
        block = before.orelse
        if block.footer or following.returns != first.returns:
            return False
        commented = block.lead or (block.header is not None and block.header.comment)
        tests = [each.test for each in (before, following)]
        return not commented and all(map(self._test_movable, tests))

    def _test_movable(self, test: Test) -> bool:
        return test.expression is None or self._context.movable(test.expression)

    def _branch(self, block: Block, wish: str, returns: bool) -> tuple[Any, list[Any]]:
        """Return the argument of the call for a branch, and the definition before the call."""
        if not block.statements and not is_commented(block):
            return cst.Name("None"), []
        closure = self._plan.closure(block)
        value = _only_value(block) if returns and not closure.undefined else None
        if value is not None and self._context.movable(value):
            point = self._plan.flow.points(block.statements[0])
            with self._blocks.inside(closure):
                self._blocks.stand_at(point.before, block.statements[0].effects)
                return delayed(bare(self._context.rewrite(value))), []
        name = self._names.fresh(wish)
        definition = self._blocks.definition(name, [], block, closure)
        return cst.Name(name), [definition]

    def _if_call(
        self, arms: Sequence[If], bodies: Sequence[Any], last: object, state: Sequence[Any]
    ) -> cst.Call:
        if len(arms) == 1:
            point = self._plan.flow.points(arms[0]).before
            test = bare(self._blocks.test(arms[0].test, point))
            arguments = [test, bodies[0], last, *state]
            if not state and _is_none(last):
                arguments = arguments[:2]
            return operator_call("if_stmt", *arguments)
        rows = []
        with self._context.in_lambda():
            for arm, body in zip(arms, bodies, strict=True):
                point = self._plan.flow.points(arm).before
                test = delayed(bare(self._blocks.test(arm.test, point)))
                rows.append(cst.Element(cst.Tuple([cst.Element(test), cst.Element(body)])))
        arguments = [cst.Tuple(rows), last, *state]
        if not state and _is_none(last):
            arguments = arguments[:1]
        return operator_call("if_chain", *arguments)


def _is_one_if(written: list[Any]) -> bool:
    return len(written) == 1 and isinstance(written[0], cst.If)


def _is_none(node: object) -> bool:
    return isinstance(node, cst.Name) and node.value == "None"


def _comments(node: If) -> Sequence[cst.EmptyLine]:
    """Return the comment lines before an `if` that becomes an arm."""
    lines = [*node.lead, *(node.node.leading_lines if node.node is not None else ())]
    return lines if any(line.comment for line in lines) else ()


def _with_comment(line: cst.SimpleStatementLine, header: object) -> cst.SimpleStatementLine:
    return line if header is None else line.with_changes(trailing_whitespace=header)


def _only_value(block: Block) -> Any:
    """Return the value of a branch that is a single `return value` without comments."""
    if len(block.statements) != 1 or is_commented(block):
        return None
    jump = block.statements[0]
    if not isinstance(jump, Jump) or jump.value is None or jump.lead:
        return None
    if comments_in(jump.value):
        return None
    line = jump.line
    if line is not None and (
        line.trailing_whitespace.comment or any(each.comment for each in line.leading_lines)
    ):
        return None
    return jump.value
