"""Compile converted text so that it looks like the user's code to every tool.

Code objects have the user's file name, lines, columns and function names, also if the converter
moved the user's lines into a function of its own. Compiling executes nothing, writes no file and
creates no module: a new function takes its code object from the constants of the compiled text and
shares everything else with the original.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping
from types import CellType, CodeType, FunctionType
from typing import Any

from autograph.code_objects import ITERABLE_COROUTINE, future_flags
from autograph.conversion_result import Conversion
from autograph.relocation import Relocation, Users
from autograph.source import Definition, FunctionSource, byte_column
from autograph.syntax import grammar
from autograph.syntax.names import OPERATORS

AG = OPERATORS[0]


def compile_module(conversion: Conversion, filename: str, original: str) -> CodeType:
    """Compile a converted module, with file, lines, columns and names of the user's text.

    Args:
      conversion: of the text of the module, made with positions.
      filename: the user's file.
      original: the user's text.
    """
    tree = grammar.parse(conversion.text)
    lines = original.split("\n")

    def place(line: int, column: int) -> tuple[int, int]:
        return line, byte_column(lines[line - 1], column)

    users = Relocation(conversion, place, lines).relocate(tree, (1, 0, 1, 0))
    code = users.compile(tree, filename)
    return _renamed_children(code, "<module>", "", users)


def function_code(conversion: Conversion, source: FunctionSource, original: CodeType) -> CodeType:
    """Compile a converted function.

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
    extra: tuple[str, ...] | None = None,
) -> CodeType:
    """Compile the one function that a text defines, as a replacement of `original`.

    Args:
      text: the text of one function or lambda.
      source: where the function comes from.
      original: the code of the function as the user wrote it.
      conversion: the conversion that created the text. None: the text is the user's.
      prepare: changes the tree before compilation.
      extra: free variables besides those of the original. None: the operators.
    """
    if extra is None:
        extra = (AG if conversion is None else conversion.operators,)
    tree = grammar.parse(text)
    node = _definition_in(tree)
    users = Relocation(conversion, source.place, source.lines).relocate(tree, (1, 0, 1, 0))
    _strip_header(node, source)
    if prepare is not None:
        prepare(node)
    wrapped = _surrounded(node, source, (*original.co_freevars, *extra))
    module = users.compile(wrapped, source.filename, future_flags(original))
    code = _nested(module, (*_levels(source, original), original.co_name))
    code = _renamed(code, original.co_name, original.co_qualname, users)
    return code.replace(co_flags=code.co_flags & ~_KEPT_FLAGS | original.co_flags & _KEPT_FLAGS)


_KEPT_FLAGS = 0x10 | ITERABLE_COROUTINE  # That a function is nested says nothing about its text.


# ---- surroundings ----


def _definition_in(tree: ast.Module) -> Definition:
    for statement in tree.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return statement
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Lambda):
            return statement.value
    raise ValueError("the text defines no function")


def _strip_header(node: Definition, source: FunctionSource) -> None:
    """Remove decorators, defaults and annotations: the original function provides them."""
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
    # The code object starts at the line of the first decorator.
    line = source.code_line
    node.decorator_list = (
        []
        if line == node.lineno
        else [
            ast.Name(AG, ast.Load(), lineno=line, end_lineno=line, col_offset=0, end_col_offset=0)
        ]
    )


_OUTER = "outer"
# Not an identifier, so no program can use it: the class is a variable of the outer function.
_OUTER_CLASS = "ag class"


def _surrounded(node: Definition, source: FunctionSource, free: tuple[str, ...]) -> ast.Module:
    """Wrap the function in one whose parameters are its free variables."""
    names = [name for name in dict.fromkeys(free) if name != "__class__"]
    outer = ast.FunctionDef(
        name=_OUTER,
        args=ast.arguments(
            posonlyargs=[],
            args=[ast.arg(name) for name in names],
            kwonlyargs=[],
            kw_defaults=[],
            defaults=[],
        ),
        body=_body(node, source, free),
        decorator_list=[],
    )
    if sys.version_info >= (3, 12):
        outer.type_params = []
    return ast.fix_missing_locations(ast.Module([outer], []))


def _body(node: Definition, source: FunctionSource, free: tuple[str, ...]) -> list[ast.stmt]:
    statement = ast.Expr(node) if isinstance(node, ast.Lambda) else node
    if _needs_class(source, free):
        # Two classes: the name of the inner one must not hide a variable of the user.
        return [_class(_OUTER_CLASS, _class(source.class_name or "_", statement))]
    if isinstance(node, ast.Lambda) or node.name in free:
        return [statement]
    # A recursive function finds itself in the scope of the original.
    return [ast.Global([node.name]), statement]


def _class(name: str, statement: ast.stmt) -> ast.ClassDef:
    found = ast.ClassDef(name=name, bases=[], keywords=[], body=[statement], decorator_list=[])
    if sys.version_info >= (3, 12):
        found.type_params = []
    return found


def _needs_class(source: FunctionSource, free: tuple[str, ...]) -> bool:
    return source.class_name is not None or "__class__" in free


def _levels(source: FunctionSource, original: CodeType) -> tuple[str, ...]:
    if _needs_class(source, original.co_freevars):
        return (_OUTER, _OUTER_CLASS, source.class_name or "_")
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


def _renamed(code: CodeType, name: str, qualname: str, users: Users) -> CodeType:
    marks = users.marks_of(code)
    code = _renamed_children(code, name, qualname, users)
    constants = (*code.co_consts, *marks)
    return code.replace(co_name=name, co_qualname=qualname, co_consts=constants)


def _renamed_children(code: CodeType, name: str, qualname: str, users: Users) -> CodeType:
    """Set the qualified names of inner functions as if there were no generated functions.

    A function inside a generated one gets the qualified name of the user's enclosing function.
    """
    constants: list[Any] = list(code.co_consts)
    old_prefix = _prefix(code.co_qualname, code.co_name, code)
    new_prefix = _prefix(qualname, name, code)
    for index, child in enumerate(code.co_consts):
        if not isinstance(child, CodeType):
            continue
        if users.is_added(child):
            constants[index] = _renamed(child, name, qualname, users)
            continue
        old = child.co_qualname
        new = new_prefix + old.removeprefix(old_prefix) if old.startswith(old_prefix) else old
        child = _renamed(child, child.co_name, new, users)
        if not child.co_flags & _OPTIMIZED:
            # The body of a class sets `__qualname__` itself.
            child = child.replace(
                co_consts=tuple(new if each == old else each for each in child.co_consts)
            )
        constants[index] = child
    return code.replace(co_consts=tuple(constants))


_OPTIMIZED = 0x01

_COMPREHENSIONS = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"})


def _prefix(qualname: str, name: str, code: CodeType) -> str:
    if name == "<module>":
        return ""
    has_locals = code.co_flags & _OPTIMIZED and name not in _COMPREHENSIONS
    return f"{qualname}.<locals>." if has_locals else f"{qualname}."


# ---- the function ----


def make_function(code: CodeType, original: FunctionType, extra: Mapping[str, Any]) -> FunctionType:
    """Create a function that runs `code` and equals the original in everything else.

    Args:
      code: the result of `compile_function`.
      original: provides closure, globals, defaults and names.
      extra: the values of additional free variables.
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
