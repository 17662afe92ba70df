"""An attribute that `except AttributeError` waits for is looked at where it is read.

An attribute that a staged statement may not have made looks like any other until it is used, which
may be after the handler.

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

from autograph.rewrite.expressions import Context, operator_call, rewrites


@rewrites(cst.Attribute)
def attribute(node: cst.Attribute, context: Context) -> Any:
    """`value.attr` that is read."""
    changed = context.inside(node)
    if not context.handles_attributes or not context.staged:
        return changed
    return context.replaced(node, operator_call("ld", changed))


def method(changed: Any, node: cst.Call) -> Any:
    """The function of a call, whose attribute is not looked at."""
    wrapped = isinstance(node.func, cst.Attribute) and isinstance(changed.func, cst.Call)
    return changed.with_changes(func=changed.func.args[0].value) if wrapped else changed
