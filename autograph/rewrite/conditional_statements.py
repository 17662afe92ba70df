"""`a and f()` and `f() if a else g()` as statements become `if`: nobody reads their value.

So does `y = a if b else None` where the function tests `y` for None.

>>> from autograph.rewrite.show import show
>>> show('''
... x > 0 and seen.append(x)  # only positive ones
... ''', "x, seen")
def if_body():
    ag__.converted(seen.append)(x)  # only positive ones
ag__.if_stmt(x > 0, if_body)

>>> show('''
... y = x if x > 0 else None
... return 0 if y is None else y
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
    y = None
ag__.if_stmt(x > 0, if_body, else_body, get_state, set_state, ('y?',))
return ag__.if_exp(ag__.is_none(y), lambda: 0, lambda: ag__.ld(y))

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
from autograph.stack import any_depth
from autograph.structure import Block, If, Leaf, Test, blocks_of


@any_depth
def lower_conditions(
    statements: list[Any], scope: FunctionScope, assigned: frozenset[str] = frozenset()
) -> list[Any]:
    """Rewrite such expressions as `if`.

    Args:
      statements: the statements of a block.
      scope: the names of its function.
      assigned: names that certainly have a value before the block.
    """
    lowered = []
    for statement in statements:
        for block in blocks_of(statement):
            block.statements = lower_conditions(block.statements, scope, assigned)
        lowered.append(_lowered(statement, scope, assigned))
        if isinstance(statement, Leaf):
            assigned |= statement.effects.writes.keys() - statement.effects.conditional
    return lowered


def _lowered(leaf: Any, scope: FunctionScope, assigned: frozenset[str]) -> Any:
    statement = _expression_statement(leaf, scope)
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
        _block(leaf, body, run, assigned, leaf.node.trailing_whitespace),
        Block([]) if orelse is None else _block(leaf, orelse, otherwise, assigned),
    )
    node.lead = (*leaf.lead, *leaf.node.leading_lines)
    return node


def _expression_statement(leaf: Any, scope: FunctionScope) -> Any:
    """The expression or assignment that makes up a line; None for another statement."""
    line = leaf.node if isinstance(leaf, Leaf) else None
    if not isinstance(line, cst.SimpleStatementLine) or len(line.body) != 1:
        return None
    part = line.body[0]
    return part if isinstance(part, cst.Expr) or _may_assign_none(part, scope) else None


def _may_assign_none(part: Any, scope: FunctionScope) -> bool:
    """Whether it is `name = a if b else None`, or `else name`, of an optional variable."""
    if not isinstance(part, cst.Assign) or not isinstance(part.value, cst.IfExp):
        return False
    target = part.targets[0].target
    if len(part.targets) > 1 or not isinstance(target, cst.Name):
        return False
    values = (part.value.body, part.value.orelse)
    return scope.is_optional(target.value) and any(
        isinstance(value, cst.Name) and value.value in ("None", target.value) for value in values
    )


def _block(
    leaf: Leaf, value: Any, syntax: Any, assigned: frozenset[str], comment: Any = None
) -> Block:
    """The statement of a leaf with one expression as its value, as a block."""
    old: Any = leaf.node
    part = old.body[0].with_changes(value=value)
    if _changes_nothing(part, assigned):
        return Block([], origin=leaf.origin)
    line = cst.SimpleStatementLine([part])
    if comment is not None:
        line = line.with_changes(trailing_whitespace=comment)
    statement = copy.copy(leaf.syntax[0])
    statement.value = syntax
    inner = Leaf(effects_of(statement), leaf.origin, line, (statement,))
    return Block([inner], origin=leaf.origin)


def _changes_nothing(part: Any, assigned: frozenset[str]) -> bool:
    """Whether it is `name = name` of a variable that has a value."""
    if not isinstance(part, cst.Assign):
        return False
    value, target = part.value, part.targets[0].target
    if not (isinstance(value, cst.Name) and isinstance(target, cst.Name)):
        return False
    return value.value == target.value and value.value in assigned


def _in_parentheses(node: Any) -> Any:
    if node.lpar or isinstance(node, cst.Name | cst.Call | cst.Attribute | cst.Subscript):
        return node
    return node.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
