"""An attribute or item that is read for its error alone is looked at where it is read.

One that a staged statement may not have made looks like any other until it is used, which may be
after the `except AttributeError` that waits for it.

>>> from autograph.rewrite.show import show
>>> show('''
... try:
...     y = box.v
... except AttributeError:
...     y = 0
... ''', "box")
try:
    y = ag__.ld(box.v)
except AttributeError:
    y = 0

So is one that nothing uses.
>>> show("box.v", "box")
ag__.ld(box.v)

Left alone: methods that are called, and attributes elsewhere.
>>> show('''
... try:
...     y = box.get()
... except AttributeError:
...     y = box.v
... ''', "box")
try:
    y = ag__.converted(box.get)()
except AttributeError:
    y = box.v
"""

from __future__ import annotations

from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, bare, operator_call, rewrites


@rewrites(cst.Attribute)
def attribute(node: cst.Attribute, context: Context) -> Any:
    """`value.attr` that is read."""
    changed = context.inside(node)
    if not context.handles_attributes or not context.staged:
        return changed
    return context.replaced(node, operator_call("ld", changed))


@rewrites(cst.Expr)
def expression(node: cst.Expr, context: Context) -> Any:
    """An attribute or item as a statement."""
    changed = context.inside(node)
    unused = isinstance(node.value, cst.Attribute | cst.Subscript) and context.staged
    if not unused or context.handles_attributes:
        return changed
    read = operator_call("ld", bare(changed.value))
    return context.replaced(node, changed.with_changes(value=read))


def method(changed: Any, node: cst.Call) -> Any:
    """The function of a call, whose attribute is not looked at."""
    wrapped = isinstance(node.func, cst.Attribute) and isinstance(changed.func, cst.Call)
    return changed.with_changes(func=changed.func.args[0].value) if wrapped else changed
