"""Marks of functions in relocated code."""

from __future__ import annotations

from autograph.code_objects import BY_OPERATORS, inner_codes
from autograph.loading import compile_module
from autograph.pipeline import convert_text


def test_functions_without_identity_tests_are_marked() -> None:
    text = (
        "def f(x):\n    return g(x) + (lambda y: type(y) is int is type(x))(x)\n\n\n"
        "@staticmethod\ndef g(x):\n    if x:\n        return 1\n    return 2\n\n\n"
        "def h(x):\n    match x:\n        case {'k': v}:\n            return v\n"
    )
    conversion = convert_text(text, filename="user.py", header=False, positions=True)
    codes = inner_codes(compile_module(conversion, "user.py", text))
    found = {each.co_name: BY_OPERATORS in each.co_consts for each in codes}
    assert found == {"f": False, "g": True, "h": False}
