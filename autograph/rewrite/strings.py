"""Rewrite f-strings, `%` and `.format` as calls that accept tensors.

>>> from autograph.rewrite.show import show
>>> show('text = f"{x:.2f} of {len(xs)}, {n=}"', "x, xs, n")
text = ag__.format("{:.2f} of {}, n={!r}", x, ag__.converted(len)(xs), n)
>>> show("text = '%d items' % n", "n")
text = ag__.percent('%d items', n)
>>> show("text = '{} items'.format(n) + ', '.join(xs)", "n, xs")
text = ag__.format('{} items', n) + ag__.join(', ', xs)

Python formats a value before it evaluates the next one; so does the call where that matters.
>>> show('text = f"{xs} {n:.2f} {xs.pop()}"', "xs, n")
text = ag__.format("{} {} {}", ag__.format('{}', xs), ag__.format("{:.2f}", n),
    ag__.converted(xs.pop)())

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
from dataclasses import dataclass
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, bare, operator_call, rewrites
from autograph.syntax.stack import any_depth

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
    """Rewrite an f-string."""
    return text_call(node, context, "format")


@rewrites(cst.ConcatenatedString)
def concatenated_string(node: cst.ConcatenatedString, context: Context) -> Any:
    """Rewrite concatenated string literals with f-strings among them."""
    return text_call(node, context, "format")


def text_call(node: object, context: Context, name: str) -> Any:
    """Return `ag__.name(template, *values)` for an f-string or concatenated literals."""
    if not context.staged or context.quotes or not _can_be_call(node, context):
        return _inside(node, context)
    holes: list[_Hole] = []
    _template(node, holes)
    at_once = frozenset(
        position
        for position, hole in enumerate(holes)
        if not all(map(_is_literal, hole.values))
        and any(
            _may_change(value) or _reads_part(value, hole.values[0])
            for later in holes[position + 1 :]
            for value in later.values
        )
    )
    template = _template(node, [], at_once)
    arguments: list[Any] = []
    for position, hole in enumerate(holes):
        written = [bare(context.rewrite(value)) for value in hole.values]
        if position in at_once:
            written = [operator_call("format", cst.SimpleString(hole.literal), *written)]
        arguments += written
    return context.replaced(node, operator_call(name, template, *arguments))


@dataclass(frozen=True, slots=True)
class _Hole:
    """A field of a template.

    Attributes:
      field: its text, such as `{!r:>{}}`.
      values: the expression that it shows, then those of its format.
      start, end: the prefix and quotes of its literal.
    """

    field: str
    values: tuple[Any, ...]
    start: str = "'"
    end: str = "'"

    @property
    def literal(self) -> str:
        """Return a template of this field alone."""
        return "'{}'" if self.field == "{}" else f"{self.start}{self.field}{self.end}"


def _inside(node: Any, context: Context) -> Any:
    """Rewrite the expressions in a string that stays one."""
    if isinstance(node, cst.ConcatenatedString):
        return context.inside(node)
    before = context.quotes
    context.quotes += node.start[-1]
    changed = context.inside(node)
    context.quotes = before
    return changed


def _leaves(node: object) -> Iterator[Any]:
    while isinstance(node, cst.ConcatenatedString):
        yield node.left
        node = node.right
    yield node


def _can_be_call(node: object, context: Context) -> bool:
    """Whether a value in the string may be staged, and its text can be written as a template."""
    found = list(_leaves(node))
    holes = [hole for leaf in found for hole in _holes(leaf)]
    if all(_is_of_python(hole.expression, context) for hole in holes):
        return False
    return not any(_ESCAPED_BRACES.search(_code(leaf)) for leaf in found)


def _holes(leaf: object) -> Iterator[cst.FormattedStringExpression]:
    for part in getattr(leaf, "parts", ()):
        if isinstance(part, cst.FormattedStringExpression):
            yield part
            yield from _holes_of_spec(part)


def _holes_of_spec(hole: cst.FormattedStringExpression) -> Iterator[cst.FormattedStringExpression]:
    for part in hole.format_spec or ():
        if isinstance(part, cst.FormattedStringExpression):
            yield part


def _is_literal(node: object) -> bool:
    return isinstance(node, cst.BaseNumber | cst.SimpleString)


def _is_of_python(node: object, context: Context) -> bool:
    """Return whether an expression is a literal, or a name such as `__name__`."""
    if isinstance(node, cst.Attribute):
        name = node.attr.value
        return name.startswith("__") and name.endswith("name__")
    return _is_literal(node)


def _may_change(node: cst.CSTNode) -> bool:
    """Return whether evaluating an expression may change the text of another value."""
    if isinstance(node, cst.Await | cst.Yield | cst.NamedExpr):
        return True
    if isinstance(node, cst.Call):
        known = isinstance(node.func, cst.Name) and node.func.value in _IN_ORDER
        return not known or any(map(_may_change, node.args))
    return any(map(_may_change, node.children))


@any_depth
def _reads_part(node: cst.CSTNode, owner: cst.CSTNode) -> bool:
    """Return whether an expression reads an item or attribute of `owner`, which may change it.

    A `defaultdict` gains the key, and a property runs code.
    """
    if isinstance(node, cst.Attribute | cst.Subscript) and node.value.deep_equals(owner):
        return True
    return any(_reads_part(each, owner) for each in node.children)


# ---- templates ----


@any_depth
def _template(node: Any, holes: list[_Hole], at_once: frozenset[int] = frozenset()) -> Any:
    """The literal without the values.

    Args:
      node: the literal, or several in a row.
      holes: gains the fields, in their order.
      at_once: positions of fields whose values are texts already.
    """
    if isinstance(node, cst.ConcatenatedString):
        left = _template(node.left, holes, at_once)
        return node.with_changes(left=left, right=_template(node.right, holes, at_once))
    if isinstance(node, cst.SimpleString):
        return node.with_changes(value=_with_braces(node))
    start = re.sub("[fF]", "", node.start, count=1)
    text = ""
    for part in node.parts:
        before = len(holes)
        fixed = _add_holes(part, holes, start, node.end)
        fields = ["{}" if i in at_once else holes[i].field for i in range(before, len(holes))]
        text += fixed + "".join(fields)
    return cst.SimpleString(f"{start}{text}{node.end}", lpar=node.lpar, rpar=node.rpar)


def _with_braces(node: cst.SimpleString) -> str:
    """Return a literal with its braces escaped for a template."""
    raw = "r" in node.prefix.lower()
    if raw:
        return node.value.replace("{", "{{").replace("}", "}}")
    return _BRACES.sub(lambda found: found[0] * 2 if len(found[0]) == 1 else found[0], node.value)


def _add_holes(part: Any, holes: list[_Hole], start: str, end: str) -> str:
    """Add the fields of a part of an f-string to `holes`, and return the text before them."""
    if isinstance(part, cst.FormattedStringText):
        return str(part.value)
    shown = "" if part.equal is None else _shown_text(part)
    if _NO_TEXT & set(shown):
        holes.append(_Hole("{}", (cst.SimpleString(repr(shown)),)))
        shown = ""
    conversion = part.conversion
    if part.equal is not None and conversion is None and part.format_spec is None:
        conversion = "r"
    inner: list[_Hole] = []
    spec = ""
    for each in part.format_spec or ():
        before = len(inner)
        spec += _add_holes(each, inner, start, end)
        spec += "".join(hole.field for hole in inner[before:])
    field = ("" if conversion is None else f"!{conversion}") + (f":{spec}" if spec else "")
    values = (part.expression, *(value for hole in inner for value in hole.values))
    holes.append(_Hole(f"{{{field}}}", values, start, end))
    return shown.replace("{", "{{").replace("}", "}}")


def _shown_text(part: cst.FormattedStringExpression) -> str:
    """Return the text of `value=`."""
    shown = part.with_changes(conversion=None, format_spec=None)
    return _code(shown)[1:-1]


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


# ---- % ----


@rewrites(cst.BinaryOperation)
def percent(node: cst.BinaryOperation, context: Context) -> Any:
    """Rewrite `"%d" % value`."""
    literal = isinstance(node.operator, cst.Modulo) and isinstance(node.left, _TEXTS)
    plain = not context.staged or context.quotes or _is_literal(node.right)
    if not literal or plain or _code(node.left).lstrip("rRuU").startswith(("b", "B")):
        return context.inside(node)
    left, right = context.rewrite(node.left), context.rewrite(node.right)
    return context.replaced(node, operator_call("percent", bare(left), bare(right)))


@rewrites(cst.FormattedStringExpression)
def shown_value(node: cst.FormattedStringExpression, context: Context) -> Any:
    """Rewrite `{value}` in an f-string that stays one."""
    return context.inside(node)
