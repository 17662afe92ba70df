"""Templates of generated functions.

A template is Python with placeholders. It is filled as a syntax tree, printed by astor, and parsed
by libcst. User code does not pass through templates.

>>> print(text_of(SET_STATE, "set_state", ["a", "self.b"], "vars_", outer=["a"]))
def set_state(vars_):
    nonlocal a
    (a, self.b) = vars_
<BLANKLINE>
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import libcst as cst

from autograph.syntax import grammar

with warnings.catch_warnings():
    # It asks for node types that Python deprecates; a suite run with -W error would end here.
    warnings.simplefilter("ignore", DeprecationWarning)
    import astor

GET_STATE = """
def function():
    return state
"""

SET_STATE = """
def function(parameter):
    nonlocal outer
    global of_module
    state = parameter
"""


_DECLARED_WIDTH = 52
"""Maximum width of the names in one `nonlocal`."""


def declaration_rows(names: Sequence[str]) -> Iterator[list[str]]:
    """Split names into lines: a declaration cannot be wrapped.

    >>> list(declaration_rows(["a", "b"]))
    [['a', 'b']]
    """
    row: list[str] = []
    for name in names:
        if row and sum(len(each) + 2 for each in [*row, name]) > _DECLARED_WIDTH:
            yield row
            row = []
        row.append(name)
    if row:
        yield row


class _Filling(ast.NodeTransformer):
    """A transformer that replaces placeholders by names and lists of entries."""

    def __init__(
        self,
        function: str,
        state: Sequence[str],
        parameter: str = "",
        outer: Sequence[str] = (),
        of_module: Sequence[str] = (),
    ) -> None:
        self._function = function
        self._state = state
        self._parameter = parameter
        self._outer = list(outer)
        self._of_module = list(of_module)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._function
        self.generic_visit(node)
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> list[ast.AST]:
        return [ast.Nonlocal(row) for row in declaration_rows(self._outer)]

    def visit_Global(self, node: ast.Global) -> list[ast.AST]:
        return [ast.Global(row) for row in declaration_rows(self._of_module)]

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._parameter)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == "parameter":
            return ast.Name(self._parameter, node.ctx)
        if node.id != "state":
            return node
        entries = [grammar.parse(entry, mode="eval").body for entry in self._state]
        return ast.Tuple(entries, node.ctx)


class _Printer(astor.SourceGenerator):  # type: ignore[misc]
    """A printer with parentheses around tuples, so that they can be wrapped."""

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self.write("lambda: ", node.body)

    def visit_Tuple(self, node: ast.Tuple) -> None:
        with self.delimit(node) as delimiters:
            delimiters.discard = False
            self.comma_list(node.elts, len(node.elts) == 1)


def text_of(
    template: str,
    function: str,
    state: Sequence[str],
    parameter: str = "",
    **declared: Sequence[str],
) -> str:
    """Fill a template; return its text. `declared` are the names `outer` and `of_module`."""
    tree = _Filling(function, state, parameter, **declared).visit(grammar.parse(template))
    printed: Any = astor.to_source(tree, source_generator_class=_Printer, pretty_source="".join)
    return str(printed)


def definition_of(
    template: str,
    function: str,
    state: Sequence[str],
    parameter: str = "",
    **declared: Sequence[str],
) -> cst.FunctionDef:
    """Fill a template; return its definition."""
    node = cst.parse_statement(text_of(template, function, state, parameter, **declared))
    assert isinstance(node, cst.FunctionDef)
    return node
