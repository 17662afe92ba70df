"""Rewrite `assert` as a call, so that a tensor is checked at run time.

>>> from autograph.rewrite.show import show
>>> show("assert x > 0, f'bad {x}'", "x")
ag__.assert_stmt(lambda: x > 0, lambda: ag__.format('bad {}', x))

Left alone, because Python decides.
>>> show("assert x is not None", "x")
assert x is not None
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, operator_call, rewrites
from autograph.rewrite.known import gives_python_value


@rewrites(cst.Assert)
def assertion(node: cst.Assert, context: Context) -> Any:
    """Test and message are delayed: without assertions (`python -O`) neither is evaluated."""
    parts = [node.test] if node.msg is None else [node.test, node.msg]
    python = gives_python_value(node.test, context)
    if python or not context.staged or not all(map(context.delayable, parts)):
        return context.inside(node)
    call = operator_call("assert_stmt", *map(context.function_of, parts))
    return context.replaced(node, cst.Expr(call, semicolon=node.semicolon))
