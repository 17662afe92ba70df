"""An f-string: what it shows is rewritten, as far as its quotes and its line allow.

>>> from autograph.rewrite.show import show
>>> show('''
... for x in xs:
...     last = x
... return f"{last} of {len(xs)}, {last=}"
... ''', "xs")
last = ag__.undefined('last')
def get_state():
    return (last,)
def set_state(vars_):
    nonlocal last
    (last,) = vars_
def loop_body(x):
    nonlocal last
    last = x
ag__.for_stmt(xs, loop_body, get_state, set_state, ('last',))
return f"{ag__.ld(last)} of {len(xs)}, last={ag__.ld(last)!r}"

Left alone: what can do without, where the string would become long.
>>> show('''return f"{f(a)}, {f(b)}, {f(c)}, {f(d)}, {f(e)}"''', "f, a, b, c, d, e")
return f"{f(a)}, {f(b)}, {f(c)}, {f(d)}, {f(e)}"
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import libcst as cst

from autograph.rewrite.expressions import Context, rewrites

_LONGEST = 60
"""Characters that an f-string may have after its rewriting: it cannot be broken over lines."""

_NO_TEXT = frozenset("{}\\\"'\n")
"""Characters that cannot move from an expression into the text of the same f-string."""


@rewrites(cst.FormattedString)
def formatted_string(node: cst.FormattedString, context: Context) -> Any:
    """The whole string."""
    before = context.quotes
    context.quotes += node.start[-1]
    parts = [new for part in node.parts for new in _part(part, context)]
    context.quotes = before
    if len(parts) == len(node.parts) and all(map(_is, parts, node.parts)):
        return node
    changed = node.with_changes(parts=parts)
    if len(_code(changed)) > _LONGEST and not _reads_undefined(node, context):
        return node
    return context.replaced(node, changed)


def _is(new: Any, old: Any) -> bool:
    return new is old


def _part(part: Any, context: Context) -> Iterator[Any]:
    """`{value}`; `{value=}` prints its own text, and stays where its value is certain to exist."""
    if not isinstance(part, cst.FormattedStringExpression) or part.equal is None:
        yield context.rewrite(part)
        return
    text = _shown_text(part)
    if not _reads_undefined(part.expression, context) or _NO_TEXT & set(text):
        yield part
        return
    yield cst.FormattedStringText(text)
    plain = part.conversion is None and part.format_spec is None
    spaces = cst.SimpleWhitespace("")
    yield context.rewrite(
        part.with_changes(
            equal=None,
            whitespace_before_expression=spaces,
            whitespace_after_expression=spaces,
            conversion="r" if plain else part.conversion,
        )
    )


def _shown_text(part: cst.FormattedStringExpression) -> str:
    shown = part.with_changes(conversion=None, format_spec=None)
    return _code(shown)[1:-1]


def _code(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def _reads_undefined(node: cst.CSTNode, context: Context) -> bool:
    if isinstance(node, cst.Name):
        return node.value in context.undefined
    return any(_reads_undefined(child, context) for child in node.children)


@rewrites(cst.FormattedStringExpression)
def shown_value(node: cst.FormattedStringExpression, context: Context) -> Any:
    """`{value}` in an f-string."""
    return context.inside(node)
