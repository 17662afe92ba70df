"""Compiles converted text so that it looks like the user's code to every tool.

The code objects carry the user's file name, lines and columns, and the names of the user's
functions, also where the converter put a function of its own around some of the user's lines.
Nothing is executed to get them, nothing is written to disk and no module is made: a new function
gets its code object out of the constants of the compiled text, and shares everything else with
the original.
"""

from __future__ import annotations

import ast
import opcode
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from types import CellType, CodeType, FunctionType
from typing import TYPE_CHECKING, Any

from autograph.source import (
    Definition,
    FunctionSource,
    byte_column,
    character_column,
    future_flags,
)

if TYPE_CHECKING:
    from autograph.pipeline import Conversion

Span = tuple[int, int, int, int]
Place = Callable[[int, int], tuple[int, int]]

AG = "ag__"


def compile_module(conversion: Conversion, filename: str, original: str | None = None) -> CodeType:
    """The code of a converted module, with file, lines, columns and names of the user's text.

    Args:
      conversion: of the text of the module, made with positions.
      filename: the user's file.
      original: the user's text; needed only for columns in lines that are not ASCII.
    """
    tree = ast.parse(conversion.text)
    originals = [] if original is None else original.split("\n")

    def place(line: int, column: int) -> tuple[int, int]:
        if line > len(originals):
            return line, column
        return line, byte_column(originals[line - 1], column)

    users = _Relocation(conversion, place).relocate(tree, (1, 1, 0, 0))
    code = compile(tree, filename, "exec", dont_inherit=True)
    return _renamed_children(code, "<module>", "", users)


def function_code(conversion: Conversion, source: FunctionSource, original: CodeType) -> CodeType:
    """The code of a converted function.

    Args:
      conversion: of the text of `source`, made with positions.
      source: where the text comes from.
      original: the code of the function as the user wrote it.
    """
    return compile_function(conversion.text, source, original, conversion)


def compile_function(
    text: str,
    source: FunctionSource,
    original: CodeType,
    conversion: Conversion | None = None,
    prepare: Callable[[Definition], None] | None = None,
    extra: tuple[str, ...] = (AG,),
) -> CodeType:
    """The code of the one function that a text defines, standing in for `original`.

    Args:
      text: the text of one function or lambda.
      source: where the function comes from.
      original: the code of the function as the user wrote it.
      conversion: how the text came about; None: it is the user's own.
      prepare: changes the tree before it is compiled.
      extra: variables besides those of the original that the code takes through its closure.
    """
    tree = ast.parse(text)
    node = _definition_in(tree)
    first = source.place(1, 0)
    whole = (first[0], first[0], first[1], first[1])
    users = _Relocation(conversion, source.place).relocate(tree, whole)
    _strip_header(node, source)
    if prepare is not None:
        prepare(node)
    wrapped = _surrounded(node, source, (*original.co_freevars, *extra))
    module = compile(
        wrapped, source.filename, "exec", flags=future_flags(original), dont_inherit=True
    )
    code = _nested(module, (*_levels(source, original), original.co_name))
    code = _renamed(code, original.co_name, original.co_qualname, users)
    return code.replace(co_flags=code.co_flags & ~_NESTED | original.co_flags & _NESTED)


_NESTED = 0x10


# ---- positions ----


class _Users:
    """Which functions of a relocated tree are the user's own, by name and by place."""

    def __init__(self) -> None:
        self.lambdas: set[tuple[int | None, ...]] = set()
        self.added: set[str] = set()


