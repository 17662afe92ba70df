"""Find the exact text that defines a function, and prove it.

A file may have been edited since its import, and two lambdas may share a line; line numbers reveal
neither. So the text is compiled again, and accepted only if the result equals the running code.
"""

from __future__ import annotations

import ast
import functools
import io
import itertools
import os
import sys
import tokenize
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType

import gast

from autograph.analysis.partial import partial_names
from autograph.code_objects import (
    argument_layout,
    code_objects,
    does_same,
    future_flags,
    is_same,
    is_similar,
)
from autograph.errors import NoSourceError, StaleSourceError, named_file
from autograph.syntax import grammar
from autograph.syntax.stack import on_own_stack
from autograph.texts import is_pseudo, rewriter_of, texts_of

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True)
class FunctionSource:
    """The text of one function and its position in a file.

    Args:
      text: from `def`, `async def` or `lambda` on, without decorators, dedented.
      filename: the file, as in the code object.
      first_line: the line of the file at which the text starts.
      columns: for each line of the text, its start column in the file, in bytes.
      code_line: the line at which the code object starts: that of the first decorator.
      name: the function's own name; `<lambda>` for a lambda.
      class_name: the enclosing class, for the mangling of private names; None: no class.
      free: its free variables.
      partial: globals, and as `.name` attributes, that may be unassigned where they are read.
      exact: whether the text compiles to the running code. If not, an import hook that rewrites
        code, such as pytest's, changed it.
    """

    text: str
    filename: str
    first_line: int
    columns: tuple[int, ...]
    code_line: int
    name: str
    class_name: str | None
    free: tuple[str, ...]
    partial: frozenset[str] = frozenset()
    exact: bool = True

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Map a line and character column in the text to a line and byte column in the file."""
        return (
            line + self.first_line - 1,
            byte_column(self.lines[line - 1], column) + self.columns[line - 1],
        )

    @functools.cached_property
    def lines(self) -> list[str]:
        """Return the lines of the text."""
        return self.text.split("\n")


def byte_column(line: str, column: int) -> int:
    """Return the UTF-8 length in bytes of the first `column` characters of a line.

    >>> byte_column("aé = 1", 2)
    3
    """
    return column if line.isascii() else len(line[:column].encode("utf-8", "surrogatepass"))


def character_column(line: str, column: int) -> int:
    """Return the number of characters in the first `column` UTF-8 bytes of a line.

    >>> character_column("aé = 1", 3)
    2
    """
    if line.isascii():
        return column
    return len(line.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))


@contextmanager
def without_syntax_warnings() -> Iterator[None]:
    """Suppress syntax warnings: Python already issued them when it imported the text."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        yield


def function_source(function: FunctionType, supplied: str | None = None) -> FunctionSource:
    """Return the text that defines a function, proven against its code object.

    Args:
      function: any Python function, method function or lambda.
      supplied: its text, or that of its program, if no file has it.

    Raises:
      NoSourceError: if there is no text for the function.
      StaleSourceError: if the text found is not the code that is running.
    """
    code = function.__code__
    if supplied is not None:
        return _from_supplied(function, supplied)
    texts = list(texts_of(function))
    # A text that is the very code precedes one that a rewriting import hook may have changed.
    for rewriter in dict.fromkeys((None, rewriter_of(function))):
        for text in texts:
            source = _locate(code, text, rewriter)
            if source is not None:
                return source
    for text in texts if _AUTORELOAD in sys.modules else ():
        source = _moved(function, text)
        if source is not None:
            return source
    if texts and not _is_generated(function):
        raise StaleSourceError(
            f"{_described(code)} is not what its file says now: the file was edited after it was "
            "imported. Reload the module or start the program again."
        )
    raise NoSourceError(
        f"{_described(code)} has no source text, so it cannot be converted. Run the text that "
        "defines it with `autograph.exec`, or give the text to `autograph.to_graph` as `source=`."
    )


_AUTORELOAD = "IPython.extensions.deduperreload.deduperreload"
"""IPython's autoreload: it compiles each edited function alone, as if at line 1 of its file."""


