"""Rewrite `a if test else b` as a call, so that the test can be a tensor.

>>> from autograph.rewrite.show import show
>>> show("y = x if x > 0 else -x", "x")
y = ag__.if_exp(x > 0, lambda: x, lambda: -x)

Left alone, because Python decides.
>>> show("y = 0 if x is None else x", "x")
y = 0 if x is None else x
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, bare, before_break, operator_call, rewrites
from autograph.rewrite.known import gives_python_value


@rewrites(cst.IfExp)
def conditional_expression(node: cst.IfExp, context: Context) -> Any:
    """Rewrite a conditional expression; both values become lambdas."""
    movable = context.delayable(node.body) and context.delayable(node.orelse)
    python = gives_python_value(node.test, context)
    if python or not movable or not context.staged:
        return context.inside(node)
    test = bare(context.rewrite(node.test))
    if_value, else_value = context.function_of(node.body), context.function_of(node.orelse)
    test = before_break(test, node.whitespace_before_if, node.whitespace_after_if)
    if_value = before_break(if_value, node.whitespace_before_else, node.whitespace_after_else)
    call = operator_call("if_exp", test, if_value, else_value)
    if bare(node) is node and node.lpar:
        call = call.with_changes(lpar=node.lpar, rpar=node.rpar)
    return context.replaced(node, call)
