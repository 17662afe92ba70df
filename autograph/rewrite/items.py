"""Rewrite subscripts `a[i]`: the index may be a tensor, and `a` may be immutable.

>>> from autograph.rewrite.show import show
>>> show("b = a[i] + a[lo:hi]", "a, i, lo, hi")
b = ag__.get_item(a, i) + ag__.get_item(a, ag__.s_[lo:hi])

`a[i] = value` assigns `a`, so that it can become a new tensor.
>>> show("a[i] = v", "a, i, v")
a = ag__.set_item(a, i, v)
>>> show("a[i, 1:] += v", "a, i, v")
a = ag__.update_item(a, ag__.s_[i, 1:], '+', lambda: v)
>>> show("a[0], a[1] = a[1], a[0]", "a")
item, item_1 = a[1], a[0]
a = ag__.set_item(a, 0, item)
a = ag__.set_item(a, 1, item_1)

Python evaluates the value first, then the index; where both do something, so does the call.
>>> show("a[next(i)] = next(v)", "a, i, v")
a = ag__.set_item(value=ag__.converted(next)(v), target=a, index=ag__.converted(next)(i))

Elsewhere the attribute or item that holds a tensor is assigned.
>>> show('''
... self.w[i] += v
... for d["w"][0] in [1, 2]:
...     pass
... ''', "self, d, i, v")
ag__.at(self).w[i] += v
for ag__.at(d)["w"][0] in [1, 2]:
    pass

Left alone: a constant index; in a target, that of a list, dict or set made in the same function,
and of names of other scopes.
>>> show('''
... counts = {}
... counts["n"] = a[0] + a[:-1]
... table[0] = list[int]
... ''', "a")
counts = {}
counts["n"] = a[0] + a[:-1]
table[0] = list[int]

A function may change the length of a list that it gets. Then the constant index is no exception.
>>> show('''
... stack = []
... push(stack)
... top = stack[-1]
... ''')
stack = []
ag__.converted(push)(stack)
top = ag__.get_item(stack, -1)
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import libcst as cst

from autograph.rewrite.environment import is_environment, read_variable
from autograph.rewrite.expressions import (
    Context,
    bare,
    delayed,
    operator_call,
    operator_named,
    own_target,
    rewrite_target,
    rewrites,
    rewrites_target,
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


@rewrites(cst.Subscript)
def read_item(node: cst.Subscript, context: Context) -> Any:
    """Rewrite `a[i]` as `ag__.get_item(a, i)`."""
    if is_environment(node.value):
        return read_variable(node, context)
    if not context.staged or _is_of_class(node, context) or _is_settled(node, context):
        return context.inside(node)
    value, index = _holder(node.value, context), _index(node, context)
    call = operator_call("get_item", value, index)
    first, last = call.args[0], call.args[1]
    space = node.rbracket.whitespace_before
    if isinstance(space, cst.ParenthesizedWhitespace):
        last = last.with_changes(whitespace_after_arg=space)
    space = node.lbracket.whitespace_after
    if isinstance(space, cst.ParenthesizedWhitespace):
        first = first.with_changes(comma=cst.Comma(whitespace_after=space))
    call = call.with_changes(args=[first, last], lpar=node.lpar, rpar=node.rpar)
    return context.replaced(node, call)


def _holder(node: cst.BaseExpression, context: Context) -> Any:
    """Rewrite what an item is read from: one name of `__dict__` needs no others."""
    named = isinstance(node, cst.Attribute) and node.attr.value == "__dict__"
    return context.inside(node) if named else bare(context.rewrite(node))


def _is_of_class(node: cst.Subscript, context: Context) -> bool:
    """Return whether a subscript is a type such as `list[int]`."""
    value = node.value
    return isinstance(value, cst.Name) and context.is_builtin(value.value)


def _is_settled(node: cst.Subscript, context: Context) -> bool:
    """Return whether the index has no tensor, or is one that only tensors and arrays accept."""
    parts = [each.slice for each in node.slice]
    if len(parts) > 1 and any(map(_is_of_arrays, parts)):
        return True
    if isinstance(node.value, cst.Name) and node.value.value in context.scope.shared.given:
        return False
    return all(_is_fixed(part, context) for part in parts)


def _is_of_arrays(part: Any) -> bool:
    """Return whether a part of a tuple index is valid for arrays only."""
    return isinstance(part, cst.Slice) or isinstance(part.value, cst.Ellipsis)


def _is_fixed(part: Any, context: Context) -> bool:
    if isinstance(part, cst.Slice):
        bounds = (part.lower, part.upper, part.step)
        return all(bound is None or is_constant(bound) for bound in bounds)
    if part.star is not None:
        return False
    value = part.value
    named = isinstance(value, cst.Name) and context.is_builtin(value.value)
    return named or is_constant(value)


@rewrites_target(cst.Subscript)
def item_target(node: cst.Subscript, context: Context) -> Any:
    """Rewrite `a.b[i]` as a target: `ag__.at(a).b[i]`."""
    alone = isinstance(node.value, cst.Name) and _is_settled(node, context)
    return context.inside(node) if alone or not context.staged else _through_holder(node, context)


def _through_holder(node: object, context: Context) -> Any:
    """Wrap the root of a path of attributes and items in `ag__.at`."""
    if isinstance(node, cst.Subscript):
        value = _through_holder(node.value, context)
        parts = [context.rewrite(each) for each in node.slice]
        return context.replaced(node, node.with_changes(value=value, slice=parts))
    if isinstance(node, cst.Attribute):
        value = _through_holder(node.value, context)
        return context.replaced(node, node.with_changes(value=value))
    return operator_call("at", bare(context.rewrite(node)))


@rewrites(cst.Assign)
def assign_item(node: cst.Assign, context: Context) -> Any:
    """Rewrite `a[i] = value` for a local name `a`, also among other targets."""
    targets = [each.target for each in node.targets]
    if len(targets) == 1 and _is_item(targets[0], context):
        return context.replaced(node, _assigned(node, targets[0], context))
    if not any(_is_item(leaf, context) for target in targets for leaf in _leaves(target)):
        return context.inside(node)
    patterns, stores = _split(targets, context)
    value = context.rewrite(node.value)
    first = node.with_changes(targets=patterns, value=value, semicolon=_NO_SEMICOLON)
    stores[-1] = stores[-1].with_changes(semicolon=node.semicolon)
    return cst.FlattenSentinel([context.replaced(node, first), *stores])


def _split(targets: list[Any], context: Context) -> tuple[list[cst.AssignTarget], list[Any]]:
    """Return targets with variables from the first item on, and the assignments of the others."""
    later: list[tuple[Any, str]] = []
    patterns: list[Any] = []
    for target in targets:
        pattern = _postponed(target, later, context, patterns)
        patterns += [] if pattern is None else [cst.AssignTarget(pattern)]
    return patterns, [each for target, name in later for each in _stores(target, name, context)]


@rewrites(cst.SimpleStatementLine)
def line_of_statements(node: cst.SimpleStatementLine, context: Context) -> Any:
    """Rewrite a line; an assignment in it may become several."""
    body = [context.rewrite(part) for part in node.body]
    if all(map(operator.is_, body, node.body)):
        return node
    if len(body) > 1:
        groups = [part if isinstance(part, cst.FlattenSentinel) else [part] for part in body]
        body = [part for group in groups for part in group]
    return context.replaced(node, node.with_changes(body=body))


_NO_SEMICOLON = cst.MaybeSentinel.DEFAULT


def _leaves(target: object) -> Iterator[Any]:
    """Yield the assigned parts of a target, from left to right."""
    if isinstance(target, cst.Tuple | cst.List):
        for element in target.elements:
            yield from _leaves(element.value)
    else:
        yield target


def _postponed(
    target: cst.CSTNode, later: list[tuple[Any, str]], context: Context, whole: Any = None
) -> Any:
    """A target with variables for the first item and all that is assigned after it.

    Args:
      target: the target, or a part of it.
      later: is extended by the postponed targets and their variables, since Python assigns from
        left to right.
      context: gives the names.
      whole: for a whole target, those before it; if one of them is a variable for the value
        itself, that serves here too, and the result is None.
    """
    if isinstance(target, cst.Tuple | cst.List) and not later:
        elements = [
            element.with_changes(value=_postponed(element.value, later, context))
            for element in target.elements
        ]
        return context.replaced(target, target.with_changes(elements=elements))
    if not later and not _is_item(target, context):
        return rewrite_target(target, context)
    names = {name for _, name in later}
    for before in whole or ():
        if isinstance(before.target, cst.Name) and before.target.value in names:
            later.append((target, before.target.value))
            return None
    assert context.names is not None
    later.append((target, context.names.fresh("item")))
    return cst.Name(later[-1][1])


def _stores(target: Any, name: str, context: Context) -> list[Any]:
    """Return the assignments of a variable that `_postponed` introduced.

    Python unpacks a pattern after it has assigned the targets before it.
    """
    node = cst.Assign([cst.AssignTarget(target)], cst.Name(name))
    if _is_item(target, context):
        return [_assigned(node, target, context, is_variable=True)]
    if not any(_is_item(leaf, context) for leaf in _leaves(target)):
        return [context.inside(node)]
    patterns, stores = _split([target], context)
    return [node.with_changes(targets=patterns), *stores]


def _assigned(node: cst.Assign, target: Any, context: Context, is_variable: bool = False) -> Any:
    """Return `a = ag__.set_item(a, i, value)`."""
    name = target.value.value
    value = node.value if is_variable else bare(context.rewrite(node.value))
    index = _index(target, context)
    if is_variable or _in_any_order(target, node.value, context):
        call = operator_call("set_item", cst.Name(name), index, value)
    else:
        call = operator_call("set_item", value, cst.Name(name), index)
        keywords = ("value", "target", "index")
        call = call.with_changes(
            args=[_named(word, arg) for word, arg in zip(keywords, call.args, strict=True)]
        )
    return cst.Assign([cst.AssignTarget(cst.Name(name))], call, semicolon=node.semicolon)


def _in_any_order(target: cst.Subscript, value: cst.CSTNode, context: Context) -> bool:
    """Return whether the index may be evaluated before the value; Python evaluates it after."""
    assigned = {name for part in (target, value) for name in _assigned_inside(part)}
    if _is_stable(value, assigned, context):
        return True
    indices = [_index_value(each.slice) for each in target.slice]
    return _are_stable([target.value, *indices], assigned, context)


def _index_value(part: object) -> Any:
    return part.value if isinstance(part, cst.Index) and part.star is None else part


def _is_stable(node: Any, assigned: set[str], context: Context) -> bool:
    """Return whether an expression is pure and independent of evaluation order."""
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


def _assigned_inside(node: cst.CSTNode) -> Iterator[str]:
    """Return the names that `:=` assigns in an expression."""
    if isinstance(node, cst.NamedExpr) and isinstance(node.target, cst.Name):
        yield node.target.value
    for child in node.children:
        yield from _assigned_inside(child)


def _named(word: str, argument: cst.Arg) -> cst.Arg:
    equal = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    return argument.with_changes(keyword=cst.Name(word), equal=equal)


@rewrites(cst.AugAssign)
def update_item(node: cst.AugAssign, context: Context) -> Any:
    """Rewrite `a[i] += value` for a local name `a`."""
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


def _is_item(target: object, context: Context) -> bool:
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
    return cst.Subscript(operator_named("s_"), changed.slice)