def _is_generated(function: FunctionType) -> bool:
    """Return whether the file named by a function's code may be no Python text that defines it.

    A template engine names the template, and runs its code in a namespace that is no module's. A
    test of a document names the document, and runs its code in the namespace of a module.
    """
    filename, names = function.__code__.co_filename, function.__globals__
    if is_pseudo(filename) or "__name__" not in names:
        return True
    module = names.get("__file__")
    return type(module) is str and os.path.abspath(module) != os.path.abspath(filename)


def _described(code: CodeType) -> str:
    return f"{code.co_qualname} ({named_file(code.co_filename)}, line {code.co_firstlineno})"


# ---- positions in a text ----


@functools.lru_cache(maxsize=32)
def _parse(text: str) -> _Text | None:
    # On a stack of its own: the depth of the caller must not limit the nesting of the text.
    return on_own_stack(_parsed, text)  # type: ignore[no-any-return]


@functools.lru_cache(maxsize=512)
def partial_names_in(text: str) -> frozenset[str]:
    """Return the attributes, as `.name`, and globals that a text may not have assigned."""
    parsed = _parse(text)
    return frozenset() if parsed is None else partial_names(ast.Module(parsed.statements, []))


def _parsed(text: str) -> _Text | None:
    try:
        module = grammar.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return _Text(module.body, list(_imports(module.body)))


@dataclass(frozen=True)
class _Text:
    """A parsed text: its statements and all imports in them.

    CPython compiles `a.b()` differently if the compiled text imports the module `a`. So the code of
    a function depends on whether it was compiled with the whole text, as in a file, or alone, as
    in a notebook.
    """

    statements: list[ast.stmt]
    imports: list[ast.stmt]
    compiled: dict[tuple[int, bool, int], tuple[CodeType, ...]] = field(default_factory=dict)

    def functions(
        self, statement: ast.stmt | None, code: CodeType, alone: bool = False
    ) -> list[CodeType]:
        """Return the functions in a statement, or in the text, that start at the line of `code`.

        Args:
          statement: a statement of the text. None: all.
          code: the running code.
          alone: whether to compile the statement without the imports of the text.
        """
        flags = future_flags(code)
        key = (id(statement), alone, flags)
        if key not in self.compiled:
            imports = [] if alone else self.imports
            part = self.statements if statement is None else [*imports, statement]
            self.compiled[key] = tuple(_compiled(part, flags))
        return [
            each
            for each in self.compiled[key]
            if each.co_firstlineno == code.co_firstlineno and each.co_name == code.co_name
        ]