class _Relocation:
    """Gives the nodes of a generated tree the places of the user's text they stand for."""

    def __init__(self, conversion: Conversion | None, place: Place) -> None:
        self._spans: Mapping[Span, Span] | None = None if conversion is None else conversion.spans
        self._lines = [] if conversion is None else conversion.text.split("\n")
        self._place = place
        self._starts: dict[tuple[int, int], Span] = {}
        for generated, original in (self._spans or {}).items():
            known = self._starts.get(generated[:2])
            if known is None or known[2:] < original[2:]:
                self._starts[generated[:2]] = original

    def relocate(self, tree: ast.AST, whole: tuple[int, int, int, int]) -> _Users:
        """Moves every node; `whole` is the place of what stands for nothing.

        Returns: which functions the user wrote.
        """
        users = _Users()
        waiting: list[tuple[ast.AST, tuple[int, int, int, int]]] = [(tree, whole)]
        while waiting:
            node, around = waiting.pop()
            if isinstance(node, (ast.stmt, ast.expr)) or hasattr(node, "lineno"):
                span = self._span(node)
                self._note(users, node, span)
                found = self._original(node, span)
                if found is not None:
                    around = (*self._ordered(found),)
                _move(node, around)
                if isinstance(node, ast.Lambda) and self._is_known(span):
                    users.lambdas.add(around)
            waiting.extend((child, around) for child in ast.iter_child_nodes(node))
        return users

    def _span(self, node: Any) -> Span:
        return (
            node.lineno,
            self._column(node.lineno, node.col_offset),
            node.end_lineno,
            self._column(node.end_lineno, node.end_col_offset),
        )

    def _column(self, line: int, column: int) -> int:
        return character_column(self._lines[line - 1], column) if self._lines else column

    def _is_known(self, span: Span) -> bool:
        return self._spans is None or span in self._spans

    def _original(self, node: ast.AST, span: Span) -> Span | None:
        if self._spans is None:
            return span
        found = self._spans.get(span)
        if found is None and isinstance(node, (ast.Tuple, ast.GeneratorExp)):
            # Python counts their brackets in, the converter does not.
            line, column, end_line, end_column = span
            found = self._spans.get((line, column + 1, end_line, end_column - 1))
        if found is None and isinstance(node, (ast.stmt, ast.ExceptHandler)):
            found = self._starts.get(span[:2])
        return found

    def _ordered(self, span: Span) -> tuple[int, int, int, int]:
        line, column = self._place(span[0], span[1])
        end_line, end_column = self._place(span[2], span[3])
        return line, end_line, column, end_column

    def _note(self, users: _Users, node: ast.AST, span: Span) -> None:
        """A function is the user's if its name stands in the user's text."""
        if self._spans is None or not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return
        line = self._lines[span[0] - 1]
        name = re.compile(rf"(?:async\s+)?def\s+({re.escape(node.name)})\b").match(line, span[1])
        if name is None:
            return
        if (span[0], name.start(1), span[0], name.end(1)) not in self._spans:
            users.added.add(node.name)


def _move(node: Any, place: tuple[int, int, int, int]) -> None:
    node.lineno, node.end_lineno, node.col_offset, node.end_col_offset = place


# ---- surroundings ----


def _definition_in(tree: ast.Module) -> Definition:
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return statement
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda):
            return statement.value
    raise ValueError("the text defines no function")


def _strip_header(node: Definition, source: FunctionSource) -> None:
    """Takes out what was evaluated when the original was defined, and is taken from it."""
    arguments = node.args
    arguments.defaults = []
    arguments.kw_defaults = [None] * len(arguments.kwonlyargs)
    if isinstance(node, ast.Lambda):
        return
    for argument in ast.walk(arguments):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    node.returns = None
    if sys.version_info >= (3, 12):
        node.type_params = []
    # The code begins where the first decorator stood.
    line = source.code_line
    node.decorator_list = (
        []
        if line == node.lineno
        else [
            ast.Name(AG, ast.Load(), lineno=line, end_lineno=line, col_offset=0, end_col_offset=0)
        ]
    )


_OUTER = "outer"


def _surrounded(node: Definition, source: FunctionSource, free: tuple[str, ...]) -> ast.Module:
    """The function inside a function whose parameters are the variables that it shares."""
    body: ast.stmt = ast.Return(node) if isinstance(node, ast.Lambda) else node
    names = [name for name in dict.fromkeys(free) if name != "__class__"]
    if _needs_class(source, free):
        # Two classes, because the name of the inner one must not hide a variable of the user.
        statement = ast.Expr(node) if isinstance(node, ast.Lambda) else node
        inner = _class(source.class_name or "_", statement)
        body = _class("_", inner)
    outer = ast.FunctionDef(
        name=_OUTER,
        args=ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in names],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        body=[body],
        decorator_list=[],
    )
    if sys.version_info >= (3, 12):
        outer.type_params = []
    return ast.fix_missing_locations(ast.Module([outer], []))


