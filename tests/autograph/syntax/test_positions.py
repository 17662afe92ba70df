"""Errors in converted code show the positions of the user's text."""

import traceback

import pytest

import autograph

PROGRAMS = {
    "an operand of a sum": ("    y = 1\n    return y + x.missing", 2, "x.missing"),
    "a test": ("    if x.missing > 1:\n        x = 2\n    return x", 1, "x.missing"),
    "an iterable": ("    for i in x.missing:\n        x = i\n    return x", 1, "x.missing"),
    "a call in a loop": ("    for i in [1]:\n        x.missing(i)\n    return x", 2, "x.missing"),
}


@pytest.mark.parametrize(("body", "line", "shown"), PROGRAMS.values(), ids=PROGRAMS)
def test_a_failing_expression_is_underlined_where_it_is(body, line, shown):
    space = {}
    autograph.exec(f"def f(x):\n{body}\n", space)
    converted = autograph.to_graph(space["f"])
    with pytest.raises(AttributeError) as caught:
        converted(3)
    *_, last = [
        frame for frame in traceback.extract_tb(caught.value.__traceback__) if frame.name == "f"
    ]
    assert last.lineno == line + 1
    text = f"def f(x):\n{body}\n".splitlines()[last.lineno - 1]
    assert text[last.colno : last.end_colno].startswith(shown)
