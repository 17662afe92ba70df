import sys

import numpy as np
import pytest

import runtime as tf
from runtime.ops.output import format_value


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


def test_assert_shows_its_data():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"assertion failed: \[bad\] \[3\]"):
        tf.Assert(False, ["bad", 3])


def test_assert_shows_so_many_elements():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[0 1\.\.\.\]"):
        tf.Assert(False, [tf.range(9)], summarize=2)


def test_print_shows_structures_as_python_does(capsys):
    tf.print({"k": tf.constant("s"), "a": [tf.constant([1, 2]), None]}, "plain", tf.constant("s"))
    assert capsys.readouterr().err == "{'a': [[1 2], None], 'k': \"s\"} plain \"s\"\n"


def test_print_shows_a_string_alone_without_quotes(capsys):
    tf.print(tf.constant('a "b"'))
    tf.function(lambda x: tf.print(x))(tf.constant("c"))
    assert capsys.readouterr().err == 'a "b"\nc\n'


def test_print_adds_to_a_file(tmp_path):
    path = tmp_path / "out.txt"
    for number in (1, 2):
        tf.print(tf.constant(number), output_stream=f"file://{path}")
    assert path.read_text() == "1\n2\n"


def test_print_refuses_other_streams():
    with pytest.raises(ValueError, match="Unsupported output stream"):
        tf.print(1, output_stream="elsewhere")
