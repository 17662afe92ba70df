"""Names that the converter adds: none is one that the user's text has, whatever that text uses."""

from __future__ import annotations

import importlib
import itertools
import sys

import pytest

import autograph
import runtime as tf
from autograph.conversion.libraries import is_converted

ADDED = [
    "ag__", "ag__1", "vars_", "get_state", "set_state", "loop_body", "loop_test", "if_body",
    "else_body", "do_break", "do_continue", "do_return", "retval_", "item", "subject", "state",
    "parameter", "outer", "of_module", "function", "ag__class", "ag__enter", "ag__type",
    "ag__types", "ag__item",
]  # fmt: skip

PARAMETER = """
def f({0}, limit):
    while {0} > limit:
        if {0} > 50:
            {0} = {0} - 7
            continue
        {0} = {0} - 1
        if {0} == 13:
            break
    return {0}
"""
VARIABLE = """
def f(x, limit):
    {0} = 0
    for i in range(limit):
        if x > i:
            {0} = {0} + x
        else:
            {0} = {0} - 1
    return {0}
"""
FREE = """
def make():
    {0} = 3
    def inner(x, limit):
        nonlocal {0}
        if x > limit:
            {0} = {0} + x
        return {0} + x
    return inner

f = make()
f_again = make()
"""
GLOBAL = """
{0} = 4

def f(x, limit):
    if x > limit:
        y = x + {0}
    else:
        y = x - {0}
    return y
"""
INNER = """
def f(x, limit):
    def {0}(v):
        if v > limit:
            return v - limit
        return limit
    return {0}(x)
"""
STARS = """
def f(x, *{0}):
    if x > {0}[0]:
        x = x - {0}[0]
    return x + len({0})
"""
METHOD = """
class K:
    scale = 2
    def run(self, x, {0}):
        if x > {0}:
            x = super().__init__() or x + {0} * self.scale
        return x

def f(x, limit):
    return K().run(x, limit)
"""
PROGRAMS = {
    "parameter": PARAMETER, "variable": VARIABLE, "free": FREE, "global": GLOBAL, "inner": INNER,
    "stars": STARS, "method": METHOD,
}  # fmt: skip
CALLS = [(60, 3), (3, 60), (20, 5)]
numbers = itertools.count()


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loaded = []

    def load_text(text):
        name = f"fresh_names_{next(numbers)}"
        (tmp_path / f"{name}.py").write_text(text)
        importlib.invalidate_caches()
        loaded.append(name)
        return importlib.import_module(name)

    yield load_text
    for name in loaded:
        del sys.modules[name]


def results(function):
    return [int(function(*call)) for call in CALLS]


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize("program", PROGRAMS)
def test_user_may_use_each_name_that_the_converter_adds(load, program, name):
    text = PROGRAMS[program].format(name)
    expected = results(load(text).f)
    assert results(autograph.to_graph(load(text).f)) == expected
    assert results(autograph.convert(load(text).f)) == expected
    converted = autograph.convert_source(text)
    assert converted != text
    assert results(load(converted).f) == expected
    assert autograph.convert_source(converted) == converted


@pytest.mark.parametrize("name", ["ag__", "vars_", "get_state", "do_break", "item"])
@pytest.mark.parametrize("program", ["parameter", "variable", "global", "inner", "method"])
def test_such_programs_are_staged(load, program, name):
    text = PROGRAMS[program].format(name)
    expected = results(load(text).f)
    function = tf.function(load(text).f)
    found = [int(function(*map(tf.constant, call))) for call in CALLS]
    assert found == expected


@pytest.mark.parametrize("program", ["parameter", "variable", "global", "inner", "method"])
def test_module_with_another_name_of_the_operators_is_staged(load, program):
    text = PROGRAMS[program].format("ag__")
    converted = autograph.convert_source(text)
    assert "from autograph import ag__ as ag__1\n" in converted
    function = tf.function(load(converted).f)
    found = [int(function(*map(tf.constant, call))) for call in CALLS]
    assert found == results(load(text).f)


def test_function_of_such_a_module_is_not_converted_again(load):
    module = load(autograph.convert_source(PARAMETER.format("ag__")))
    assert is_converted(module.f)
    assert not is_converted(load(PARAMETER.format("ag__")).f)


def test_names_that_python_normalizes_are_taken(load):
    text = VARIABLE.format("\uff56\uff41\uff52\uff53_")
    assert "def set_state(vars_1):" in autograph.convert_source(text)


def test_text_that_uses_all_names_of_the_operators_is_refused():
    names = " = ".join(["ag__", *(f"ag__{number}" for number in range(1, 10))])
    with pytest.raises(autograph.ConversionError, match="no name is left"):
        autograph.convert_source(f"{names} = 1\n{GLOBAL.format('x')}")


def test_other_texts_call_the_operators_as_before():
    assert "\nfrom autograph import ag__\n" in "\n" + autograph.convert_source(GLOBAL.format("k"))


LINE = "from autograph import ag__"


@pytest.mark.parametrize(
    "text",
    [
        f'"""A module.\n\n{LINE}\n"""\n{{0}}',
        f"# {LINE}\n{{0}}",
        f'TEXT = """\n{LINE}\n"""\n{{0}}',
        f'{{0}}\n    """\n{LINE}\n"""\n',
    ],
)
def test_header_in_a_string_does_not_make_a_text_converted(load, text):
    text = text.format(GLOBAL.format("k"))
    converted = autograph.convert_source(text)
    assert ".if_stmt(" in converted and converted != text
    assert results(load(converted).f) == results(load(text).f)
    assert autograph.convert_source(converted) == converted


def test_docstring_of_a_function_with_the_header_is_a_docstring(load):
    text = f'def f(x, limit):\n    """\n{LINE}\n    """\n    if x > limit:\n        x = limit\n'
    text += "    return x\n"
    assert ".if_stmt(" in autograph.to_code(load(text).f)


@pytest.mark.parametrize("line", [LINE, f"{LINE}  # operators", f"{LINE} as ag__1", f"{LINE};"])
def test_header_as_a_statement_makes_a_text_converted(line):
    text = f"{line}\n{GLOBAL.format('k')}"
    assert autograph.convert_source(text) == text
