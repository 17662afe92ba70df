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


def test_checks_name_both_values():
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"\[no\].*\[1 2\].*\[1 3\]"):
        tf.debugging.assert_equal([1, 2], [1, 3], message="no")
