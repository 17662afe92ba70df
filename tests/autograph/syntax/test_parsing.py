"""Texts that cannot be parsed are an error at their line."""

from __future__ import annotations

import pytest

import autograph
from autograph.pipeline import convert_text

TOO_DEEP = {
    "not": "not " * 300 + "x",
    "method chain": "x" + ".a()" * 300,
    "conditional": "1 if x else " * 250 + "x",
    "more operands than libcst reads": "x and " * 11_000 + "x",
}


@pytest.mark.parametrize("kind", TOO_DEEP)
def test_what_is_nested_too_deeply_is_an_error_at_its_line(kind: str) -> None:
    text = f"def f(x):\n    y = 1\n    return {TOO_DEEP[kind]}\n"
    with pytest.raises(autograph.ConversionError, match="nested too deeply") as caught:
        convert_text(text, filename="deep.py")
    assert (caught.value.filename, caught.value.lineno) == ("deep.py", 3)


def test_python_itself_may_refuse_the_depth() -> None:
    text = "def f(x):\n    return " + "-" * 50_000 + "x\n"
    with pytest.raises(autograph.ConversionError):
        convert_text(text)


UNKNOWN_TO_LIBCST = {
    "(name): int": ("annotation of a target in parentheses", "remove the parentheses"),
    "(f.name): int = 3": ("annotation of a target in parentheses", "remove the parentheses"),
    "class C(B, key=1, *bases): pass": ("`*` after a keyword argument", "before the keyword"),
}


@pytest.mark.parametrize("line", UNKNOWN_TO_LIBCST)
def test_syntax_that_libcst_lacks_is_an_error_at_its_line_with_a_remedy(line: str) -> None:
    text = f"def f(x):\n    y: int = 1\n    {line}\n    return y\n"
    with pytest.raises(autograph.ConversionError) as caught:
        convert_text(text, filename="new.py")
    assert (caught.value.filename, caught.value.lineno) == ("new.py", 3)
    assert all(words in str(caught.value) for words in UNKNOWN_TO_LIBCST[line])
