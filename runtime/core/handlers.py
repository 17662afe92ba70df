"""`except` clauses and context managers of the program around the traced line.

A function is traced once, so its `except` clauses cannot handle what only the running graph finds
out. A program that asks for a key or an attribute and handles the error expects it to be missing.

>>> handled = list(_handled_in(ast.parse("try:\\n    d[k]\\nexcept KeyError:\\n    pass")))
>>> sorted(_names_of(_around(handled, 2), {"KeyError": KeyError}))
['KeyError']
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import sys
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from inspect import getattr_static, isgeneratorfunction, unwrap
from types import BuiltinFunctionType, CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

from autograph.conversion.libraries import is_known_library
from runtime.core.errors import Raised, StagingError
from runtime.core.places import is_own, user_place
from runtime.core.thread import STATE

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
_TRACE = os.path.join(_ROOT, "runtime", "functions", "tracing.py")
_CALL = os.path.join(_ROOT, "autograph", "conversion", "cache.py")


class Raises(NamedTuple):
    """An error that a graph may raise when it runs.

    Attributes:
      kind: its class.
      broad: whether handlers of `Exception` are refused, too.
      remedy: what to write instead of a handler.
    """

    kind: type[BaseException]
    broad: bool
    remedy: str


def refuse_handled(error: BaseException, remedy: str) -> None:
    """Raise StagingError if the program would catch this error of the running graph."""
    _refuse(Raises(type(error), True, remedy))


def refuse_handled_by_name(error: BaseException, remedy: str) -> None:
    """Raise StagingError if a handler that names a class of this error encloses the traced lines.

    Handlers of `Exception` may exist for other errors.
    """
    _refuse(Raises(type(error), False, remedy))


def current_place(*errors: type[Exception]) -> str:
    """Return the line of the program that is being executed, or an empty string.

    Handlers around the line of `errors`, which the graph may raise there, are refused.
    """
    for error in errors:
        refuse_handled_by_name(error(), "Test for it by an `if` in place of the handler.")
    place = user_place()
    return str(place) if place else ""


def raised(error: Exception, place: str) -> Raised:
    """Wrap an error of Python that a kernel raises, with `current_place` below its text."""
    if place:
        error.add_note(f"  {place}")
    return Raised(error)


def refuse_handled_in_call(raises: Iterable[Raises]) -> None:
    """Raise StagingError if a handler around the call of a graph would catch one of its errors."""
    for each in raises:
        _refuse(each)


def _refuse(raises: Raises) -> None:
    graph = STATE.graph
    if graph is None:
        return
    kinds = {kind.__name__ for kind in raises.kind.__mro__}
    if not raises.broad:
        kinds -= _OF_MANY_ERRORS
    if any(kinds & caught for caught in _caught_around(_traced_lines())):
        raise _refusal(raises)
    for each in graph.enclosing():
        each.raises.add(raises)


_OF_MANY_ERRORS = {"Exception", "BaseException", "object"}


def _refusal(raises: Raises) -> StagingError:
    return StagingError(
        f"a staged statement decides whether {raises.kind.__name__} is raised here, and an "
        "`except` clause or context manager handles it: it would have to wait for the running "
        "graph.\n"
        f"  {user_place()}\n{raises.remedy}"
    )


class _Line(NamedTuple):
    """A line that is being executed, and its frame; None: the frame is gone."""

    filename: str
    number: int
    frame: FrameType | None


def _traced_lines() -> list[_Line]:
    """Return the current lines of the call stack, from the innermost to the traced function.

    Handlers around a trace, or around the outermost call of converted code, run after the trace.
    """
    place = STATE.place
    lines = [] if place is None else [_Line(place.filename, place.lineno, None)]
    traced = 0
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_filename == _TRACE:
            return lines
        if code.co_filename == _CALL:
            traced = len(lines)
        if not is_own(code):
            lines.append(_Line(code.co_filename, frame.f_lineno, frame))
        frame = frame.f_back
    return lines[:traced]


Scope = Mapping[str, Any]
"""Values of the names that a line of the program sees."""


class _Handled(NamedTuple):
    """A range of lines whose exceptions are handled.

    Attributes:
      first: its first line.
      last: its last line.
      kinds: expressions of the classes of the handled exceptions; None: every exception.
      managers: expressions of context managers, which may handle more.
    """

    first: int
    last: int
    kinds: tuple[ast.expr | None, ...]
    managers: tuple[ast.expr, ...] = ()


_MOST_FILES = 64
_known: dict[str, tuple[list[str], ast.Module, list[_Handled]]] = {}
"""Syntax and handled ranges of each file, with the `linecache` lines that they come from."""


def _syntax_of(filename: str) -> tuple[ast.Module, list[_Handled]]:
    lines = linecache.getlines(filename)
    known = _known.get(filename)
    if known is None or known[0] is not lines:
        if len(_known) >= _MOST_FILES:
            _known.clear()
        try:
            tree = ast.parse("".join(lines))
        except SyntaxError:  # a cell of a notebook with magics
            tree = ast.Module([], [])
        known = _known[filename] = lines, tree, list(_handled_in(tree))
    return known[1:]


def _caught_around(lines: Iterable[_Line]) -> Iterator[frozenset[str]]:
    """Yield the names of the exceptions that handlers around each line catch, if there are any."""
    plain: set[tuple[str, int]] = set()  # a recursion repeats its lines
    for filename, number, frame in lines:
        if (filename, number) in plain:
            continue
        around = _around(_syntax_of(filename)[1], number)
        if around:
            scope = frame and ChainMap(frame.f_locals, frame.f_globals, frame.f_builtins)
            yield _names_of(around, scope)
        else:
            plain.add((filename, number))


def _handled_in(tree: ast.Module) -> Iterator[_Handled]:
    for each in ast.walk(tree):
        if isinstance(each, ast.Try | ast.TryStar):
            kinds = [handler.type for handler in each.handlers if not _passes_on(handler)]
            if isinstance(each, ast.TryStar) or _ends_errors(each.finalbody):
                kinds.append(None)
            yield _Handled(each.body[0].lineno, _end(each.body[-1]), tuple(kinds))
        elif isinstance(each, ast.With | ast.AsyncWith):
            managers = (*(item.context_expr for item in each.items), *_entered(each))
            yield _Handled(each.body[0].lineno, _end(each.body[-1]), (), managers)


def _ends_errors(finalbody: list[ast.stmt]) -> bool:
    """Return whether a `finally` may leave by a jump, which ends the exception."""
    inside = (node for statement in finalbody for node in ast.walk(statement))
    return any(isinstance(node, ast.Return | ast.Break | ast.Continue) for node in inside)


def _passes_on(handler: ast.ExceptHandler) -> bool:
    """Return whether a handler of many errors ends with a bare `raise`."""
    last = handler.body[-1]
    raises = isinstance(last, ast.Raise) and last.exc is None
    return raises and _OF_MANY_ERRORS.issuperset(_names(handler.type, {}))


def _entered(block: ast.With | ast.AsyncWith) -> Iterator[ast.expr]:
    """Yield the managers that a block gives an `ExitStack`."""
    for each in ast.walk(block):
        if isinstance(each, ast.Call) and getattr(each.func, "attr", "") in _ENTERS:
            yield from each.args[:1]


_ENTERS = {"enter_context", "enter_async_context", "push", "push_async_exit"}


def _around(handled: list[_Handled], line: int) -> list[_Handled]:
    return [each for each in handled if each.first <= line <= each.last]


def _names_of(around: list[_Handled], scope: Scope | None) -> frozenset[str]:
    """Return the names of the exceptions that handlers catch.

    `scope` holds the values of names; without it handlers count by name, and managers do not.
    """
    found = {name for held in around for kind in held.kinds for name in _names(kind, scope or {})}
    if scope is not None:
        found.update(*(_handled_by(each, scope) for held in around for each in held.managers))
    return frozenset(found)


def _handled_by(manager: ast.expr, scope: Scope) -> Iterable[str]:
    """Return the names of the exceptions that a context manager of the program may handle."""
    if isinstance(manager, ast.Call):
        return _handled_by_result(_value_of(manager.func, scope), manager.args, scope)
    if isinstance(manager, ast.IfExp):
        return {*_handled_by(manager.body, scope), *_handled_by(manager.orelse, scope)}
    value = _value_of(manager, scope)
    return _ANY if value is _UNKNOWN or type(value) is suppress else _handled_by_class(type(value))


def _handled_by_result(function: Any, arguments: list[ast.expr], scope: Scope) -> Iterable[str]:
    """Return the names of the exceptions that what a function returns may handle."""
    if function is suppress:
        return [name for each in arguments for name in _names(each, scope)]
    if isinstance(function, type):
        return _handled_by_class(function)
    if function is None or isinstance(function, BuiltinFunctionType):
        return ()
    made_by = unwrap(function)  # contextlib.contextmanager wraps
    if type(made_by) is not FunctionType:
        return _ANY
    if isgeneratorfunction(made_by):
        return _handled_at_yields(made_by)
    return () if is_known_library(made_by.__globals__) else _ANY


def _handled_by_class(kind: type) -> Iterable[str]:
    """Return the names of the exceptions that context managers of a class may handle."""
    leave = getattr_static(kind, "__exit__", None) or getattr_static(kind, "__aexit__", None)
    if type(leave) is not FunctionType or is_known_library(leave.__globals__):
        return ()
    body = list(_body_of(leave.__code__))
    returned = (each for each in body if isinstance(each, ast.Return))
    answers = (getattr(each.value, "value", each.value) for each in returned)
    return () if body and all(each in (None, False) for each in answers) else _ANY


_ANY = frozenset({"Exception"})
_UNKNOWN = object()


def _value_of(expression: ast.expr, scope: Scope) -> Any:
    """Return what a name or an attribute in the program refers to.

    None: `scope` lacks the name, which a frame around it has. `_UNKNOWN`: another expression.
    """
    if isinstance(expression, ast.Attribute):
        owner = _value_of(expression.value, scope)
        missing = None if owner is None else _UNKNOWN
        value = getattr_static(owner, expression.attr, missing)
        return _UNKNOWN if isinstance(value, property) else value
    return scope.get(expression.id) if isinstance(expression, ast.Name) else _UNKNOWN


def _body_of(code: CodeType) -> Iterator[ast.AST]:
    """Yield the syntax of a function."""
    for each in ast.walk(_syntax_of(code.co_filename)[0]):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name == code.co_name:
            lines = [each.lineno, *(decorator.lineno for decorator in each.decorator_list)]
            if code.co_firstlineno in lines:
                yield from ast.walk(each)


def _handled_at_yields(generator: FunctionType) -> frozenset[str]:
    """Return the names of the exceptions that a generator handles where it yields."""
    code, names = generator.__code__, ChainMap(generator.__globals__, vars(builtins))
    handled = _syntax_of(code.co_filename)[1]
    yields = (each for each in _body_of(code) if isinstance(each, ast.Yield))
    around = (_around(handled, each.lineno) for each in yields)
    return frozenset().union(*(_names_of(each, names) for each in around))


def _end(statement: ast.stmt) -> int:
    return statement.end_lineno or statement.lineno


def _names(kind: ast.expr | None, scope: Scope) -> list[str]:
    """Return the names of the exceptions of a handler."""
    if kind is None:
        return ["BaseException"]
    if isinstance(kind, ast.Tuple):
        return [name for each in kind.elts for name in _names(each, scope)]
    if isinstance(kind, ast.Starred):
        return _names(kind.value, scope)
    value = _value_of(kind, scope)
    classes = value if isinstance(value, tuple) else (value,)
    if all(isinstance(each, type) for each in classes):
        return [each.__name__ for each in classes]
    named = kind.attr if isinstance(kind, ast.Attribute) else getattr(kind, "id", None)
    return ["Exception"] if named is None or value is _UNKNOWN else [named]
