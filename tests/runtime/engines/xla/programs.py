"""Programs that run by the interpreter and by XLA."""

import numpy as np

import runtime as tf
from runtime.engines import interpreter
from runtime.engines import xla as engine
from tests.runtime.engines.graphs import graph_of, outcome

TOLERANCE = {2: 2e-3, 4: 4e-6, 8: 1e-12}
"""Largest relative difference of elementary functions and sums, by the bytes of a number."""


def agree(one, two):
    """Check that two outcomes are equal, up to rounding."""
    assert type(one) is type(two), (one, two)
    if isinstance(one, str):
        assert one == two
        return
    for a, b in zip(one, two, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype.kind in "fc":
            limit = TOLERANCE[a.real.itemsize]
            np.testing.assert_allclose(b, a, rtol=limit, atol=limit)
        else:
            np.testing.assert_array_equal(a, b)


def source(function, *arrays):
    """Return the source of the plan with compiled parts."""
    return engine.source(graph_of(function, *map(np.asarray, arrays))[0])


def reasons(text):
    """Return why operations of a plan are not compiled."""
    return [line for line in text.splitlines() if " runs as Python: " in line]


def check(function, *arrays, parts=1):
    """Assert that XLA and the interpreter agree, and that XLA compiles the whole; return results.

    Args:
      function: the program.
      arrays: its arguments.
      parts: the number of compiled parts.
    """
    arrays = [np.asarray(array) for array in arrays]
    graph, captured = graph_of(function, *arrays)
    text = engine.source(graph)
    assert (text.count("_results is False:"), reasons(text)) == (parts, []), text
    expected = outcome(interpreter.executable(graph), [*arrays, *captured])
    found = outcome(engine.executable(graph), [*arrays, *captured])
    agree(expected, found)
    return found


def eager_gradient(function, *arrays):
    """Return the gradients of a function of tensors, computed eagerly."""
    tensors = [tf.constant(array) for array in arrays]
    with tf.GradientTape() as tape:
        for tensor in tensors:
            tape.watch(tensor)
        result = function(*tensors)
    return [each.numpy() for each in tape.gradient(result, tensors)]


def asserted(x, n):
    for i in tf.range(n):
        assert x[i] > -5.0, "too small"
        x = x * 0.5
    return x


def newton(x):
    guess = x
    while tf.abs(guess * guess - x) > 1e-4:
        guess = (guess + x / guess) / 2.0
    return guess
