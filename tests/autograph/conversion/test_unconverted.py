"""A function that runs as written says why."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import pytest

import autograph
from fixtures.staging.lazy_arrays import run
from tests.autograph.command_line import run_python


def test_what_a_function_without_source_calls_says_so(tmp_path: Path) -> None:
    (tmp_path / "library.py").write_text("def sign(x):\n    return 1 if x > 0 else -1\n")
    text = f"""\
    import sys
    sys.path.insert(0, {str(tmp_path)!r})
    import runtime as tf, library
    def caller(x):
        return library.sign(x)
    try:
        tf.function(caller)(tf.constant(1))
    except tf.errors.OperatorNotAllowedInGraphError as error:
        print(error)
    """
    printed = run_python("-", given=textwrap.dedent(text))
    assert 'caller (File "<stdin>", line 4) has no source text' in printed


def test_a_function_that_is_excluded_is_not_said_to_have_no_source(tmp_path: Path) -> None:
    text = """\
    import autograph, runtime as tf
    @autograph.do_not_convert
    def sign(x):
        return 1 if x > 0 else -1
    try:
        tf.function(sign)(tf.constant(1))
    except tf.errors.OperatorNotAllowedInGraphError as error:
        print(error)
    """
    printed = run_python("-", given=textwrap.dedent(text))
    assert "do_not_convert" in printed
    assert "source text" not in printed


def test_a_library_that_anyone_wrote_refuses_a_truth_value_with_the_reason() -> None:
    def numbers(x: Any) -> Any:
        yield x
        if x > 0:
            yield -x

    def total(x: Any) -> Any:
        return sum(numbers(x))

    with pytest.raises(TypeError, match="known when it is computed") as caught:
        run(autograph.convert()(total), 3.0)
    assert "`test_a_library_that_anyone_wrote" in caught.value.__notes__[0]
    assert "`yield`" in caught.value.__notes__[0]


class Ordered:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> Any:
        return self.value < other.value


def test_a_function_of_python_that_asks_for_the_truth_is_named_with_a_remedy() -> None:
    def smallest(x: Any) -> Any:
        return sorted([Ordered(x), Ordered(2.0)])[0].value

    with pytest.raises(TypeError, match="known when it is computed") as caught:
        run(autograph.convert()(smallest), 3.0)
    (note,) = caught.value.__notes__
    assert "autograph stages no code of Python's own" in note
    assert "in smallest" in note
    assert "Give a sort of objects a `key`" in note
