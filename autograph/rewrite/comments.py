"""Comments inside the expressions that a rewrite replaces, and where they go.

>>> from autograph.rewrite.show import show
>>> show('''
... found = next(
...     (x for x in xs if x > 0),  # the first
...     None,  # there may be none
... )
... ''', "xs")
# the first
# there may be none
found = ag__.gen_exp(next, xs, lambda x: x, lambda x: x > 0, start=None)
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import libcst as cst

from autograph.syntax.structure import If, Jump, Leaf, Loop, SetFlag


def comments_in(*nodes: cst.CSTNode | None) -> list[str]:
    """Return the comments in nodes, in order.

    >>> comments_in(cst.parse_expression("(x  # one\\n + y)"))
    ['# one']
    """
    found = []
    waiting = [node for node in reversed(nodes) if node is not None]
    while waiting:
        node = waiting.pop()
        if isinstance(node, cst.Comment):
            found.append(node.value)
        waiting.extend(reversed(node.children))
    return found


def comments_of(statement: object) -> list[str]:
    """Return the comments in the expressions of a statement, outside of its blocks."""
    if isinstance(statement, Leaf) and isinstance(statement.node, cst.SimpleStatementLine):
        return comments_in(*statement.node.body)
    if isinstance(statement, Jump | SetFlag):
        return comments_in(statement.value)
    if isinstance(statement, If):
        return comments_in(statement.test.expression)
    if isinstance(statement, Loop) and isinstance(statement.node, cst.For):
        return comments_in(statement.node.target, statement.node.iter)
    return comments_in(statement.test.expression) if isinstance(statement, Loop) else []


def with_comments(lines: list[Any], comments: list[str]) -> list[Any]:
    """Return written statements with those of the comments that they lack, on lines before them."""
    kept = Counter(comments_in(*lines))
    lost = list((Counter(comments) - kept).elements())
    if not lost:
        return lines
    first, *rest = lines
    own = [cst.EmptyLine(comment=cst.Comment(each)) for each in lost]
    return [first.with_changes(leading_lines=[*first.leading_lines, *own]), *rest]
