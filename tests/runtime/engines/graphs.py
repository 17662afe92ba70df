"""Optimized graphs of programs, and what their runs do."""

import contextlib

import numpy as np
import pytest

import runtime as tf
from runtime.engines import interpreter, plan
from runtime.engines.engine import optimized

ERRORS = (tf.errors.OpError, ArithmeticError, ValueError)
"""Errors of kernels, and of functions of Python."""


def graph_of(function, *arrays, autograph=True):
    """Return the optimized graph of a function, and the values that it captures."""
    specs = [tf.TensorSpec(array.shape, tf.as_dtype(array.dtype)) for array in arrays]
    concrete = tf.function(function, autograph=autograph).get_concrete_function(*specs)
    return optimized(concrete.graph), [tensor.array for tensor in concrete.graph.captures]


def outcome(run, arrays):
    """Return the results of a run, or the text of its error."""
    with contextlib.suppress(*ERRORS):
        return [np.asarray(value) for value in run(*arrays)]
    try:
        run(*arrays)
    except ERRORS as error:
        return f"{type(error).__name__}: {error}"
    raise AssertionError("the second run raised no error")


def concrete_of(function, *args, autograph=False):
    return tf.function(function, autograph=autograph).get_concrete_function(*args)


def both(graph, *arrays):
    """The outputs of the interpreter and of the plan."""
    return interpreter.executable(graph)(*arrays), plan.executable(graph)(*arrays)


def errors(graph, *arrays):
    found = []
    for engine in (interpreter, plan):
        with pytest.raises(tf.errors.OpError) as caught:
            engine.executable(graph)(*arrays)
        found.append(caught.value)
    return found


def agree(graph, *arrays):
    for one, two in zip(*both(graph, *arrays), strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)


def agree_on_error(graph, *arrays):
    one, two = errors(graph, *arrays)
    assert type(one) is type(two)
    assert str(one) == str(two)
    assert type(one.__cause__) is type(two.__cause__)
    return two
