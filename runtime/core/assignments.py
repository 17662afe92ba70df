"""Locate the assignments to a variable in the source text, to show both sides of a mismatch.

Only messages need it, so it reads the text again, and says nothing where there is none.
"""

from __future__ import annotations

import ast
import functools
import linecache
import math
from collections.abc import Iterator, Sequence

from runtime.core.errors import StagingError, VariantError
from runtime.core.places import Place, user_place

RETURNED = "return value"
"""The name of the value of a `return` or conditional expression in messages."""

Target = ast.expr | ast.arg | ast.Return

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def staging_error(what: str, remedy: str, path: str = "") -> StagingError:
    """Return the error of a statement whose ways disagree about a variable, with assignments."""
    place = user_place()
    where = f"\n  {place}{assignments(place, path)}" if place else ""
    return StagingError(f"{what}{where}\n{remedy}", public=VariantError)


def assignments(statement: Place, path: str) -> str:
    """Show the last assignments to a variable on each way through a statement.

    Args:
      statement: the line of an `if`, `while`, `for` or conditional expression.
      path: the variable, a part of it such as `self.x` or `rows[0]`, or `RETURNED`.

    Returns: For each assignment a newline, its place, its line and carets; "" if none is found.
    """
    lines = linecache.getlines(statement.filename)
    tree = _parsed("".join(lines))
    node = None if tree is None else _statement_at(tree, statement.lineno)
    if tree is None or node is None:
        return ""
    if isinstance(node, ast.IfExp):
        found: list[Target | None] = [node.body, node.orelse]
    elif path == RETURNED:
        found = _returns(_scope_of(tree, node), node)
    else:
        found = _ways(_scope_of(tree, node), node, path)
    unique = {(each.lineno, each.col_offset): each for each in found if each is not None}
    return "".join(_shown(statement, lines, each) for each in unique.values())


def _ways(scope: Sequence[ast.AST], node: ast.stmt, path: str) -> list[Target | None]:
    before = _last(_stores(scope, path, node.lineno))
    ways = [_last(_stores(arm, path)) for arm in _arms(node)]
    if isinstance(node, _LOOPS):
        return [before, *ways]
    return [before if way is None else way for way in ways]


def _returns(scope: Sequence[ast.AST], node: ast.stmt) -> list[Target | None]:
    """Return the `return` of each arm; for an arm without one, the `return` after the statement."""
    every = [each for each, _ in _in(scope) if isinstance(each, ast.Return)]
    after = next((each for each in every if each.lineno > (node.end_lineno or 0)), None)
    arms = ([each for each, _ in _in(arm) if isinstance(each, ast.Return)] for arm in _arms(node))
    return [_last(arm) or after for arm in arms]


@functools.lru_cache(8)
def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text) if text else None
    except (SyntaxError, ValueError, RecursionError):
        return None


def _statement_at(tree: ast.AST, line: int) -> ast.stmt | ast.IfExp | None:
    nodes = (node for node in ast.walk(tree) if isinstance(node, (ast.If, ast.IfExp, *_LOOPS)))
    return next((node for node in nodes if node.lineno == line), None)


def _scope_of(tree: ast.AST, inner: ast.stmt) -> Sequence[ast.AST]:
    """Return the arguments and statements of the innermost function that contains a statement."""
    found: Sequence[ast.AST] = [tree]
    for node in ast.walk(tree):
        if isinstance(node, _FUNCTIONS) and any(each is inner for each in ast.walk(node)):
            found = [node.args, *(node.body if isinstance(node.body, list) else [node.body])]
    return found


def _arms(node: ast.stmt) -> Iterator[Sequence[ast.AST]]:
    if isinstance(node, ast.If):
        yield node.body
        chained = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        yield from _arms(node.orelse[0]) if chained else [node.orelse]
    elif isinstance(node, _LOOPS):
        yield [*([] if isinstance(node, ast.While) else [node.target]), *node.body]


def _stores(nodes: Sequence[ast.AST], path: str, end: float = math.inf) -> list[Target]:
    """Return the assignments before line `end` to the path, or to the variable it starts with."""
    found = [each for each in _in(nodes) if each[0].lineno < end]
    exact = [node for node, text in found if text == path]
    return exact or [node for node, text in found if text == _variable(path)]


def _in(nodes: Sequence[ast.AST]) -> Iterator[tuple[Target, str]]:
    for node in nodes:
        yield from _targets(node)


def _targets(node: ast.AST) -> Iterator[tuple[Target, str]]:
    """Yield assigned expressions, arguments and `return` statements outside nested functions."""
    if isinstance(node, ast.Return):
        yield node, ""
    elif isinstance(node, ast.arg):
        yield node, node.arg
    elif isinstance(node, ast.expr) and isinstance(getattr(node, "ctx", None), ast.Store):
        yield node, ast.unparse(node)
    if not isinstance(node, _FUNCTIONS):
        for child in ast.iter_child_nodes(node):
            yield from _targets(child)


def _variable(path: str) -> str:
    """Return the identifier that a path starts with.

    >>> _variable("rows[0].x"), _variable("the returned value")
    ('rows', 'the')
    """
    end = next((i for i, letter in enumerate(path) if not (path[: i + 1]).isidentifier()), None)
    return path[:end]


def _last(nodes: Sequence[Target]) -> Target | None:
    return max(nodes, key=lambda node: (node.lineno, node.col_offset), default=None)


def _shown(statement: Place, lines: Sequence[str], node: Target) -> str:
    line = lines[node.lineno - 1].rstrip()
    data = line.encode()
    start = len(data[: node.col_offset].decode(errors="replace"))
    one_line = node.end_lineno == node.lineno
    end = len(data[: node.end_col_offset].decode(errors="replace")) if one_line else len(line)
    indent = len(line) - len(line.lstrip())
    carets = " " * (start - indent) + "^" * max(1, end - start)
    place = Place(statement.filename, node.lineno, statement.function)
    return f"\n  {place}\n    {line.strip()}\n    {carets}"
