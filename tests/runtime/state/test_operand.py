"""The parameters of variables, and their values as operands of Python."""

import inspect
import subprocess
import sys

import numpy as np
import pytest

import runtime as tf

v1 = tf.compat.v1


def test_the_arguments_of_variables_are_shown():
    parameters = list(inspect.signature(tf.Variable).parameters)
    assert parameters[:3] == ["initial_value", "trainable", "validate_shape"]

    class Own(tf.Variable):
        def __init__(self, start):
            super().__init__(start, name="own")

    assert list(inspect.signature(Own).parameters) == ["start"]


def test_a_variable_outside_of_sessions_is_not_evaluated():
    with pytest.raises(RuntimeError, match="not supported when eager execution is enabled"):
        tf.Variable(1.0).eval()
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        session.run(v.initializer)
        assert v.eval() == 1.0


def test_the_first_name_of_version_1_that_a_program_needs_may_be_a_variable():
    program = (
        "import runtime as tf\n"
        "with tf.Graph().as_default():\n"
        "    print(type(tf.Variable(1.0).initializer).__name__)\n"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (run.stdout, run.stderr) == ("Operation\n", "")


def test_python_and_numpy_get_the_value():
    v = tf.Variable([1, 2])
    assert (list(map(int, v)), len(v), np.asarray(v).tolist()) == ([1, 2], 2, [1, 2])
    assert (float(tf.Variable(1.5)), [5, 6][tf.Variable(1)]) == (1.5, 6)
    assert not tf.Variable(0)
    assert f"{tf.Variable(1.5):.2f}" == "1.50"
    with pytest.raises(TypeError, match="has no `len"):
        len(tf.Variable(1))
