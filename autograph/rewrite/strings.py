"""Text made of values: f-strings, `%` and `.format` become calls that take tensors.

>>> from autograph.rewrite.show import show
>>> show('text = f"{x:.2f} of {len(xs)}, {n=}"', "x, xs, n")
text = ag__.format("{:.2f} of {}, n={!r}", x, ag__.converted(len)(xs), n)
>>> show("text = '%d items' % n", "n")
text = ag__.percent('%d items', n)
>>> show("text = '{} items'.format(n) + ', '.join(xs)", "n, xs")
text = ag__.format('{} items', n) + ag__.join(', ', xs)

Python formats a value before it evaluates the next one; so does the call where that matters.
>>> show('text = f"{xs} {xs.pop()}"', "xs")
text = ag__.format("{} {}", ag__.format('{}', xs), ag__.converted(xs.pop)())

Text for `print` alone shows the tensor, unless a staged statement is around.
>>> show('print(f"tracing {x}")', "x")
ag__.converted(print)(ag__.printed("tracing {}", x))

Left alone, because no tensor can be in it.
>>> show('text = f"{type(x).__name__}" + "%d" % 3', "x")
text = f"{type(x).__name__}" + "%d" % 3
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, bare, operator_call, rewrites

_BRACES = re.compile(r"\\N\{[^}]*\}|[{}]")
"""A brace of a string literal, or an escape that has two of its own."""

_NO_TEXT = frozenset("\\\"'\n")
"""Characters that cannot move from an expression into the text of the same literal."""

_ESCAPED_BRACES = re.compile(
    r"\\(?:x7[bd]|0*17[35]|u007[bd]|U0000007[bd]|N\{(?:LEFT|RIGHT) CURLY BRACKET\})", re.IGNORECASE
)
_IN_ORDER = frozenset({"abs", "float", "int", "len", "max", "min", "round", "str", "sum", "type"})
"""Built-in functions that change nothing that is already part of the text."""

_TEXTS = (cst.SimpleString, cst.FormattedString, cst.ConcatenatedString)


@rewrites(cst.FormattedString)
def formatted_string(node: cst.FormattedString, context: Context) -> Any:
    """An f-string."""
    return text_call(node, context, "format")


@rewrites(cst.ConcatenatedString)
def concatenated_string(node: cst.ConcatenatedString, context: Context) -> Any:
    """String literals in a row, of which some are f-strings."""
    return text_call(node, context, "format")


def text_call(node: Any, context: Context, name: str) -> Any:
    """`ag__.name(template, *values)` for an f-string, alone or in a row of literals."""
    if not context.staged or context.quotes or not _can_be_call(node, context):
        return _inside(node, context)
    values: list[Any] = []
    template = _template(node, values)
    for position, value in enumerate(values[:-1]):
        if not _is_literal(value) and any(map(_may_change, values[position + 1 :])):
            values[position] = _formatted_now(value, context)
        else:
            values[position] = context.rewrite(value)
    values[-1] = context.rewrite(values[-1])
    call = operator_call(name, template, *map(bare, values))
    return context.replaced(node, call)


def _formatted_now(value: Any, context: Context) -> Any:
    return operator_call("format", cst.SimpleString("'{}'"), bare(context.rewrite(value)))


def _inside(node: Any, context: Context) -> Any:
    """The string, with rewritten expressions in it."""
    if isinstance(node, cst.ConcatenatedString):
        return context.inside(node)
    before = context.quotes
    context.quotes += node.start[-1]
    changed = context.inside(node)
    context.quotes = before
    return changed


def _leaves(node: Any) -> Iterator[Any]:
    if isinstance(node, cst.ConcatenatedString):
        yield from _leaves(node.left)
        yield from _leaves(node.right)
    else:
        yield node


def _can_be_call(node: Any, context: Context) -> bool:
    """Whether a value in the string may be staged, and its text can be written as a template."""
    found = list(_leaves(node))
    holes = [hole for leaf in found for hole in _holes(leaf)]
    if all(_is_of_python(hole.expression, context) for hole in holes):
        return False
    return not any(_ESCAPED_BRACES.search(_code(leaf)) for leaf in found)


def _holes(leaf: Any) -> Iterator[cst.FormattedStringExpression]:
    for part in getattr(leaf, "parts", ()):
        if isinstance(part, cst.FormattedStringExpression):
            yield part
            yield from _holes_of_spec(part)


def _holes_of_spec(hole: cst.FormattedStringExpression) -> Iterator[cst.FormattedStringExpression]:
    for part in hole.format_spec or ():
        if isinstance(part, cst.FormattedStringExpression):
            yield part


def _is_literal(node: Any) -> bool:
    return isinstance(node, cst.BaseNumber | cst.SimpleString)


def _is_of_python(node: Any, context: Context) -> bool:
    """Whether an expression is a literal, or a name that Python gives to things."""
    if isinstance(node, cst.Attribute):
        name = node.attr.value
        return name.startswith("__") and name.endswith("name__")
    return _is_literal(node)


def _may_change(node: Any) -> bool:
    """Whether evaluating an expression may change what another value shows."""
    if isinstance(node, cst.Await | cst.Yield | cst.NamedExpr):
        return True
    if isinstance(node, cst.Call):
        known = isinstance(node.func, cst.Name) and node.func.value in _IN_ORDER
        return not known or any(map(_may_change, node.args))
    return any(map(_may_change, node.children))


# ---- templates ----


def _template(node: Any, values: list[Any]) -> Any:
    """The literal without the values, which are added to `values`."""
    if isinstance(node, cst.ConcatenatedString):
        left = _template(node.left, values)
        return node.with_changes(left=left, right=_template(node.right, values))
    if isinstance(node, cst.SimpleString):
        return node.with_changes(value=_with_braces(node))
    text = "".join(_part(part, values) for part in node.parts)
    start = re.sub("[fF]", "", node.start, count=1)
    return cst.SimpleString(f"{start}{text}{node.end}", lpar=node.lpar, rpar=node.rpar)


def _with_braces(node: cst.SimpleString) -> str:
    """A literal whose braces are text of a template."""
    raw = "r" in node.prefix.lower()
    if raw:
        return node.value.replace("{", "{{").replace("}", "}}")
    return _BRACES.sub(lambda found: found[0] * 2 if len(found[0]) == 1 else found[0], node.value)


def _part(part: Any, values: list[Any]) -> str:
    if isinstance(part, cst.FormattedStringText):
        return part.value
    shown = "" if part.equal is None else _shown_text(part)
    if _NO_TEXT & set(shown):
        values.append(cst.SimpleString(repr(shown)))
        shown = "{}"
    else:
        shown = shown.replace("{", "{{").replace("}", "}}")
    conversion = part.conversion
    if part.equal is not None and conversion is None and part.format_spec is None:
        conversion = "r"
    values.append(part.expression)
    spec = "".join(_part(each, values) for each in part.format_spec or ())
    field = ("" if conversion is None else f"!{conversion}") + (f":{spec}" if spec else "")
    return f"{shown}{{{field}}}"


def _shown_text(part: cst.FormattedStringExpression) -> str:
    """`value=` as it stands before the value."""
    shown = part.with_changes(conversion=None, format_spec=None)
    return _code(shown)[1:-1]


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


# ---- % ----


@rewrites(cst.BinaryOperation)
def percent(node: cst.BinaryOperation, context: Context) -> Any:
    """`"%d" % value`."""
    literal = isinstance(node.operator, cst.Modulo) and isinstance(node.left, _TEXTS)
    plain = not context.staged or context.quotes or _is_literal(node.right)
    if not literal or plain or _code(node.left).lstrip("rRuU").startswith(("b", "B")):
        return context.inside(node)
    left, right = context.rewrite(node.left), context.rewrite(node.right)
    return context.replaced(node, operator_call("percent", bare(left), bare(right)))


@rewrites(cst.FormattedStringExpression)
def shown_value(node: cst.FormattedStringExpression, context: Context) -> Any:
    """`{value}` in an f-string that stays one."""
    return context.inside(node)
