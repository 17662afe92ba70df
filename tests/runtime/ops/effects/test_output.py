import logging
import sys

import numpy as np
import pytest

import runtime as tf
from runtime.ops.effects.output import format_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.float32(3), "3"),
        (np.float32(1 / 3), "0.333333343"),
        (np.float64(0.1), "0.1"),
        (np.array([[22.0, 22.0], [23.0, 13.0]], np.float32), "[[22 22]\n [23 13]]"),
        (np.arange(10), "[0 1 2 ... 7 8 9]"),
        (np.array([True, False]), "[1 0]"),
        (np.array(b"a", object), "a"),
        (np.array([b"a", b"b"], object), '["a" "b"]'),
    ],
)
def test_format(value, text):
    assert format_value(value) == text


def test_print_writes_to_stderr(capsys):
    tf.print("x =", tf.constant([1, 2]), {"k": tf.constant(1.5)})
    assert capsys.readouterr().err == "x = [1 2] {'k': 1.5}\n"


def test_print_runs_at_each_call(capsys):
    @tf.function(autograph=False)
    def f(x):
        print("tracing")
        tf.print(x, output_stream=sys.stdout, end="|")
        return x

    f(tf.constant(1))
    f(tf.constant(2))
    assert capsys.readouterr().out == "tracing\n1|2|"


def refusal(condition, data, **options):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.Assert(condition, data, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("condition", "shown"),
    [
        (False, "False"),
        (None, "None"),
        ("", ""),
        (tf.constant(False), "tf.Tensor(False, shape=(), dtype=bool)"),
        (tf.constant(0), "tf.Tensor(0, shape=(), dtype=int32)"),
        (np.array([True, False]), "[ True False]"),
    ],
)
def test_assert_shows_its_condition_and_its_data(condition, shown):
    text = refusal(condition, ["bad", 3, tf.range(5.0), tf.constant(1 + 2j)])
    data = "b'bad'\n3\n0.0, 1.0, 2.0, ...\n(1+2j)"
    assert text == f"Expected '{shown}' to be true. Summarized data: {data}"


@pytest.mark.parametrize("condition", [True, 1, "yes", tf.constant([True, True]), [True]])
def test_assert_lets_through_what_is_true(condition):
    assert tf.Assert(condition, ["good"]) is None


def test_assert_shows_so_many_elements():
    assert refusal(False, [tf.range(9)], summarize=2).endswith(": 0, 1, ...")
    assert refusal(False, [tf.range(4)], summarize=-1).endswith(": 0, 1, 2, 3")


def test_assert_in_a_graph_shows_its_data_at_run_time():
    @tf.function
    def check(condition):
        tf.Assert(condition, ["bad", tf.range(9)], summarize=2)

    check(tf.constant(True))
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"assertion failed: \[bad\] \[0 1\.\.\.\]"
    ):
        check(tf.constant(False))


def test_assert_takes_a_list_of_data():
    with pytest.raises(TypeError, match="values must be a sequence"):
        tf.Assert(True, tf.constant([1, 2]))


def test_print_shows_structures_as_python_does(capsys):
    tf.print({"k": tf.constant("s"), "a": [tf.constant([1, 2]), None]}, "plain", tf.constant("s"))
    assert capsys.readouterr().err == "{'a': [[1 2], None], 'k': \"s\"} plain \"s\"\n"


def test_print_shows_a_string_alone_without_quotes(capsys):
    tf.print(tf.constant('a "b"'))
    tf.function(lambda x: tf.print(x))(tf.constant("c"))
    assert capsys.readouterr().err == 'a "b"\nc\n'


def test_print_refuses_other_streams():
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream="elsewhere")
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream=logging.warning)


def test_print_refuses_arguments_that_it_does_not_know():
    with pytest.raises(
        ValueError, match=r"Unrecognized keyword arguments for tf.print: \{'file': 'x'\}"
    ):
        tf.print(1, file="x")


def test_print_shows_complex_numbers(capsys):
    tf.print(tf.constant(1 + 2j), tf.constant([3.5 - 1j, 0j]), 2j)
    assert capsys.readouterr().err == "(1+2j) [(3.5-1j) 0j] 2j\n"


@pytest.mark.parametrize("n", [0, 1, 40])
def test_a_list_that_grew_in_a_graph_is_printed_as_one_of_python(capsys, n):
    def program(n):
        numbers, rows, names = [], [], []
        for i in range(n):
            numbers.append(tf.cast(i, tf.float32) / 2)
            rows.append(tf.fill([2], i))
            names.append(tf.strings.as_string(i))
        tf.print("numbers", numbers, {"rows": rows}, names)

    program(n)
    expected = capsys.readouterr().err
    tf.function(program)(tf.constant(n))
    # Lines are broken where the slots of the earlier lists would be.
    assert capsys.readouterr().err.split() == expected.split()


def test_a_tensor_is_printed_without_commas(capsys):
    tf.function(lambda x: tf.print(tf.stack([x, x])))(tf.constant(1))
    assert capsys.readouterr().err == "[1 1]\n"
