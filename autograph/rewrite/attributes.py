"""Check an attribute or item that is read for its error only.

If a staged statement may not have assigned it, it holds a placeholder that raises on use. The use
may be after the `except AttributeError`, or there may be none, so the read itself is checked.

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

So is one that the module assigns in blocks only.
>>> show('''
... if x > 0:
...     box.v = x
... y = box.v
... return x
... ''', "box, x")
def if_body():
    box.v = x
ag__.if_stmt(x > 0, if_body)
y = ag__.ld(box.v)
return x

`__dict__` asks which attributes there are.
>>> show("return len(box.__dict__)", "box")
return ag__.converted(len)(ag__.names(box))

So is one that is deleted.
>>> show("del box.v, box.row[0]", "box")
del ag__.at(box).v, ag__.at(box).row[0]

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

import operator
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, bare, operator_call, rewrite_target, rewrites
from autograph.rewrite.spacing import with_parts


@rewrites(cst.Attribute)
def attribute(node: cst.Attribute, context: Context) -> Any:
    """Rewrite `value.attr` in a load context."""
    changed = context.inside(node)
    if context.staged and node.attr.value == "__dict__":
        return context.replaced(node, operator_call("names", bare(changed.value)))
    if not context.staged or not _is_checked(node, context):
        return changed
    return context.replaced(node, operator_call("ld", changed))


def _is_checked(node: cst.Attribute, context: Context) -> bool:
    return context.handles_attributes or f".{node.attr.value}" in context.scope.outer.partial


@rewrites(cst.Del)
def delete(node: cst.Del, context: Context) -> Any:
    """Rewrite `del`: its targets are not read."""
    target = _deleted(node.target, context)
    return node if target is node.target else with_parts(node, target=target)


def _deleted(target: object, context: Context) -> Any:
    if isinstance(target, cst.Tuple | cst.List):
        old = [each.value for each in target.elements]
        new = [_deleted(each, context) for each in old]
        if all(map(operator.is_, new, old)):
            return target
        pairs = zip(target.elements, new, strict=True)
        return with_parts(target, elements=[with_parts(each, value=value) for each, value in pairs])
    if not isinstance(target, cst.Attribute) or not context.staged:
        return rewrite_target(target, context)
    owner = operator_call("at", bare(context.rewrite(target.value)))
    return context.replaced(target, target.with_changes(value=owner))


@rewrites(cst.Expr)
def expression(node: cst.Expr, context: Context) -> Any:
    """Rewrite an attribute or item used as a statement."""
    changed = context.inside(node)
    if not context.staged or not isinstance(node.value, cst.Attribute | cst.Subscript):
        return changed
    if isinstance(node.value, cst.Attribute) and _is_checked(node.value, context):
        return changed
    read = operator_call("ld", bare(changed.value))
    return context.replaced(node, changed.with_changes(value=read))


def method(changed: Any, node: cst.Call) -> Any:
    """Rewrite a call; the attribute of its function is not checked."""
    wrapped = isinstance(node.func, cst.Attribute) and isinstance(changed.func, cst.Call)
    return changed.with_changes(func=changed.func.args[0].value) if wrapped else changed
