"""Qualified names of functions in a text are those that Python gives them."""

import ast
import types

from autograph.syntax.qualnames import functions_in

TEXT = """
@decorate(lambda: 0)
@again
def outer(x):
    class Local:
        async def method(self): ...
    def inner(): ...
    return inner

if True:
    class Net:
        class Part:
            def call(self): ...
"""


def names_of(code):
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield constant.co_qualname
            yield from names_of(constant)


def test_names_are_those_of_the_compiled_text():
    found = [place.name for place in functions_in(ast.parse(TEXT))]
    compiled = [*names_of(compile(TEXT, "<text>", "exec"))]
    assert set(found) == {name for name in compiled if not name.endswith(("<lambda>", "Local"))} - {
        "Net",
        "Net.Part",
    }


def test_a_function_begins_at_its_first_decorator():
    outer, *_ = functions_in(ast.parse(TEXT))
    assert (outer.first, outer.last) == (2, 8)


def test_a_text_without_functions_has_none():
    assert [*functions_in(ast.parse("x = [y for y in range(3)]"))] == []
