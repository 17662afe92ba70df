"""Rewrite reads of environment variables as calls, so that a trace can warn.

>>> from autograph.rewrite.show import show
>>> show("home = os.environ['HOME']")
home = ag__.converted(os.environ.__getitem__)('HOME')

Left alone: other subscripts.
>>> show("first = xs[0]", "xs")
first = xs[0]
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, operator_call

_NAME = "environ"


def read_variable(node: cst.Subscript, context: Context) -> Any:
    """Rewrite `os.environ[key]` in a load context."""
    changed = context.inside(node)
    if not context.convert_calls or len(node.slice) != 1:
        return changed
    key = changed.slice[0].slice
    if not isinstance(key, cst.Index) or context.quotes:
        return changed
    getter = operator_call("converted", cst.Attribute(changed.value, cst.Name("__getitem__")))
    return context.replaced(node, cst.Call(getter, [cst.Arg(key.value)]))


def is_environment(node: cst.BaseExpression) -> bool:
    """Return whether an expression ends in the name `environ`."""
    if isinstance(node, cst.Attribute):
        return node.attr.value == _NAME
    return isinstance(node, cst.Name) and node.value == _NAME
