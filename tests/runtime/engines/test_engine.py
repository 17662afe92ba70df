"""The environment variable that selects the engine."""

import os
import subprocess
import sys

import pytest


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
