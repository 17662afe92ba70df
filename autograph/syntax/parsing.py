"""Parse a text into two trees: libcst for the text, gast for the analysis."""

from __future__ import annotations

import ast
import io
import keyword
import re
import sys
import tokenize
from collections.abc import Iterator
from typing import Any

import gast
import gast.ast3
import libcst as cst

from autograph.errors import ConversionError
from autograph.syntax import grammar
from autograph.syntax.stack import any_depth, on_own_stack

_MOST_OPERANDS = 10_000
"""Maximum operands of one `and` or `or`: libcst nests them, without a limit of its own."""


class _Translation(gast.ast3.Ast3ToGAst):  # type: ignore[misc]
    """A translation from Python's syntax tree to gast's, at any nesting depth."""

    visit = any_depth(gast.ast3.Ast3ToGAst.visit)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        if len(node.values) > _MOST_OPERANDS:
            raise RecursionError
        return self.generic_visit(node)


def parsed(text: str, filename: str) -> tuple[cst.Module, Any]:
    """Return the libcst and gast trees of a text.

    Raises:
      ConversionError: if the text is not Python.
      RecursionError: if it is nested too deeply.
    """
    try:
        syntax = _Translation().visit(grammar.parse(text))
    except (SyntaxError, ValueError, MemoryError) as error:
        raise _syntax_error(error, text, filename) from None
    try:
        return _tree_of(text), syntax
    except cst.ParserSyntaxError as error:
        raise _unreadable(error, syntax, text, filename) from None


def _tree_of(text: str) -> cst.Module:
    """Parse with libcst.

    libcst 1.8 rejects a conditional expression or a lambda in parentheses directly after a keyword,
    as in `return(a if b else c)`, by a failed check or a TypeError of its own. Keywords in such a
    text get a space.
    """
    try:
        return cst.parse_module(text)
    except (cst.CSTValidationError, TypeError):
        return cst.parse_module(_spaced(text))


def _spaced(text: str) -> str:
    """Insert a space between each keyword and a parenthesis directly after it."""
    lines = list(io.StringIO(text, newline=""))
    tokens = list(tokenize.generate_tokens(iter(lines).__next__))
    for token, following in zip(tokens[-2::-1], tokens[:0:-1], strict=True):
        adjacent = token.end == following.start and following.string == "("
        if adjacent and keyword.iskeyword(token.string):
            row, column = token.end
            line = lines[row - 1]
            lines[row - 1] = f"{line[:column]} {line[column:]}"
    return "".join(lines)


def _unreadable(error: Any, syntax: Any, text: str, filename: str) -> ConversionError:
    """Create the error for a text that Python reads and libcst does not.

    libcst reports the token after which it gave up, which may be on another line.
    """
    known = next(filter(None, map(_unknown_to_libcst, gast.walk(syntax))), None)
    message, remedy = known[1:] if known else (error.message, "a newer libcst may know this syntax")
    line, column = known[0] if known else (error.raw_line, error.raw_column)
    return ConversionError(
        message,
        filename=filename,
        lineno=line,
        col=column,
        source_line=line_of(text, line),
        reason="libcst cannot read this text, although this Python can",
        remedy=remedy,
    )


def _unknown_to_libcst(node: Any) -> tuple[tuple[int, int], str, str] | None:
    """Return position, name and remedy of syntax that libcst 1.9 lacks; None if it knows a node."""
    if isinstance(node, gast.AnnAssign) and _position(node) != _position(node.target):
        message = "an annotation of a target in parentheses"
        return _position(node), message, "remove the parentheses or the annotation"
    if isinstance(node, gast.ClassDef) and node.keywords:
        first = min(_position(each.value) for each in node.keywords)
        for base in node.bases:
            if isinstance(base, gast.Starred) and _position(base) > first:
                message = f"`*` after a keyword argument of class {node.name}"
                return _position(base), message, "write it before the keyword arguments"
    return None


def _position(node: Any) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _syntax_error(error: BaseException, text: str, filename: str) -> ConversionError:
    if not isinstance(error, SyntaxError):
        return ConversionError(str(error), filename=filename, lineno=1, col=0)
    line = error.lineno or 1
    return ConversionError(
        error.msg,
        filename=filename,
        lineno=line,
        col=max((error.offset or 1) - 1, 0),
        source_line=line_of(text, line),
        reason="this is not valid Python " + ".".join(map(str, sys.version_info[:2])),
    )


def line_of(text: str, number: int) -> str:
    """Return a line by number; the empty string if out of range."""
    lines = split_lines(text)
    return lines[number - 1] if 0 < number <= len(lines) else ""


def split_lines(text: str) -> list[str]:
    """Split a text into lines as Python's parser does."""
    return re.split(r"\r\n|\r|\n", text)


def require_readable(converted: str) -> None:
    """Raise RecursionError if Python cannot parse a text because of its nesting.

    Each operator around an operand adds parentheses, of which Python allows 200.
    """
    try:
        grammar.parse(converted)
    except SyntaxError as error:
        if not error.msg.startswith("too many"):
            raise
        raise RecursionError from None
    except MemoryError:
        raise RecursionError from None


def too_deep(text: str, filename: str) -> ConversionError:
    """Create the error for a text that is nested too deeply, at its deepest line."""
    try:
        line = max(_depths(on_own_stack(ast.parse, text)))[1]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        line = 1
    return ConversionError(
        "this code is nested too deeply to be converted",
        filename=filename,
        lineno=line,
        source_line=line_of(text, line),
        remedy="assign parts of it to variables, or move them into functions",
    )


def _depths(tree: ast.AST) -> Iterator[tuple[int, int]]:
    """Yield depth and line of each node."""
    waiting = [(tree, 0, 1)]
    while waiting:
        node, depth, line = waiting.pop()
        line = getattr(node, "lineno", line)
        width = len(node.values) if isinstance(node, ast.BoolOp) else 0
        yield depth + width, line
        waiting += [(child, depth + 1, line) for child in ast.iter_child_nodes(node)]
