"""Marks of functions in relocated code."""

from __future__ import annotations

import traceback
from contextlib import nullcontext
from typing import Any

import pytest

from autograph.api import ag__
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


def test_a_with_statement_in_two_keeps_its_line() -> None:
    text = (
        "def f(x, first, second):\n    y = x\n    with first, second:\n        if x:\n"
        "            return y\n    return x\n"
    )
    conversion = convert_text(text, filename="user.py", header=False, positions=True)
    assert "with first:" in conversion.text
    space: dict[str, Any] = {"ag__": ag__}
    exec(compile_module(conversion, "user.py", text), space)
    for managers in ({}, nullcontext()), (nullcontext(), {}):
        with pytest.raises(TypeError) as caught:
            space["f"](1, *managers)
        frames = traceback.extract_tb(caught.value.__traceback__)
        assert [each.lineno for each in frames if each.filename == "user.py"] == [3]


def test_a_lambda_at_a_line_break_stays_the_users() -> None:
    text = (
        "def f(y, values):\n"
        "    return {0: c for c in map(lambda q: f'{missing} {y!r} {y:{3}} {q}', values) if q}\n"
    )
    conversion = convert_text(text, filename="user.py", header=False, positions=True)
    assert "(\n        lambda q:" in conversion.text
    space: dict[str, Any] = {"ag__": ag__}
    exec(compile_module(conversion, "user.py", text), space)
    with pytest.raises(NameError) as caught:
        space["f"](1, [1])
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [each.name for each in frames if each.filename == "user.py"][-1] == "<lambda>"


def test_literals_in_a_row_are_converted_in_any_number() -> None:
    texts = " ".join(f"'{i}'" for i in range(1500))
    text = f"def f(x):\n    if x:\n        y = ({texts} f'{{x}}')\n    return y\n"
    space: dict[str, Any] = {"ag__": ag__}
    exec(convert_text(text, header=False).text, space)
    assert space["f"](1) == "".join(map(str, range(1500))) + "1"
