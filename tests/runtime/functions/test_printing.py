"""`print` is Python's while tracing, and prints values in staged statements, at each run."""

import contextlib
import io
import sys

import pytest

import autograph
import runtime as tf
from autograph.experimental import Feature


def printed(function, *args):
    """What a call writes to standard output."""
    with contextlib.redirect_stdout(io.StringIO()) as text:
        function(*args)
    return text.getvalue()


def once(function, *args):
    """What a traced function writes, when it is traced and when it runs again."""
    traced = tf.function(function)
    return printed(traced, *args), printed(traced, *args)


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (lambda a: print(a), 'Tensor("a:0", shape=(), dtype=float32)\n'),
        (lambda a: print(f"tracing {a}"), 'tracing Tensor("a:0", shape=(), dtype=float32)\n'),
        (lambda a: print(f"tracing {a:.2f}"), 'tracing Tensor("a:0", shape=(), dtype=float32)\n'),
        (lambda a: print("a", f"{1} {a}", sep="="), None),
        (lambda a: print([a]), "[<tf.Tensor 'a:0' shape=() dtype=float32>]\n"),
        (lambda a: print("tracing"), "tracing\n"),
    ],
)
def test_outside_staged_statements_it_is_pythons_while_tracing(program, text):
    first, second = once(program, tf.constant(1.5))
    assert first == (text or 'a=1 Tensor("a:0", shape=(), dtype=float32)\n')
    assert second == ""


def in_a_branch(x):
    if x > 0:
        print("positive", x)
    else:
        print(f"not positive: {x:.1f}")
    return x


def one_arm(x):
    if x > 0:
        print("positive")
    return x


def in_a_loop(x):
    i = 0
    while i < x:
        i += 1
        print(i, [i, "a"], sep=": ", end=";")
    return i


def over_items(x):
    for i in range(int(x)):
        if i % 2 == 0:
            print(f"{i} of {x}")
    return x


def of_a_function(x):
    def say(value):
        print("value", value)

    if x > 0:
        say(x)
    return x


def conditional_expression(x):
    return print("yes", x) if x > 0 else print("no")


def before_an_error(x):
    if x > 0:
        print("about to fail")
        raise ValueError(f"{x}")
    return x


PROGRAMS = (
    in_a_branch, one_arm, in_a_loop, over_items, of_a_function, conditional_expression,
)  # fmt: skip


@pytest.mark.parametrize("x", [2.5, -1.5])
@pytest.mark.parametrize("program", PROGRAMS)
def test_in_staged_statements_it_prints_values_at_each_run(program, x):
    expected = printed(program, x)
    assert once(program, tf.constant(x)) == (expected, expected)


@pytest.mark.parametrize("program", PROGRAMS)
def test_converted_code_prints_python_values_as_python_does(program):
    assert printed(autograph.to_graph(program), 2.5) == printed(program, 2.5)


def test_it_prints_before_a_branch_raises():
    traced = tf.function(before_an_error)
    assert printed(traced, tf.constant(-1.0)) == ""
    text = io.StringIO()
    with contextlib.redirect_stdout(text), pytest.raises(ValueError, match=r"1\.0"):
        traced(tf.constant(1.0))
    assert text.getvalue() == "about to fail\n"


def test_it_prints_to_standard_error_too(capsys):
    @tf.function
    def f(x):
        if x > 0:
            print("error", x, file=sys.stderr)
        return x

    f(tf.constant(1))
    assert capsys.readouterr() == ("", "error 1\n")


def test_printing_to_another_file_is_refused():
    file = io.StringIO()

    @tf.function
    def f(x):
        if x > 0:
            print(x, file=file)
        return x

    with pytest.raises(TypeError, match="StringIO"):
        f(tf.constant(1))
    assert file.getvalue() == ""


def test_asked_for_by_name_it_prints_values_everywhere():
    @autograph.convert(recursive=True, optional_features=Feature.BUILTIN_FUNCTIONS)
    def f(x):
        print("x is", x, f"{x:.1f}")
        print("tracing")
        return x

    traced = tf.function(f, autograph=False)
    assert printed(traced, tf.constant(1.5)) == "tracing\nx is 1.5 1.5\n"
    assert printed(traced, tf.constant(2.5)) == "x is 2.5 2.5\n"


def test_a_function_takes_the_features_by_name():
    @tf.function(experimental_autograph_options=Feature.BUILTIN_FUNCTIONS)
    def f(x):
        print(x)
        return x

    assert printed(f, tf.constant(1.5)) == "1.5\n"
    assert printed(f, tf.constant(2.5)) == "2.5\n"


def test_a_name_of_the_programs_own_is_not_meant():
    said = []

    def f(x):
        print = said.append
        print("a")
        return x

    tf.function(f)(tf.constant(1))
    assert said == ["a"]
