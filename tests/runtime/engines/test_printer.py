"""Names of files, functions, arguments and nodes are data: no plan runs or prints them as code."""

from __future__ import annotations

import os
import tokenize
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import runtime as tf
from runtime.engines.printer import on_one_line

ESCAPE = "raise SystemExit"
FILES = [
    f"a\n{ESCAPE}\n#.py",
    f"a\r{ESCAPE}\r#.py",
    f"a\r\n{ESCAPE}\r\n#.py",
    f"a\x0c\n{ESCAPE}#.py",
    f"\u2028{ESCAPE}#.py",
    "null\0byte.py",
    os.fsdecode(b"caf\xe9.py"),
    "\ud800.py",
    "\x1b[31mred.py",
    "größe.py",
]
NAMES = [
    "x²", "ﬁt", "ª", "größe", "a\0b", "a b", f"a\n{ESCAPE}", f"f(x):\n    {ESCAPE}\ndef g",
    os.fsdecode(b"caf\xe9"), "\ud800", "", "-", "1", "class", "None", "np", "wrap", "İ", "__x", "²",
]  # fmt: skip
X = np.array([0.5, 1.0, 2.0], np.float32)


def branches(x):
    return tf.cond(tf.reduce_sum(x) > 0.0, lambda: tf.tanh(x), lambda: x)


def named(name: str) -> Any:
    def function(x):
        return branches(x) + tf.constant([1.0, 2.0, 3.0])

    function.__name__ = function.__qualname__ = name
    return function


def is_one_function(text: str) -> bool:
    """Whether a printed plan defines functions and does nothing else."""
    comments = (
        token.string
        for token in tokenize.generate_tokens(StringIO(text).readline)
        if token.type == tokenize.COMMENT
    )
    assert all(comment.isprintable() for comment in comments)
    space: dict[str, Any] = {}
    exec(compile(text, "plan", "exec"), space)
    return True


@pytest.mark.parametrize("filename", FILES, ids=ascii)
def test_name_of_a_file_stays_in_its_comment(filename):
    def calls(x):
        return tf.tanh(x) * 2.0

    calls.__code__ = calls.__code__.replace(co_filename=filename)
    concrete = tf.function(calls, autograph=False).get_concrete_function(tf.TensorSpec([3]))
    assert is_one_function(concrete.plan_source)
    np.testing.assert_allclose(concrete(tf.constant(X)), np.tanh(X) * 2, rtol=1e-6)


@pytest.mark.parametrize("filename", [name for name in FILES if "\0" not in name], ids=ascii)
def test_error_of_a_graph_names_a_file_of_any_name(filename):
    def look_up(i):
        return tf.gather(tf.constant([1, 2, 3]), i)

    look_up.__code__ = look_up.__code__.replace(co_filename=filename)
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.function(look_up, autograph=False)(tf.constant(7))
    assert ascii(Path(filename).name)[1:-1] in ascii(str(caught.value))


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_function_of_any_name_runs(name):
    decorated = tf.function(named(name))
    added = np.array([1.0, 2.0, 3.0])
    np.testing.assert_allclose(decorated(tf.constant(X)), np.tanh(X) + added, rtol=1e-6)
    concrete = decorated.get_concrete_function(tf.TensorSpec([3]))
    assert is_one_function(concrete.plan_source)
    assert concrete.name == name
    assert str(concrete) and repr(concrete) and str(concrete.graph)


@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_keyword_of_any_name_is_an_argument(name):
    decorated = tf.function(lambda **given: sum(given.values()) + 1.0, autograph=False)
    np.testing.assert_array_equal(decorated(**{name: tf.constant(X)}), X + 1)
    concrete = decorated.get_concrete_function(**{name: tf.TensorSpec([3])})
    assert is_one_function(concrete.plan_source)


def test_strings_of_a_program_are_literals_of_its_plan():
    hostile = f'a\n{ESCAPE}\n\'"""#'

    @tf.function(autograph=False)
    def joined(x):
        return tf.strings.join([x, tf.constant(hostile)], separator=hostile)

    concrete = joined.get_concrete_function(tf.TensorSpec([], tf.string))
    assert is_one_function(concrete.plan_source)
    assert concrete(tf.constant("x")).numpy().decode() == f"x{hostile}{hostile}"


def test_attribute_that_prints_itself_otherwise_is_no_literal():
    class Axes(tuple):
        def __repr__(self):
            return f"{ESCAPE}"

    @tf.function(autograph=False)
    def total(x):
        return tf.reduce_sum(x, axis=Axes([0]))

    assert float(total(tf.constant(X))) == 3.5


def test_printable_name_is_printed_as_it_is():
    assert on_one_line("größe.py") == "größe.py"
    assert on_one_line("a\nb") == "'a\\nb'"
