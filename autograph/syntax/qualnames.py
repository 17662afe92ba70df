"""The qualified names of the functions in a text, without executing it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple


class FunctionPlace(NamedTuple):
    """A function: its `__qualname__` and the lines from its first decorator to its end."""

    name: str
    first: int
    last: int


def functions_in(tree: ast.AST, prefix: str = "") -> Iterator[FunctionPlace]:
    """Yield the functions of a syntax tree, outer before inner.

    Args:
      tree: a tree of `ast.parse`.
      prefix: the prefix of each name.

    >>> text = '''
    ... class Net:
    ...     def call(self):
    ...         def inner(): ...
    ... '''
    >>> [place.name for place in functions_in(ast.parse(text))]
    ['Net.call', 'Net.call.<locals>.inner']
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            yield FunctionPlace(f"{prefix}{node.name}", first, node.end_lineno or node.lineno)
            yield from functions_in(node, f"{prefix}{node.name}.<locals>.")
        elif isinstance(node, ast.ClassDef):
            yield from functions_in(node, f"{prefix}{node.name}.")
        else:
            yield from functions_in(node, prefix)
