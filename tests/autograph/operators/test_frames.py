"""Tracebacks of converted code: the frames of operators are left out, whatever raises."""

from __future__ import annotations

import textwrap
from typing import Any

import pytest

import autograph

PROGRAM = """
import functools, itertools, operator

def boom(*args, **kwargs):
    raise ZeroDivisionError

class Bad:
    def __init__(self, wrong=False):
        if wrong:
            boom()
        self.rows = [[0]]
    __lt__ = __eq__ = __contains__ = __bool__ = __len__ = __getitem__ = __setitem__ = boom
    __delitem__ = __str__ = __iter__ = __next__ = __index__ = __abs__ = method = boom
    __hash__ = object.__hash__
    of = property(boom, boom)

class Endless(Bad):
    def __iter__(self):
        return self

bad, endless, xs = Bad(), Endless(), [1, 2]
"""

EXPRESSIONS = """
1 < 2 < bad
3 in bad
bad in [Bad()]
[bad] == [Bad()]
not bad
bad and 1
bad or 1
1 if bad else 2
bad[0]
xs[bad]
len(bad)
bool(bad)
any([bad])
all([1, bad])
any(boom(i) for i in xs)
[boom(i) for i in xs]
sum(boom(i) for i in xs)
max([bad, bad])
sorted(xs, key=boom)
list(map(boom, xs))
next(iter(endless))
str(bad)
f"{bad}"
"%s" % bad
",".join([bad])
print(bad)
getattr(bad, "of")
getattr(bad, "nothing")
hasattr(bad, "of")
isinstance(bad, 5)
vars(5)
Bad(True)
Bad(1, 2, 3)
functools.reduce(boom, xs)
list(itertools.starmap(boom, [(1,)]))
operator.methodcaller("method")(bad)
id(bad, 2)
callable()
getattr(bad)
xs.index(bad)
"""

STATEMENTS = (
    "if bad:\n    pass",
    "while bad:\n    pass",
    "for i in endless:\n    pass",
    "for i in endless:\n    if i:\n        break",
    "for i in xs:\n    if i == 5:\n        break\n    boom(i)",
    "for i in xs:\n    if i == 2:\n        return boom(i)",
    "assert bad",
    "bad[0] = 1",
    "del bad[0]",
    "bad.rows[0][bad] = 1",
    "bad.rows[0][7] += 1",
    "bad.of = 1",
    "match bad:\n    case [1]:\n        pass\n    case _:\n        boom()",
)

BODIES = (*(f"return {each}" for each in EXPRESSIONS.strip().splitlines()), *STATEMENTS)


def _failure(text: str) -> tuple[type, str, list[str]]:
    names: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program.py", "exec"), names)
    try:
        names["f"]()
    except Exception as error:
        modules = []
        traceback = error.__traceback__
        while traceback is not None:
            modules.append(traceback.tb_frame.f_globals["__name__"])
            traceback = traceback.tb_next
        return type(error), str(error.args[:1]), modules
    raise AssertionError("nothing is raised")


@pytest.mark.parametrize("body", BODIES)
def test_an_error_has_the_frames_of_the_program_alone(body: str) -> None:
    text = f"{PROGRAM}\ndef f():\n{textwrap.indent(body, '    ')}\n"
    kind, message, modules = _failure(autograph.convert_source(text))
    assert (kind, message) == _failure(text)[:2]
    assert set(modules) == {__name__, "program"}


def test_an_arity_told_by_the_traceback_is_found() -> None:
    text = """
class Pair:
    def __init__(self, one, other):
        if one:
            self.one = other

def frames(error):
    count, traceback = 0, error.__traceback__
    while traceback is not None:
        count, traceback = count + 1, traceback.tb_next
    return count

def f(make):
    try:
        make(1)
    except TypeError as error:
        return frames(error)
"""
    names: dict[str, Any] = {}
    exec(autograph.convert_source(text), names)
    make = names["Pair"]
    assert names["f"](make) == 1
    exec(text, names)
    assert autograph.to_graph(names["f"])(make) == 1
