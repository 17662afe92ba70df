"""Guards: functions run as written unless an argument is staged or a trace is running.

`guarded(f)` returns a function with the body of `f` after one test, at the line of the `def`:

    def f(x, y):
        if not (type(x) in PLAIN and type(y) in PLAIN):
            return enter(x, y)
        ...

`PLAIN` holds the classes known to be unstaged, and is empty during a trace. So a call costs one set
look-up per argument more than the original. Items of lists and dicts are not checked outside of
traces. `PLAIN` and `enter` are free variables; constants of the code where `locals()` would show
them.

`entry(...)` returns a converted function with the same test.

`guarded_code(...)` returns replacement code for a function that Python calls implicitly, such as a
property getter. It tests only whether a trace is running:

    def f(x, y):
        if None in ONGOING and ENTRANCE.target() is not None:
            return ENTRANCE.decided()(x, y)
        ...

`ONGOING` and `ENTRANCE` are constants of the code, so that the closure stays unchanged.
"""

from __future__ import annotations

import ast
import functools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FrameType, FunctionType
from typing import Any, TypeGuard, TypeVar

from autograph import loading, staging
from autograph.conversion_result import Conversion
from autograph.source import Definition, FunctionSource, function_source, without_syntax_warnings
from autograph.syntax import grammar

ENTER, TYPE, TYPES, ITEM, PLAIN = "ag__ enter", "ag__ type", "ag__ types", "ag__ item", "ag__ plain"
_OWN = {"enter": ENTER, "type": TYPE, "types": TYPES, "item": ITEM, "plain": PLAIN}
"""From a name in the source of the test to its compiled name, which no program can use."""
OWN_NAMES = frozenset(_OWN.values())
_LOCALS_READERS = frozenset({"locals", "vars", "dir", "eval", "exec"})
_ONGOING = "autograph: whether anything is being traced"
_ENTRANCE = "autograph: the way into the converted function"

_GENERATOR = 0x20
_COROUTINE = 0x80
_ASYNC_GENERATOR = 0x200
_VARARGS = 0x04
_VARKEYWORDS = 0x08

_types = functools.partial(map, type)
T = TypeVar("T", bound=ast.AST)


class _Always(frozenset[None]):
    """A constant in place of `ongoing`, in which None is found.

    TorchDynamo iterates over constants, finds nothing, and reads the body.

    >>> None in _ALWAYS, list(_ALWAYS)
    (True, [])
    """

    __slots__ = ()

    def __iter__(self) -> Iterator[None]:
        """Iterate over nothing."""
        return iter(())


_ALWAYS = _Always((None,))


class _Codes:
    """A cache of derived code, keyed by identity: equal code objects may come from two files."""

    def __init__(self) -> None:
        self._found: dict[int, tuple[weakref.ref[CodeType], CodeType]] = {}

    def get(self, code: CodeType) -> CodeType | None:
        known = self._found.get(id(code))
        return known[1] if known is not None and known[0]() is code else None

    def put(self, code: CodeType, made: CodeType) -> None:
        number = id(code)
        gone = weakref.ref(code, lambda _: self._found.pop(number, None))
        self._found[number] = (gone, made)


_testing_arguments = _Codes()
_converted_testing_arguments = _Codes()
_testing_traces = _Codes()


