"""Comments inside expressions are kept, whatever becomes of the expression."""

from __future__ import annotations

import io
import textwrap
import tokenize
from collections import Counter

import pytest

import autograph

STATEMENTS = [
    "v = any(\n    # a\n    f(i)  # b\n    # c\n    for i in xs  # d\n    if i  # e\n    # g\n)",
    "v = next(\n    (i for i in xs),  # a\n    # b\n    None,  # c\n)",
    "v = next((  # a\n    i\n    # b\n    for i in xs  # c\n), 1)",
    "v = [  # a\n    f(i)  # b\n    for i in xs  # c\n    if i > 1  # d\n    # e\n]",
    "v = (  # a\n    x  # b\n    is None  # c\n)",
    "xs[  # a\n    x  # b\n] = (  # c\n    1  # d\n)",
    "xs[  # a\n    x  # b\n] += 1  # c",
    "for (  # a\n    i  # b\n) in (  # c\n    xs  # d\n):  # e\n    x += i  # g",
    "# a\nif any(\n    f(i)\n    for i in xs\n    # b\n):  # c\n    x = 1  # d",
    "# a\nwhile (\n    x  # b\n    is not None  # c\n):\n    x = f(x)",
    "if x:\n    return next(  # a\n        (i for i in xs), None  # b\n    )  # c\nreturn 1",
    "# a\nv = x is not (  # b\n    None  # c\n)\n# d",
]


def comments(text: str) -> Counter[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_each_comment_is_there_once(statement: str) -> None:
    text = f"def program(x, xs, f):\n{textwrap.indent(statement, '    ')}\n"
    converted = autograph.convert_source(text)
    assert converted != text
    assert comments(converted) == comments(text)
    assert autograph.convert_source(converted) == converted


def test_a_comment_that_has_a_place_stays_there() -> None:
    text = "def program(x):\n    y = f(\n        x,  # the one\n    )  # the other\n    return y\n"
    converted = autograph.convert_source(text)
    assert "        x,  # the one\n    )  # the other\n" in converted
    assert converted.count("#") == 2


def test_a_comprehension_of_several_lines_without_a_test_has_no_empty_argument() -> None:
    text = "def program(xs):\n    return [\n        f(x)\n        for x in xs\n    ]\n"
    call = "ag__.list_comp(xs, lambda x: ag__.converted(f)(x))"
    assert call in autograph.convert_source(text)
