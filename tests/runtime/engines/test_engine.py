"""Settings of engines and passes, and the environment variable that selects the engine."""

import os
import subprocess
import sys

import pytest

import runtime as tf


def engine_of(value):
    """Return output and errors of a program that prints its engine."""
    program = "import runtime as tf; print(tf.config.experimental.get_engine())"
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "AUTOGRAPH_ENGINE": value},
        capture_output=True,
        text=True,
    )
    return run.stdout.strip(), run.stderr


@pytest.mark.parametrize(("value", "engine"), [("interpreter", "interpreter"), ("", "plan")])
def test_the_variable_selects_the_engine(value, engine):
    assert engine_of(value) == (engine, "")


def test_an_unknown_engine_is_an_error_that_names_the_variable():
    assert "AUTOGRAPH_ENGINE: there is no engine 'fast'; there are plan," in engine_of("fast")[1]


class TestSwitches:
    def test_engine(self):
        calls = []

        @tf.function(autograph=False)
        def f(x):
            calls.append(1)
            return x + 1.0

        x = tf.constant(1.0)
        assert tf.config.experimental.get_engine() == "plan"
        f(x)
        tf.config.experimental.set_engine("interpreter")
        try:
            assert float(f(x)) == 2.0
        finally:
            tf.config.experimental.set_engine("plan")
        assert float(f(x)) == 2.0
        assert calls == [1]

    def test_unknown_engine(self):
        with pytest.raises(ValueError, match="there are plan, interpreter"):
            tf.config.experimental.set_engine("fast")

    def test_options_reach_functions_that_ran_before(self):
        f = tf.function(lambda x: x * 1.0, autograph=False)
        concrete = f.get_concrete_function(tf.TensorSpec([2], tf.float32))
        assert [op.type for op in concrete.optimized_graph.operations] == ["Placeholder"]
        tf.config.optimizer.set_experimental_options({"arithmetic_optimization": False})
        try:
            assert "Mul" in [op.type for op in concrete.optimized_graph.operations]
        finally:
            tf.config.optimizer.set_experimental_options({"arithmetic_optimization": True})

    def test_unknown_option_names_the_known(self):
        with pytest.raises(ValueError, match=r"'constant_fold'.*constant_folding"):
            tf.config.optimizer.set_experimental_options({"constant_fold": True})

    def test_a_negative_number_of_threads_is_refused(self):
        put = tf.config.threading.set_intra_op_parallelism_threads
        put(0)
        with pytest.raises(ValueError, match="-1"):
            put(-1)