class Entrance:
    """A constant of guarded code: finds the converted function.

    It refers to the function weakly, because the garbage collector does not traverse code objects.

    Args:
      written: the original code.
      function: the function with the guarded code.
      convert: returns the converted form of the function.
      always: whether it is called outside of traces, too.
    """

    __slots__ = ("_convert", "_function", "always", "written")

    def __init__(
        self,
        written: CodeType,
        function: FunctionType | None = None,
        convert: Callable[[FunctionType], Any] | None = None,
        always: bool = False,
    ) -> None:
        """Create an entrance; without a function it has no target."""
        self.always = always
        self.written = written
        self._function = None if function is None else weakref.ref(function)
        self._convert = convert

    def leads_from(self, function: FunctionType) -> bool:
        """Return whether this is the entrance of `function`, not of one that it was copied from."""
        return self._function is not None and self._function() is function

    def target(self) -> Callable[..., Any] | None:
        """Return the function to call in place of the guarded body; None: run the body."""
        if not staging.trace.running and not self.always:
            return None  # another thread is tracing
        function = None if self._function is None else self._function()
        frame = sys._getframe(1)
        if function is None or self._convert is None or not _runs(function, frame):
            return None
        found: Callable[..., Any] = self._convert(function)
        as_written = getattr(found, "__autograph_calls__", found) is function
        # An argument with alternatives is split: one call for each value.
        as_written = as_written and not any(map(staging.is_one_of, frame.f_locals.values()))
        _decision.target = None if as_written else found
        return _decision.target

    def decided(self) -> Callable[..., Any]:
        """Return the last result of `target` in this thread; a second call could differ."""
        found, _decision.target = _decision.target, None
        assert found is not None
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the function: the copy has no target."""
        return Entrance, (self.written,)


class _Decision(threading.local):
    target: Callable[..., Any] | None = None


_decision = _Decision()


def _runs(function: FunctionType, frame: FrameType) -> bool:
    """Return whether a frame runs this function, not a copy with another closure."""
    if frame.f_code is not function.__code__ or frame.f_globals is not function.__globals__:
        return False
    if not function.__closure__:
        return True
    shared = frame.f_locals
    return all(
        shared.get(name, _EMPTY) is _content(cell)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__, strict=True)
    )


_EMPTY = object()


def _content(cell: CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return _EMPTY


def _entrance_in(code: CodeType) -> Entrance | None:
    return next((each for each in code.co_consts if type(each) is Entrance), None)


def as_written(function: FunctionType) -> FunctionType:
    """Return the function with its original code; the function itself unless it was adopted."""
    entrance = _entrance_in(function.__code__)
    if entrance is None:
        return function
    written = FunctionType(
        entrance.written,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    written.__kwdefaults__ = function.__kwdefaults__
    written.__qualname__ = function.__qualname__
    return written


def is_adopted(function: FunctionType) -> bool:
    """Return whether the function has guarded code with its own entrance."""
    entrance = _entrance_in(function.__code__)
    return entrance is not None and entrance.leads_from(function)


def guarded(
    function: FunctionType,
    enter: Callable[..., Any],
    plain: staging.Shared = staging.plain_types,
) -> Any:
    """Return the function with a guard before its body.

    Args:
      function: the user's function.
      enter: called with the arguments if the test fails.
      plain: the classes of arguments with which the test holds.

    Raises:
      NoSourceError: if the function has no source text.
      StaleSourceError: if the text found is not the code that is running.
    """
    written = as_written(function)
    with without_syntax_warnings():
        source = function_source(written)
        if not source.exact:
            return _around(function, enter)
        code = _guarded_code(written.__code__, source)
    return _with_test(code, function, _around_body(enter, plain))


def entry(
    converted: FunctionType,
    original: FunctionType,
    conversion: Conversion,
    source: FunctionSource,
    enter: Callable[..., Any],
) -> FunctionType:
    """Return a converted function with a guard before its body.

    Args:
      converted: the converted function.
      original: the user's function.
      conversion: the conversion of its text.
      source: its text.
      enter: called with the arguments if the test fails.
    """
    operators = conversion.operators
    code = _converted_testing_arguments.get(converted.__code__)
    if code is None:
        with without_syntax_warnings():
            code = _compiled(conversion.text, original.__code__, source, conversion, (operators,))
        _converted_testing_arguments.put(converted.__code__, code)
    names = dict(zip(converted.__code__.co_freevars, converted.__closure__ or (), strict=True))
    given = {operators: names[operators].cell_contents} if operators in names else {}
    return _with_test(code, original, {**given, **_around_body(enter)})


def _around_body(
    enter: Callable[..., Any], plain: staging.Shared = staging.plain_types
) -> dict[str, Any]:
    """Return the free variables of the test before a body."""
    return {ENTER: enter, TYPE: type, TYPES: _types, PLAIN: plain}


def _with_test(code: CodeType, original: FunctionType, values: dict[str, Any]) -> FunctionType:
    """Create a function with the test, whose `values` are free variables or constants."""
    if _reads_locals(original.__code__):
        code = _with_constants(code, values)
    return loading.make_function(code, original, values)


def _reads_locals(code: CodeType) -> bool:
    return not _LOCALS_READERS.isdisjoint(code.co_names)


def _around(function: FunctionType, enter: Callable[..., Any]) -> Any:
    # The running code differs from its text, so the text must not be compiled in its place.
    @functools.wraps(function)
    def call(*args: object, **kwargs: object) -> Any:
        return enter(*args, **kwargs)

    return call


def guarded_code(code: CodeType, source: FunctionSource, entrance: Entrance) -> CodeType:
    """Return the code of a function with a test for a running trace before its body.

    Its variables stay the same, free variables included.

    Args:
      code: the code of the function, neither a generator nor a coroutine.
      source: its text.
      entrance: finds the converted function during a trace.
    """
    found = _testing_traces.get(code)
    if found is None:
        prepare = functools.partial(_put_trace_test_in_front, code=code)
        found = loading.compile_function(source.text, source, code, prepare=prepare, extra=())
        _testing_traces.put(code, found)
    ongoing = _ALWAYS if entrance.always else staging.ongoing
    return _with_constants(found, {_ONGOING: ongoing, _ENTRANCE: entrance})


def _with_constants(code: CodeType, values: dict[str, Any]) -> CodeType:
    constants = (values.get(each, each) if type(each) is str else each for each in code.co_consts)
    return code.replace(co_consts=tuple(constants))


def _guarded_code(code: CodeType, source: FunctionSource) -> CodeType:
    known = _testing_arguments.get(code)
    if known is not None:
        return known
    found = _compiled(source.text, code, source, None, ())
    _testing_arguments.put(code, found)
    return found


def _compiled(
    text: str,
    code: CodeType,
    source: FunctionSource,
    conversion: Conversion | None,
    extra: tuple[str, ...],
) -> CodeType:
    return loading.compile_function(
        text,
        source,
        code,
        conversion,
        prepare=functools.partial(_put_in_front, code=code),
        extra=(*extra, ENTER, TYPE, TYPES, PLAIN),
    )


def _put_in_front(node: Definition, code: CodeType) -> None:
    """Insert the test before the body, after the docstring."""
    if isinstance(node, ast.Lambda):
        test = _parsed(f"not ({_test(code)})", node)
        call = _parsed(_call(code), node)
        if code.co_flags & _GENERATOR:
            call = _parsed(f"(yield from {_call(code)})", node)
        body = ast.copy_location(ast.IfExp(test, call, node.body), node.body)
        node.body = _Constants().visit(body) if _reads_locals(code) else body
        return
    tree = grammar.parse(f"if not ({_test(code)}):\n    {_leave(code)}")
    statement = _with_own_names(tree).body[0]
    for each in ast.walk(statement):
        if isinstance(each, (ast.stmt, ast.expr, ast.keyword)):
            ast.copy_location(each, node)
            each.end_lineno, each.end_col_offset = node.lineno, node.col_offset + len("def")
    if _reads_locals(code):
        statement = _Constants().visit(statement)
    position = 1 if ast.get_docstring(node, clean=False) is not None else 0
    node.body.insert(position, statement)


class _Constants(ast.NodeTransformer):
    """Makes constants of the free variables of a test, to be replaced by their values."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in _OWN.values() and isinstance(node.ctx, ast.Load) and node.id != ITEM:
            return ast.copy_location(ast.Constant(node.id), node)
        return node


