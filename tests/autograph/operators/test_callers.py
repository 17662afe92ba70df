"""What counts frames counts those of the user, however many operators stand between them."""

import os
import sys
import warnings

import pytest

import autograph

PROGRAM = """
import inspect, sys, warnings
from sys import _getframe
from warnings import warn

def blame(level, n):
    if n > 0:
        for _ in range(1):
            warnings.warn("deprecated", DeprecationWarning, level)

def blame_by_name(level, n):
    while n > 0:
        warn("deprecated", stacklevel=level)
        n -= 1

def names(n):
    if n >= 0:
        own, caller = sys._getframe(n), sys._getframe(n + 1)
        return own.f_code.co_name, caller.f_code.co_name, _getframe(n + 2).f_code.co_name

def modules(n):
    if n >= 0:
        return sys._getframemodulename(n)

def entries(n):
    first = None
    for depth in range(n):
        first = depth if first is None else first
        found = [each for each in inspect.stack() if each.filename == "program.py"]
    return [(each[3], each.function, each.code_context, seen_in(each)) for each in found]

def seen_in(entry):
    names = entry.frame.f_locals
    return [name for name in ("n", "first", "function", "args", "_") if name in names]

def through(function, *args):
    if args:
        result = function(*args)
    return result

def outer(function, *args):
    for _ in [0]:
        if function:
            result = through(function, *args)
    return result
"""


def run(text, function, *args):
    """The warnings (line, file) of a call, and its result."""
    space = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), space)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = space["outer"](space[function], *args)
    return [(source(text, each), str(each.message)) for each in caught], result


def source(text, warning):
    """The statement that is blamed, as the user wrote it."""
    if not warning.filename.endswith("program.py"):
        return warning.filename
    line = text.splitlines()[warning.lineno - 1]
    return line.replace("ag__.converted(", "").replace(")(", "(").strip()


@pytest.mark.parametrize("level", [1, 2, 3, 4, 99])
@pytest.mark.parametrize("function", ["blame", "blame_by_name"])
def test_a_warning_blames_the_line_that_plain_python_blames(function, level):
    plain = run(PROGRAM, function, level, 1)
    assert run(autograph.convert_source(PROGRAM), function, level, 1) == plain


def test_the_stack_has_an_entry_for_each_function():
    plain = run(PROGRAM, "entries", 2)[1]
    assert [name for name, *_ in plain] == ["entries", "through", "outer"]
    assert run(autograph.convert_source(PROGRAM), "entries", 2)[1] == plain


@pytest.mark.parametrize("depth", [0, 1])
def test_frames_are_those_that_plain_python_counts(depth):
    space = autograph.exec(PROGRAM, {"__name__": "program"})
    plain = space["outer"](space["names"], depth)
    assert plain[: 2 - depth] == ("names", "through")[depth:]
    assert autograph.to_graph(space["outer"])(space["names"], depth) == plain


@pytest.mark.skipif(sys.version_info < (3, 12), reason="since Python 3.12")
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_modules_of_callers_are_those_of_plain_python(depth):
    converted = autograph.convert_source(PROGRAM)
    assert run(converted, "modules", depth)[1] == run(PROGRAM, "modules", depth)[1]


def test_too_deep_a_count_is_the_same_error():
    converted = autograph.convert_source(PROGRAM)
    for text in (PROGRAM, converted):
        with pytest.raises(ValueError, match="call stack is not deep enough"):
            run(text, "names", 10_000)


def test_a_warning_that_is_an_error_shows_no_operator():
    space = {"__name__": "program"}
    exec(compile(autograph.convert_source(PROGRAM), "program.py", "exec"), space)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(DeprecationWarning) as caught:
            space["blame"](1, 1)
    files = {os.path.basename(entry.path) for entry in caught.traceback}
    assert files <= {"program.py", "test_callers.py"}


def test_a_decorated_function_counts_once():
    space = autograph.exec(PROGRAM, {"__name__": "program"})
    decorated = autograph.convert()(space["names"])
    for _ in range(2):  # the first call looks at the class of its argument
        assert decorated(0)[:2] == ("names", "test_a_decorated_function_counts_once")


@pytest.mark.parametrize("items", [[1], (1,), [], {"a": 1}])
def test_a_decorated_function_blames_its_caller(items):
    @autograph.convert()
    def old(items):
        warnings.warn("deprecated", DeprecationWarning, 2)
        return len(items)

    with pytest.warns(DeprecationWarning) as caught:
        assert old(items) == len(items)
    assert [each.filename for each in caught] == [__file__]
