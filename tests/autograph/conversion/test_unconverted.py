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