def _class(name: str, statement: ast.stmt) -> ast.ClassDef:
    found = ast.ClassDef(name=name, bases=[], keywords=[], body=[statement], decorator_list=[])
    if sys.version_info >= (3, 12):
        found.type_params = []
    return found


def _needs_class(source: FunctionSource, free: tuple[str, ...]) -> bool:
    return source.class_name is not None or "__class__" in free


def _levels(source: FunctionSource, original: CodeType) -> tuple[str, ...]:
    if _needs_class(source, original.co_freevars):
        return (_OUTER, "_", source.class_name or "_")
    return (_OUTER,)


def _nested(code: CodeType, path: tuple[str, ...]) -> CodeType:
    for name in path:
        code = next(
            constant
            for constant in code.co_consts
            if isinstance(constant, CodeType) and constant.co_name == name
        )
    return code


# ---- names ----


def _renamed(code: CodeType, name: str, qualname: str, users: _Users) -> CodeType:
    code = _renamed_children(code, name, qualname, users)
    return code.replace(co_name=name, co_qualname=qualname)


def _renamed_children(code: CodeType, name: str, qualname: str, users: _Users) -> CodeType:
    """Names the functions in a function as if those that the converter added were not there.

    What stands in an added function reads as standing in the user's function around it.
    """
    constants: list[Any] = list(code.co_consts)
    old_prefix = _prefix(code.co_qualname, code)
    new_prefix = _prefix(qualname, code)
    for index, place in _children(code):
        child = code.co_consts[index]
        if constants[index] is not child:
            continue
        if _is_added(child, place, users):
            constants[index] = _renamed(child, name, qualname, users)
            continue
        old = child.co_qualname
        new = new_prefix + old.removeprefix(old_prefix) if old.startswith(old_prefix) else old
        child = _renamed(child, child.co_name, new, users)
        if not child.co_flags & _OPTIMIZED:
            # The body of a class says its qualified name itself.
            child = child.replace(
                co_consts=tuple(new if each == old else each for each in child.co_consts)
            )
        constants[index] = child
    return code.replace(co_consts=tuple(constants))


_OPTIMIZED = 0x01


def _prefix(qualname: str, code: CodeType) -> str:
    if code.co_name == "<module>":
        return ""
    return f"{qualname}.<locals>." if code.co_flags & _OPTIMIZED else f"{qualname}."


def _is_added(code: CodeType, place: tuple[int | None, ...], users: _Users) -> bool:
    if code.co_name == "<lambda>":
        return place not in users.lambdas
    return code.co_name in users.added


_EXTENDED_ARG = opcode.opmap["EXTENDED_ARG"]
_LOAD_CONST = opcode.opmap["LOAD_CONST"]


def _children(code: CodeType) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """The functions that a function makes: index of the constant, place of the definition."""
    argument = 0
    for (operation, low), place in zip(
        zip(code.co_code[::2], code.co_code[1::2], strict=True), code.co_positions(), strict=True
    ):
        argument = argument << 8 | low
        if operation == _EXTENDED_ARG:
            continue
        if operation == _LOAD_CONST and isinstance(code.co_consts[argument], CodeType):
            yield argument, place
        argument = 0


# ---- the function ----


def make_function(code: CodeType, original: FunctionType, extra: Mapping[str, Any]) -> FunctionType:
    """A function that runs `code` and is the original in everything else.

    Args:
      code: as `compile_function` gives it.
      original: the function whose closure, globals, defaults and names it shares.
      extra: the values of the variables that the code takes besides.
    """
    cells = {name: CellType(value) for name, value in extra.items()}
    cells.update(zip(original.__code__.co_freevars, original.__closure__ or (), strict=True))
    closure = tuple(cells[name] for name in code.co_freevars)
    function = FunctionType(
        code, original.__globals__, original.__name__, original.__defaults__, closure
    )
    function.__kwdefaults__ = original.__kwdefaults__
    function.__qualname__ = original.__qualname__
    function.__module__ = original.__module__
    function.__doc__ = original.__doc__
    if sys.version_info >= (3, 14):
        function.__annotate__ = original.__annotate__
    else:
        function.__annotations__ = dict(original.__annotations__)
    if sys.version_info >= (3, 12):
        function.__type_params__ = original.__type_params__
    function.__dict__.update(original.__dict__)
    function.__dict__["__wrapped__"] = original
    return function
