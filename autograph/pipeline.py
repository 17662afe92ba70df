"""Convert a text: parse, rewrite, assemble.

libcst holds the text; gast, parsed from the same text, serves the analysis. Text that no rewrite
touches stays byte for byte.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast
import libcst as cst

from autograph.analysis.scopes import FunctionScope, ModuleNames
from autograph.conversion_result import Conversion, Enclosing, Refusal
from autograph.errors import ConversionError
from autograph.rewrite.functions import FunctionRewriter
from autograph.syntax.names import OPERATORS, Names, operators_name, operators_named, words_of
from autograph.syntax.parsing import line_of, parsed, require_readable, split_lines, too_deep
from autograph.syntax.positions import printed
from autograph.syntax.stack import on_own_stack
from autograph.syntax.structure import Pairing
from autograph.syntax.wrapping import wrapped

HEADER = "from autograph import ag__"
"""The statement that imports the operators; it marks a converted module."""

WIDTH = 100
"""Maximum line length: longer lines are wrapped if the conversion lengthened them."""


def convert_text(
    text: str,
    *,
    filename: str = "<string>",
    strict: bool = False,
    only: object = None,
    header: bool = True,
    positions: bool = False,
    enclosing: Enclosing | None = None,
    width: int | None = WIDTH,
) -> Conversion:
    """Convert the functions of a text, without importing or executing anything.

    Args:
      text: a module, or the definition of one function.
      filename: the file name in error messages.
      strict: raise if any statement would stay Python.
      only: qualified names of the functions to convert. None: all.
      header: whether to add the import of `ag__`.
      positions: whether to compute `spans`.
      enclosing: the context of a function whose text was extracted from its file.
      width: maximum length of lines that the conversion lengthened. None: no limit.

    Raises:
      ConversionError: if the text is not Python, if a name in `only` does not exist, or in strict
        mode for the first refusal.

    >>> convert_text("def f(x):\\n    return x and x.real\\n").text.splitlines()[-1]
    '    return ag__.and_(x, lambda: x.real)'
    """

    def convert() -> Conversion:
        tree, syntax = parsed(text, filename)
        if _is_converted(syntax):
            return Conversion(text, changed=False)
        words = words_of(text)
        operators = _free_name(syntax if OPERATORS[0] in words else None, filename)
        with operators_named(operators):
            return write(tree, syntax, words, operators)

    def write(tree: cst.Module, syntax: object, words: set[str], operators: str) -> Conversion:
        rewriter, body = _rewritten(
            text, words, tree, syntax, only, enclosing, header and not positions
        )
        refusals = tuple(sorted(rewriter.refusals, key=lambda each: (each.line, each.col)))
        _check(text, filename, rewriter, refusals, only, strict)
        changed = tree.with_changes(body=body)
        if all(new is old for new, old in zip(body, tree.body, strict=True)):
            return Conversion(text, changed=False, refusals=refusals)
        if header:
            changed = _with_header(changed)
        code, spans = printed(tree, changed, rewriter.origins if positions else None)
        require_readable(code)
        if width is not None:
            code, moved = wrapped(code, width, set(text.splitlines()))
            spans = {moved(new): old for new, old in spans.items()} if moved else spans
        return Conversion(code, True, spans, refusals, operators)

    try:
        found: Conversion = on_own_stack(convert)
    except RecursionError:
        raise too_deep(text, filename) from None
    return found


def _is_converted(syntax: gast.AST) -> bool:
    """Return whether a module is converted: it has the header as a statement."""
    return any(
        type(each).__name__ == "ImportFrom"
        and (each.module, each.level) == ("autograph", 0)
        and len(each.names) == 1
        and each.names[0].name == OPERATORS[0]
        and each.names[0].asname in (None, *OPERATORS)
        for each in syntax.body
    )


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else [value]


def _free_name(syntax: gast.AST, filename: str) -> str:
    """Return the name of the operators in a text. None: the text has no candidate name."""
    used: set[object] = set()
    for node in ast.walk(syntax) if syntax is not None else ():
        if type(node).__name__ != "Constant":
            for _, value in ast.iter_fields(node):
                used.update(each for each in _listed(value) if isinstance(each, str))
    for name in OPERATORS:
        if name not in used:
            return name
    raise ConversionError(
        "no name is left for the operators",
        filename=filename,
        lineno=1,
        col=0,
        reason=f"the text uses {', '.join(OPERATORS)}",
        remedy="Rename one of them.",
    )


def _rewritten(
    text: str,
    words: set[str],
    tree: cst.Module,
    syntax: gast.AST,
    only: Any,
    enclosing: Enclosing | None,
    names_definitions: bool,
) -> tuple[FunctionRewriter, list[Any]]:
    names = Names(words)
    chosen = None if only is None else frozenset(only)
    pairing = Pairing(_columns_of(text))
    rewriter = FunctionRewriter(names, pairing, chosen, names_definitions)
    if enclosing is None:
        outside = FunctionScope.outside(ModuleNames.of(syntax))
    else:
        bound, plain = enclosing.bound, enclosing.plain
        assigned, partial = bound - plain, enclosing.partial
        module = ModuleNames(
            bound, plain=plain, assigned=assigned, partial=partial, annotates=enclosing.annotates
        )
        outside = FunctionScope.outside(module, enclosing.free)
    around = rewriter.outside(outside)
    return rewriter, rewriter.statements(tree.body, syntax.body, "", around)


def _columns_of(text: str) -> Callable[[int, int], int]:
    """Return a function from UTF-8 byte columns of a syntax tree to character columns."""
    if text.isascii():
        return lambda line, column: column
    lines = split_lines(text)

    def columns(line: int, column: int) -> int:
        content = lines[line - 1]
        return column if content.isascii() else len(content.encode()[:column].decode())

    return columns


def _check(
    text: str,
    filename: str,
    rewriter: FunctionRewriter,
    refusals: tuple[Refusal, ...],
    only: Any,
    strict: bool,
) -> None:
    missing = sorted(set(only or ()) - rewriter.defined)
    if missing:
        known = ", ".join(sorted(name for name in rewriter.defined if "<" not in name)) or "none"
        raise ConversionError(
            f"there is no function {missing[0]!r}",
            filename=filename,
            lineno=1,
            col=0,
            reason=f"the functions here are: {known}",
        )
    if strict and refusals:
        first = refusals[0]
        raise ConversionError(
            f"this `{first.construct}` cannot be staged",
            filename=filename,
            lineno=first.line,
            col=first.col,
            end_col=first.end_col if first.end_line == first.line else None,
            source_line=line_of(text, first.line),
            reason=first.reason,
            remedy=first.remedy,
        )


def _with_header(module: cst.Module) -> cst.Module:
    """Insert the import after the docstring and the `from __future__` imports."""
    body = list(module.body)
    at = 0
    for position, statement in enumerate(body):
        if not _stays_first(statement, position):
            break
        at = position + 1
    if at < len(body) and isinstance(body[at], cst.FunctionDef | cst.ClassDef):
        body[at] = _apart(body[at])
    name = operators_name()
    line = cst.parse_statement(HEADER if name == OPERATORS[0] else f"{HEADER} as {name}")
    return module.with_changes(body=[*body[:at], line, *body[at:]])


def _apart(definition: gast.AST) -> Any:
    """Add two blank lines before the first statement of a file if it is a definition."""
    lines = definition.leading_lines
    if lines and not lines[0].comment:
        return definition
    blank = cst.EmptyLine(indent=False)
    return definition.with_changes(leading_lines=[blank, blank, *lines])


def _stays_first(statement: object, position: int) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine):
        return False
    first = statement.body[0]
    if isinstance(first, cst.ImportFrom):
        return isinstance(first.module, cst.Name) and first.module.value == "__future__"
    is_string = isinstance(first, cst.Expr) and isinstance(
        first.value, cst.SimpleString | cst.ConcatenatedString
    )
    return is_string and position == 0
