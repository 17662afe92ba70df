"""Python's own parser, serialized by a lock.

Before Python 3.12 it counts the depth of trees for all threads together: where another thread comes
in between, parsing fails with a SystemError (https://github.com/python/cpython/issues/106905).
"""

from __future__ import annotations

import ast
from typing import Literal, overload

from autograph.forks import Lock

_parsing = Lock()


@overload
def parse(text: str, filename: str = ..., mode: Literal["exec"] = ...) -> ast.Module: ...
@overload
def parse(text: str, filename: str = ..., *, mode: Literal["eval"]) -> ast.Expression: ...
def parse(
    text: str, filename: str = "<unknown>", mode: Literal["exec", "eval"] = "exec"
) -> ast.Module | ast.Expression:
    """Parse a text.

    Raises: SyntaxError, ValueError, RecursionError and MemoryError as `ast.parse` does.

    >>> ast.unparse(parse("a+b", mode="eval"))
    'a + b'
    """
    with _parsing:
        tree = ast.parse(text, filename, mode)
    assert isinstance(tree, (ast.Module, ast.Expression))
    return tree
