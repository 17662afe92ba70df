"""Code objects: the same, similar, or with the same effect."""

import pytest

from autograph import code_objects


def code(text, line=1):
    """Return the code of the only function in a text, at a line."""
    module = compile("\n" * (line - 1) + text, "<text>", "exec")
    (function,) = code_objects.inner_codes(module)
    return function


PLAIN = "def f(x, *, y=1):\n    return [x + y for _ in range(3)]\n"
EDITED = ["x - y", "x + 2", "x + z", "y + x"]


def test_code_is_the_same_at_the_same_lines_only():
    assert code_objects.is_same(code(PLAIN), code(PLAIN))
    assert not code_objects.is_same(code(PLAIN), code(PLAIN, line=2))
    assert code_objects.does_same(code(PLAIN), code(PLAIN, line=2))


@pytest.mark.parametrize("edited", EDITED)
def test_an_edit_is_another_code(edited):
    other = code(PLAIN.replace("x + y", edited))
    assert not code_objects.is_same(code(PLAIN), other)
    assert not code_objects.does_same(code(PLAIN), other)


def test_code_that_a_tool_added_to_is_similar():
    added = PLAIN.replace("    return", "    seen = note('f')\n    return")
    assert code_objects.is_similar(code(PLAIN), code(added))
    assert not code_objects.is_similar(code(added), code(PLAIN))
    assert not code_objects.is_similar(code(PLAIN), code(added.replace("x + y", "x - y")))
    assert not code_objects.is_similar(code(PLAIN), code(added.replace("y=1", "z=1")))


def test_features_of_the_future_are_flags_of_the_code():
    assert code_objects.future_flags(code(PLAIN)) == 0
    assert code_objects.future_flags(code("from __future__ import annotations\n" + PLAIN)) != 0


def test_each_function_that_is_made_counts_though_constants_are_shared():
    code = compile(
        "def f(x): return [lambda: x, lambda: None, lambda: None]\nlambda: None", "", "exec"
    )
    outer, last = code_objects.made_codes(code)
    assert (outer.co_name, last.co_name) == ("f", "<lambda>")
    assert len(code_objects.made_codes(outer)) == 3
    assert not code_objects.made_codes(last)


def test_globals_are_no_attributes():
    def outer(x):
        import os.path

        total = x.rate + rate + os.path.sep  # noqa: F821

        def inner():
            global count
            count = x.method().other(len)
            return total

        return inner

    names = {"os.path", "rate", "count", "len"}
    assert set(code_objects.globals_in(outer.__code__)) == names
    assert names < set(code_objects.names_in(outer.__code__))