def _with_own_names(tree: T) -> T:
    """Rename the functions and variables of a test; all its other names are parameters."""
    for each in ast.walk(tree):
        name: object = None
        if isinstance(each, ast.Call):
            name = each.func
        elif isinstance(each, ast.AsyncFor):
            name = each.target
        elif isinstance(each, ast.Yield) or _is_superset_of(each):
            name = each.value
        elif isinstance(each, ast.Compare):
            name = each.comparators[0]
        if isinstance(name, ast.Name) and name.id in _OWN:
            name.id = _OWN[name.id]
    return tree


def _is_superset_of(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr == "issuperset"


def _parsed(text: str, place: ast.Lambda) -> ast.expr:
    expression = _with_own_names(grammar.parse(text, mode="eval")).body
    for each in ast.walk(expression):
        if hasattr(each, "lineno"):
            ast.copy_location(each, place)
    return expression


def _put_trace_test_in_front(node: Definition, code: CodeType) -> None:
    """Insert the test in the first executed line, so that tracers see no added line."""
    test = f"None in {_ONGOING!r} and {_ENTRANCE!r}.target() is not None"
    leave = f"{_ENTRANCE!r}.decided()({_arguments(code)})"
    line = _first_line(node, code)
    if isinstance(node, ast.Lambda):
        expression = grammar.parse(f"({leave}) if ({test}) else None", mode="eval").body
        _move(expression, line)
        assert isinstance(expression, ast.IfExp)
        expression.orelse = node.body
        node.body = expression
        return
    statement = grammar.parse(f"if {test}:\n    return {leave}").body[0]
    _move(statement, line)
    position = 1 if ast.get_docstring(node, clean=False) is not None else 0
    node.body.insert(position, statement)


def _first_line(node: Definition, code: CodeType) -> int:
    """Return the first executed line of a function; its code starts with that of the header."""
    header = code.co_firstlineno
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    lines = (line for _, _, line in code.co_lines() if line is not None)
    if body[0].lineno == header:
        return header
    return next((line for line in lines if line != header), header)


def _move(tree: ast.AST, line: int) -> None:
    for each in ast.walk(tree):
        if isinstance(each, (ast.stmt, ast.expr, ast.keyword)):
            each.lineno = each.end_lineno = line
            each.col_offset = each.end_col_offset = 0


def _test(code: CodeType) -> str:
    names = list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])
    tests = [f"type({name}) in plain" for name in names]
    args, kwargs = _stars(code)
    if args:
        tests.append(f"(not {args} or plain.issuperset(types({args})))")
    if kwargs:
        tests.append(f"(not {kwargs} or plain.issuperset(types({kwargs}.values())))")
    # Without a parameter that always has a value, only a running trace can matter.
    return " and ".join(tests if names else ["None in plain", *tests])


def _stars(code: CodeType) -> tuple[str | None, str | None]:
    rest = list(code.co_varnames[code.co_argcount + code.co_kwonlyargcount :])
    args = rest.pop(0) if code.co_flags & _VARARGS else None
    kwargs = rest.pop(0) if code.co_flags & _VARKEYWORDS else None
    return args, kwargs


def _call(code: CodeType) -> str:
    return f"enter({_arguments(code)})"


def _arguments(code: CodeType) -> str:
    positional = code.co_varnames[: code.co_argcount]
    keywords = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    args, kwargs = _stars(code)
    arguments = [
        *positional,
        *([f"*{args}"] if args else []),
        *(f"{name}={name}" for name in keywords),
        *([f"**{kwargs}"] if kwargs else []),
    ]
    return ", ".join(arguments)


def _leave(code: CodeType) -> str:
    call = _call(code)
    if code.co_flags & _ASYNC_GENERATOR:
        return f"async for item in {call}: yield item\n    return"
    if code.co_flags & _GENERATOR:
        return f"return (yield from {call})"
    if code.co_flags & _COROUTINE:
        return f"return await {call}"
    return f"return {call}"
