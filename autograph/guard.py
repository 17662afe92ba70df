"""Functions that run as written, unless something is to be staged.

`guarded(f)` is a function with the body of `f` behind one test at the line of the `def`:

    def f(x, y):
        if not (type(x) in PLAIN and type(y) in PLAIN):
            return enter(x, y)
        ...

`PLAIN` holds the classes that are known to stage nothing, and is empty while anything is being
traced. So a call costs one look-up an argument more than the original. It is the arguments that
are looked at; what is inside a list or a dict counts while a library says that it is tracing.
"""

from __future__ import annotations

import ast
import functools
import weakref
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any

from autograph import loading, staging
from autograph.source import (
    Definition,
    FunctionSource,
    function_source,
    without_syntax_warnings,
)

ENTER = "ag__enter"
TYPE = "ag__type"
TYPES = "ag__types"
_PLAIN = "autograph: the classes that stage nothing"

_GENERATOR = 0x20
_COROUTINE = 0x80
_ASYNC_GENERATOR = 0x200
_VARARGS = 0x04
_VARKEYWORDS = 0x08

_types = functools.partial(map, type)
_codes: dict[int, tuple[weakref.ref[CodeType], CodeType]] = {}


def guarded(function: FunctionType, enter: Callable[..., Any]) -> Any:
    """The function with the test in front.

    Args:
      function: the function of the user's.
      enter: called in its place, with its arguments, where the test finds something new.
    Raises: NoSourceError, StaleSourceError.
    """
    with without_syntax_warnings():
        source = function_source(function)
        if not source.exact:
            return _around(function, enter)
        code = _guarded_code(function.__code__, source)
    return loading.make_function(code, function, {ENTER: enter, TYPE: type, TYPES: _types})


def _around(function: FunctionType, enter: Callable[..., Any]) -> Any:
    # The running code differs from its text, so that text must not take its place.
    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        return enter(*args, **kwargs)

    return call


def _guarded_code(code: CodeType, source: FunctionSource) -> CodeType:
    known = _codes.get(id(code))
    if known is not None and known[0]() is code:
        return known[1]
    found = loading.compile_function(
        source.text,
        source,
        code,
        prepare=functools.partial(_put_in_front, code=code),
        extra=(ENTER, TYPE, TYPES),
    )
    constants = tuple(
        staging.plain_types if type(each) is str and each == _PLAIN else each
        for each in found.co_consts
    )
    found = found.replace(co_consts=constants)
    number = id(code)
    _codes[number] = (weakref.ref(code, lambda _: _codes.pop(number, None)), found)
    return found


def _put_in_front(node: Definition, code: CodeType) -> None:
    """Puts the test in front of the body, below the docstring."""
    if isinstance(node, ast.Lambda):
        test = _parsed(f"not ({_test(code)})", node)
        call = _parsed(_call(code), node)
        if code.co_flags & _GENERATOR:
            call = _parsed(f"(yield from {_call(code)})", node)
        node.body = ast.copy_location(ast.IfExp(test, call, node.body), node.body)
        return
    statement = ast.parse(f"if not ({_test(code)}):\n    {_leave(code)}").body[0]
    for each in ast.walk(statement):
        if isinstance(each, (ast.stmt, ast.expr, ast.keyword)):
            ast.copy_location(each, node)
            each.end_lineno, each.end_col_offset = node.lineno, node.col_offset + len("def")
    position = 1 if ast.get_docstring(node, clean=False) is not None else 0
    node.body.insert(position, statement)


def _parsed(text: str, place: ast.Lambda) -> ast.expr:
    expression = ast.parse(text, mode="eval").body
    for each in ast.walk(expression):
        if hasattr(each, "lineno"):
            ast.copy_location(each, place)
    return expression


def _test(code: CodeType) -> str:
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    tests = [f"{TYPE}({name}) in {_PLAIN!r}" for name in names]
    args, kwargs = _stars(code)
    if args:
        tests.append(f"(not {args} or {_PLAIN!r}.issuperset({TYPES}({args})))")
    if kwargs:
        tests.append(f"(not {kwargs} or {_PLAIN!r}.issuperset({TYPES}({kwargs}.values())))")
    # Without a parameter that always has a value, only a trace can make a difference.
    return " and ".join(tests if names else [f"None in {_PLAIN!r}", *tests])


def _stars(code: CodeType) -> tuple[str | None, str | None]:
    rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    args = rest.pop(0) if code.co_flags & _VARARGS else None
    kwargs = rest.pop(0) if code.co_flags & _VARKEYWORDS else None
    return args, kwargs


def _call(code: CodeType) -> str:
    positional = code.co_varnames[: code.co_argcount]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    args, kwargs = _stars(code)
    arguments = [
        *positional,
        *([f"*{args}"] if args else []),
        *(f"{name}={name}" for name in keywords),
        *([f"**{kwargs}"] if kwargs else []),
    ]
    return f"{ENTER}({', '.join(arguments)})"


def _leave(code: CodeType) -> str:
    call = _call(code)
    if code.co_flags & _ASYNC_GENERATOR:
        return f"async for ag__item in {call}: yield ag__item\n    return"
    if code.co_flags & _GENERATOR:
        return f"return (yield from {call})"
    if code.co_flags & _COROUTINE:
        return f"return await {call}"
    return f"return {call}"
