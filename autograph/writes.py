"""Find what the user's text writes to and reads: the line that changes a place, for messages."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import NamedTuple

from autograph.code_objects import names_in
from autograph.conversion.guard import as_written
from autograph.conversion.libraries import stays_python
from autograph.errors import AutographError, named_file
from autograph.source import FunctionSource, function_source, without_syntax_warnings
from autograph.syntax import grammar

_READING = frozenset({"copy", "count", "get", "index", "items", "keys", "values"})
"""Methods of built-in containers that change nothing."""

_SETTING = frozenset({"delattr", "next", "setattr"})
"""Functions that change their first argument."""


class Line(NamedTuple):
    """A line of a file, in a function."""

    filename: str
    lineno: int
    function: str

    def __str__(self) -> str:
        """Return the form that Python's tracebacks use."""
        return f"{named_file(self.filename)}, line {self.lineno}, in {self.function}"


def last_name(label: str) -> str:
    """Return the last identifier in what the program calls a place.

    >>> last_name("self.rows[2]"), last_name("COUNT")
    ('rows', 'COUNT')
    """
    return re.sub(r"\[.*", "", label).rpartition(".")[2]


def line_of_write(traced: object, others: Iterable[object], label: str) -> Line | None:
    """Return the line that changes a place.

    Args:
      traced: the function that is traced; its first such line is the answer.
      others: what it reaches. The answer is a line in one of these functions if there is a single
        one outside constructors.
      label: what the program calls the place.

    Returns:
      The line; None if the texts do not tell.
    """
    own = list(_lines(traced, label))
    if own:
        return own[0]
    functions = (each for each in others if type(each) is FunctionType)
    apart = (each for each in functions if each.__name__ != "__init__")
    return _single(line for each in apart for line in _lines(each, label))


def line_of_argument_write(traced: object, others: Iterable[object], name: str) -> Line | None:
    """Return the line that changes an argument in place, which may have other names in callees.

    Args:
      traced: the function that is traced.
      others: what it reaches.
      name: the parameter.
    """
    called = [each for each in others if type(each) is FunctionType]
    pairs = ((each, own) for each in called for own in _parameters(each))
    return line_of_write(traced, (), name) or _single(
        line for each, own in pairs for line in _lines(each, own)
    )


def _parameters(function: FunctionType) -> tuple[str, ...]:
    code = as_written(function).__code__
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _single(lines: Iterable[Line]) -> Line | None:
    found = set(lines)
    return found.pop() if len(found) == 1 else None


def reads_attribute(functions: Iterable[FunctionType], name: str) -> bool:
    """Return whether a function may read an attribute of this name, judging by their texts.

    Args:
      functions: any Python functions.
      name: the attribute.
    """
    return any(_may_read(each, name) for each in functions)


def _may_read(function: FunctionType, name: str) -> bool:
    source = _source(function)
    if source is None:
        return name in names_in(as_written(function).__code__)
    return any(_reads(node, name) for node in ast.walk(grammar.parse(source.text)))


def _reads(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == name and isinstance(node.ctx, ast.Load)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Attribute) and node.target.attr == name
    return isinstance(node, ast.Constant) and node.value == name  # as by `getattr`


def only_appends(functions: Iterable[FunctionType], name: str) -> bool:
    """Return whether functions only append to a list, or to lists in it, judging by their texts.

    Args:
      functions: any Python functions.
      name: the variable or attribute that holds the list.
    """
    return all(_only_appends(each, name) for each in functions)


def _only_appends(function: FunctionType, name: str) -> bool:
    source = _source(function)
    if source is None:
        code = as_written(function).__code__
        return name not in {*names_in(code), *code.co_freevars}
    nodes = list(ast.walk(grammar.parse(source.text)))
    receivers = {id(_receiver(node)) for node in nodes}
    return all(id(node) in receivers for node in nodes if _mentions(node, name))


def _receiver(node: ast.AST) -> ast.expr | None:
    """Return `self.rows` of a statement such as `self.rows[key].append(row)`."""
    call = node.value if isinstance(node, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    if not isinstance(method, ast.Attribute) or method.attr not in ("append", "extend"):
        return None
    held = method.value
    while isinstance(held, ast.Subscript):
        held = held.value
    return held


def _mentions(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name
    if isinstance(node, ast.Attribute):
        return node.attr == name
    if isinstance(node, ast.MatchClass):
        return name in node.kwd_attrs
    return isinstance(node, ast.Constant) and node.value == name


def _source(function: FunctionType) -> FunctionSource | None:
    try:
        with without_syntax_warnings():
            return function_source(as_written(function))
    except AutographError:
        return None


def _lines(function: object, label: str) -> Iterator[Line]:
    if type(function) is not FunctionType or stays_python(function):
        return
    source = _source(function)
    if source is None:
        return
    tree = grammar.parse(source.text)
    for node in ast.walk(tree):
        if isinstance(node, (ast.expr, ast.stmt)) and _writes(node, label, tree):
            yield _line(source, node)


def _line(source: FunctionSource, node: ast.expr | ast.stmt) -> Line:
    lineno, _ = source.place(node.lineno, 0)
    return Line(source.filename, lineno, source.name)


def _writes(node: ast.AST, label: str, tree: ast.AST) -> bool:
    name = last_name(label)
    if isinstance(node, ast.Name):
        return node.id == name == label and _stores(node) and _is_shared(name, tree)
    if isinstance(node, ast.Attribute):
        return node.attr == name != label and _stores(node)
    if isinstance(node, ast.Subscript):
        return _stores(node) and _names(node.value, name)
    if isinstance(node, ast.AugAssign):
        return _names(node.target, name) and not isinstance(node.target, ast.Name)
    return isinstance(node, ast.Call) and _changes(node, name)


def _stores(node: ast.Name | ast.Attribute | ast.Subscript) -> bool:
    return isinstance(node.ctx, (ast.Store, ast.Del))


def _is_shared(name: str, tree: ast.AST) -> bool:
    """Return whether a function declares the name `global` or `nonlocal`."""
    shared = (each for each in ast.walk(tree) if isinstance(each, (ast.Global, ast.Nonlocal)))
    return any(name in each.names for each in shared)


def _names(node: ast.AST, name: str) -> bool:
    """Return whether an expression, without subscripts, ends in the name."""
    while isinstance(node, ast.Subscript):
        node = node.value
    return name == (node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None))


def _changes(call: ast.Call, name: str) -> bool:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr not in _READING and _names(function.value, name)
    is_setting = isinstance(function, ast.Name) and function.id in _SETTING
    return is_setting and bool(call.args) and _names(call.args[0], name)
