"""Lower the statements `a and f()` and `f() if a else g()` to `if`: their value is unused.

>>> from autograph.rewrite.show import show
>>> show('''
... x > 0 and seen.append(x)  # only positive ones
... ''', "x, seen")
def if_body():
    ag__.converted(seen.append)(x)  # only positive ones
ag__.if_stmt(x > 0, if_body)

Left alone, because Python decides.
>>> show('''
... seen is not None and seen.append(x)
... ''', "x, seen")
seen is not None and ag__.converted(seen.append)(x)

Runs before it is decided what is staged.
"""

from __future__ import annotations

import copy
from typing import Any

import gast
import libcst as cst

from autograph.analysis.effects import effects_of
from autograph.analysis.scopes import FunctionScope
from autograph.rewrite.known import gives_python_value
from autograph.syntax.stack import any_depth
from autograph.syntax.structure import Block, If, Leaf, Test, blocks_of


@any_depth
def lower_conditions(statements: list[Any], scope: FunctionScope) -> list[Any]:
    """Lower such statements to `if`."""
    for statement in statements:
        for block in blocks_of(statement):
            block.statements = lower_conditions(block.statements, scope)
    return [_lowered(statement, scope) for statement in statements]


def _lowered(leaf: Any, scope: FunctionScope) -> Any:
    statement = _expression_statement(leaf)
    value = None if statement is None else statement.value
    if isinstance(value, cst.IfExp):
        test, body, orelse = value.test, value.body, value.orelse
        syntax = leaf.syntax[0].value
        tested, run, otherwise = syntax.test, syntax.body, syntax.orelse
    elif isinstance(value, cst.BooleanOperation):
        test, body, orelse, otherwise = value.left, value.right, None, None
        *rest, run = leaf.syntax[0].value.values
        tested = gast.BoolOp(leaf.syntax[0].value.op, rest)
        if isinstance(value.operator, cst.Or):
            test = cst.UnaryOperation(cst.Not(), _in_parentheses(test))
    else:
        return leaf
    if leaf.effects.suspends or gives_python_value(test, scope):
        return leaf
    node = If(
        effects_of(),
        leaf.origin,
        Test(test, effects_of(tested)),
        _block(leaf, body, run, leaf.node.trailing_whitespace),
        Block([]) if orelse is None else _block(leaf, orelse, otherwise),
    )
    node.lead = (*leaf.lead, *leaf.node.leading_lines)
    return node


def _expression_statement(leaf: object) -> Any:
    """Return the expression of an expression statement; None for another statement."""
    line = leaf.node if isinstance(leaf, Leaf) else None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    part = line.body[0]
    return part if isinstance(part, cst.Expr) else None


def _block(leaf: Leaf, value: object, syntax: object, comment: object = None) -> Block:
    """Return a block with one expression of a leaf as its statement."""
    old: Any = leaf.node
    part = old.body[0].with_changes(value=value)
    line = cst.SimpleStatementLine([part])
    if comment is not None:
        line = line.with_changes(trailing_whitespace=comment)
    statement = copy.copy(leaf.syntax[0])
    statement.value = syntax
    inner = Leaf(effects_of(statement), leaf.origin, line, (statement,))
    return Block([inner], origin=leaf.origin)


def _in_parentheses(node: cst.BaseExpression) -> Any:
    if node.lpar or isinstance(node, cst.Name | cst.Call | cst.Attribute | cst.Subscript):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
