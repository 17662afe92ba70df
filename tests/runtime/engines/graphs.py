"""Optimized graphs of programs, and what their runs do."""

import contextlib

import numpy as np

import runtime as tf
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
