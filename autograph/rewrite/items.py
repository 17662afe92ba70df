"""`a[i] = value` assigns `a`, so that it can become a new tensor.

>>> from autograph.rewrite.show import show
>>> show("a[i] = v", "a, i, v")
a = ag__.set_item(a, i, v)
>>> show("a[i, 1:] += v", "a, i, v")
a = ag__.update_item(a, ag__.s_[i, 1:], '+', lambda: v)

Python evaluates the value first, then the index; where both do something, so does the call.
>>> show("a[next(i)] = next(v)", "a, i, v")
a = ag__.set_item(value=ag__.converted(next)(v), target=a, index=ag__.converted(next)(i))

Left alone: a list, dict or set made in the same function, and names of other scopes.
>>> show('''
... counts = {}
... counts[i] = v
... table[i] = v
... ''', "i, v")
counts = {}
counts[i] = v
table[i] = v
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import (
    Context,
    bare,
    delayed,
    operator_call,
    own_target,
    rewrites,
)
from autograph.rewrite.known import is_constant

_SIGNS = {
    cst.AddAssign: "+",
    cst.SubtractAssign: "-",
    cst.MultiplyAssign: "*",
    cst.DivideAssign: "/",
    cst.FloorDivideAssign: "//",
    cst.ModuloAssign: "%",
    cst.PowerAssign: "**",
    cst.MatrixMultiplyAssign: "@",
    cst.BitAndAssign: "&",
    cst.BitOrAssign: "|",
    cst.BitXorAssign: "^",
    cst.LeftShiftAssign: "<<",
    cst.RightShiftAssign: ">>",
}


@rewrites(cst.Assign)
def assign_item(node: cst.Assign, context: Context) -> Any:
    """`a[i] = value` with a name `a` of this function."""
    target: Any = node.targets[0].target
    if len(node.targets) > 1 or not _is_item(target, context):
        return context.inside(node)
    name = target.value.value
    value = bare(context.rewrite(node.value))
    index = _index(target, context)
    if _in_any_order(target, node.value, context):
        call = operator_call("set_item", cst.Name(name), index, value)
    else:
        call = operator_call("set_item", value, cst.Name(name), index)
        keywords = ("value", "target", "index")
        call = call.with_changes(
            args=[_named(word, arg) for word, arg in zip(keywords, call.args, strict=True)]
        )
    changed = cst.Assign([cst.AssignTarget(cst.Name(name))], call, semicolon=node.semicolon)
    return context.replaced(node, changed)


def _in_any_order(target: cst.Subscript, value: Any, context: Context) -> bool:
    """Whether the index may be evaluated before the value, although Python does it after."""
    assigned = {name for part in (target, value) for name in _assigned_inside(part)}
    if _is_stable(value, assigned, context):
        return True
    indices = [_index_value(each.slice) for each in target.slice]
    return _are_stable([target.value, *indices], assigned, context)


def _index_value(part: Any) -> Any:
    return part.value if isinstance(part, cst.Index) and part.star is None else part


def _is_stable(node: Any, assigned: set[str], context: Context) -> bool:
    """Whether an expression does nothing, and gives the same before and after others."""
    if isinstance(node, cst.Name):
        return is_constant(node) or _keeps_its_value(node.value, assigned, context)
    if isinstance(node, cst.Tuple | cst.List):
        parts = [each.value for each in node.elements if isinstance(each, cst.Element)]
        return len(parts) == len(node.elements) and _are_stable(parts, assigned, context)
    if isinstance(node, cst.Slice):
        parts = [part for part in (node.lower, node.upper, node.step) if part is not None]
        return _are_stable(parts, assigned, context)
    return is_constant(node)


def _are_stable(nodes: list[Any], assigned: set[str], context: Context) -> bool:
    return all(_is_stable(node, assigned, context) for node in nodes)


def _keeps_its_value(name: str, assigned: set[str], context: Context) -> bool:
    scope = context.scope
    changes = name in assigned or name in context.undefined or name in scope.rebound_by_calls
    return not changes and name in scope.own


def _assigned_inside(node: Any) -> Iterator[str]:
    """Names that `:=` assigns in an expression."""
    if isinstance(node, cst.NamedExpr) and isinstance(node.target, cst.Name):
        yield node.target.value
    for child in node.children:
        yield from _assigned_inside(child)


def _named(word: str, argument: cst.Arg) -> cst.Arg:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return argument.with_changes(keyword=cst.Name(word), equal=equal)


@rewrites(cst.AugAssign)
def update_item(node: cst.AugAssign, context: Context) -> Any:
    """`a[i] += value` with a name `a` of this function."""
    target: Any = node.target
    if not _is_item(target, context) or not context.movable(node.value):
        return own_target(node, context)
    name = target.value.value
    index = _index(target, context)
    with context.in_lambda():
        value = delayed(bare(context.rewrite(node.value)))
    sign = cst.SimpleString(repr(_SIGNS[type(node.operator)]))
    call = operator_call("update_item", cst.Name(name), index, sign, value)
    changed = cst.Assign([cst.AssignTarget(cst.Name(name))], call, semicolon=node.semicolon)
    return context.replaced(node, changed)


def _is_item(target: Any, context: Context) -> bool:
    return (
        context.staged
        and isinstance(target, cst.Subscript)
        and isinstance(target.value, cst.Name)
        and target.value.value in context.scope.item_names
        and target.value.value not in context.undefined
        and target.value.value not in _assigned_inside(target)
    )


def _index(target: cst.Subscript, context: Context) -> Any:
    first, comma = target.slice[0].slice, target.slice[0].comma
    if isinstance(first, cst.Index) and first.star is None and not isinstance(comma, cst.Comma):
        return bare(context.rewrite(first.value))
    changed = context.inside(target)
    holder = cst.Attribute(cst.Name("ag__"), cst.Name("s_"))
    return cst.Subscript(holder, changed.slice)