def _imports(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            if getattr(statement, "module", None) != "__future__":
                yield statement
        elif not isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for part in (statement, *getattr(statement, "handlers", ())):
                for name in ("body", "orelse", "finalbody"):
                    yield from _imports(getattr(part, name, []))


def _locate(code: CodeType, text: str, rewriter: str | None) -> FunctionSource | None:
    parsed = _parse(text)
    if parsed is None:
        return None
    # Several statements may share a line, and each may contain a lambda.
    statements = _statements_at(parsed, code.co_firstlineno)
    found = [(_definition(each, code), each) for each in statements]
    for definition, statement in found:
        if definition is not None:
            compiled = parsed.functions(statement, code)
            if any(is_same(each, code) for each in compiled):
                return _source_of(*definition, code, text)
            if any(is_same(each, code) for each in parsed.functions(statement, code, alone=True)):
                return _source_of(*definition, code, text)
            may_be_rewritten = _may_be_rewritten(rewriter, definition[0])
            if may_be_rewritten and any(is_similar(each, code) for each in compiled):
                return _source_of(*definition, code, text, exact=False)
    # The rest of the module may matter, too: for instance, whether it mentions `super`.
    if any(is_same(each, code) for each in parsed.functions(None, code)):
        for definition, _ in found:
            if definition is not None:
                return _source_of(*definition, code, text)
    return None


def _may_be_rewritten(rewriter: str | None, node: ast.AST) -> bool:
    """Return whether a rewriting import hook may change a function; pytest changes assertions."""
    if rewriter == "_pytest.assertion.rewrite":
        return any(isinstance(each, ast.Assert) for each in ast.walk(node))
    return rewriter is not None


def _statements_at(text: _Text, line: int) -> list[ast.stmt]:
    return [statement for statement in text.statements if _contains(statement, line)]


def _contains(statement: ast.stmt, line: int) -> bool:
    return first_line(statement) <= line <= (statement.end_lineno or statement.lineno)


def first_line(node: gast.AST) -> int:
    """Return the line at which the code of a definition starts: that of its first decorator."""
    lines: list[int] = [each.lineno for each in getattr(node, "decorator_list", ())]
    return min(lines, default=node.lineno)


def _compiled(statements: list[ast.stmt], flags: int) -> Iterator[CodeType]:
    """Yield the code objects of all functions in some statements."""
    # Notebooks allow `await` outside a function.
    flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = on_own_stack(_code_of, ast.Module(statements, []), flags)
    if code is not None:
        yield from code_objects(code)


def _code_of(module: ast.Module, flags: int) -> CodeType | None:
    try:
        code: CodeType = compile(module, "<source>", "exec", flags=flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError):
        return None
    return code


def _definition(statement: ast.stmt, code: CodeType) -> tuple[Definition, str | None] | None:
    """Return the node of a function in a statement, and the name of the enclosing class."""
    if code.co_name == "<lambda>":
        return _lambda(statement, code)
    for node, class_name in _definitions(statement, code.co_firstlineno):
        if (
            not isinstance(node, ast.Lambda)
            and node.name == code.co_name
            and first_line(node) == code.co_firstlineno
        ):
            return node, class_name
    return None


def _lambda(statement: ast.stmt, code: CodeType) -> tuple[Definition, str | None] | None:
    """Return the lambda with the smallest body that contains all positions of the code."""
    first, last = _extent(code)
    around = [
        (node, class_name)
        for node, class_name in _definitions(statement)
        if isinstance(node, ast.Lambda)
        and node.lineno == code.co_firstlineno
        and _start(node.body) <= first
        and last <= _end(node.body)
        and tuple(_argument_names(node.args)) == argument_layout(code)[-1]
    ]
    if not around:
        return None
    if len(around) > 1 and last == NOWHERE:
        raise NoSourceError(
            f"{_described(code)} is one of several lambdas in this line, and Python keeps no "
            "columns to tell them apart. Run it without -X no_debug_ranges, or give each a line."
        )
    return min(around, key=lambda pair: (_end(pair[0]), [-place for place in _start(pair[0])]))


def _argument_names(arguments: ast.arguments) -> Iterator[str]:
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        yield each.arg
    for star in (arguments.vararg, arguments.kwarg):
        if star is not None:
            yield star.arg


def _start(node: gast.AST) -> tuple[int, int]:
    return (node.lineno, node.col_offset)


def _end(node: gast.AST) -> tuple[int, int]:
    return (node.end_lineno, node.end_col_offset)


NOWHERE = (0, 0)


def _extent(code: CodeType) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return the first and last position of the instructions in the text.

    The function prologue has no position in the text.
    """
    # RESUME and similar instructions have a line only, or an empty range at its start.
    spans = [
        (line, column, end_line, end_column)
        for line, end_line, column, end_column in code.co_positions()
        if line is not None
        and end_line is not None
        and column is not None
        and end_column is not None
        and (line, column) != (end_line, end_column)
    ]
    if not spans:
        return (sys.maxsize, 0), NOWHERE
    return min(span[:2] for span in spans), max(span[2:] for span in spans)


def _definitions(
    statement: ast.stmt, line: int | None = None
) -> Iterator[tuple[Definition, str | None]]:
    """Yield the functions in a statement, each with the name of the enclosing class.

    Args:
      statement: the statement.
      line: leave out statements that do not contain this line.
    """
    waiting: list[tuple[ast.AST, str | None]] = [(statement, None)]
    while waiting:
        node, class_name = waiting.pop()
        if line is not None and isinstance(node, ast.stmt) and not _contains(node, line):
            continue
        if isinstance(node, Definition):
            yield node, class_name
        inner = node.name if isinstance(node, ast.ClassDef) else class_name
        waiting.extend((child, inner) for child in ast.iter_child_nodes(node))


# ---- the text itself ----


def _source_of(
    node: Definition, class_name: str | None, code: CodeType, text: str, exact: bool = True
) -> FunctionSource:
    lines = text.split("\n")[node.lineno - 1 : node.end_lineno]
    if isinstance(node, ast.Lambda):
        own_lines, columns = _lambda_lines(node, lines)
    else:
        own_lines, columns = _dedented(node, lines)
    return FunctionSource(
        text="\n".join(own_lines) + "\n",
        filename=code.co_filename,
        first_line=node.lineno,
        columns=(*columns, 0),
        code_line=code.co_firstlineno,
        name=code.co_name,
        class_name=class_name,
        free=code.co_freevars,
        partial=partial_names_in(text),
        exact=exact,
    )


def _lambda_lines(node: ast.Lambda, lines: list[str]) -> tuple[list[str], list[int]]:
    last = character_column(lines[-1], node.end_col_offset or 0)
    lines = [*lines[:-1], lines[-1][:last]]
    first = character_column(lines[0], node.col_offset)
    lines[0] = lines[0][first:]
    columns = [node.col_offset, *[0] * (len(lines) - 1)]
    if len(lines) > 1:
        # The brackets that allow line breaks are outside of the lambda.
        lines[0] = f"({lines[0]}"
        lines[-1] = f"{lines[-1]})"
        columns[0] -= 1
    return lines, columns


def _dedented(node: Definition, lines: list[str]) -> tuple[list[str], list[int]]:
    indent = lines[0][: character_column(lines[0], node.col_offset)]
    fixed = _lines_inside_strings(node, lines) if indent else frozenset()
    columns = [0 if number in fixed else _shared(indent, line) for number, line in enumerate(lines)]
    return [line[column:] for line, column in zip(lines, columns, strict=True)], columns


def _shared(indent: str, line: str) -> int:
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(indent, line, strict=False))
    return sum(1 for _ in pairs)


def _lines_inside_strings(node: Definition, lines: list[str]) -> frozenset[int]:
    """Return the line indices that start inside a string: their indentation is its content."""
    if not any(
        isinstance(each, (ast.Constant, ast.JoinedStr)) and each.lineno != each.end_lineno
        for each in ast.walk(node)
    ):
        return frozenset()
    inside: set[int] = set()
    started: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO("\n".join(lines) + "\n").readline):
        kind = tokenize.tok_name[token.type]
        if kind == "STRING":
            inside.update(range(token.start[0], token.end[0]))
        elif kind in ("FSTRING_START", "TSTRING_START"):
            started.append(token.start[0])
        elif kind in ("FSTRING_END", "TSTRING_END"):
            inside.update(range(started.pop(), token.end[0]))
    return frozenset(inside)


# ---- text from the caller ----


def _from_supplied(function: FunctionType, text: str) -> FunctionSource:
    """Find the function in a text whose line numbers may differ from the running program's."""
    code = function.__code__
    exact = _locate(code, text, rewriter=None)
    if exact is not None:
        return exact
    moved = _moved(function, text)
    if moved is not None:
        return moved
    raise StaleSourceError(
        f"The text given as `source` does not define {_described(code)} as it is running. "
        "Pass the text from which the function was compiled."
    )


def _moved(function: FunctionType, text: str) -> FunctionSource | None:
    """Return the definition of a function in a text that gives its code other positions."""
    code = function.__code__
    parsed = _parse(text)
    for statement in () if parsed is None else parsed.statements:
        for node, class_name in _definitions(statement):
            found = first_line(node), getattr(node, "name", "<lambda>")
            if found[1] != code.co_name:
                continue
            shifted = code.replace(co_firstlineno=found[0])
            for imports in ([], _imports_of_modules(function)):
                candidates = _Text([statement], imports).functions(statement, shifted)
                if any(does_same(each, code) for each in candidates):
                    return _source_of(node, class_name, code, text)
    return None


def _imports_of_modules(function: FunctionType) -> list[ast.stmt]:
    """Return the module imports that the text of a single function lacks."""
    names = [
        name
        for name in function.__code__.co_names
        if name.isidentifier() and type(function.__globals__.get(name)) is ModuleType
    ]
    return grammar.parse("\n".join(f"import {name}" for name in names)).body
