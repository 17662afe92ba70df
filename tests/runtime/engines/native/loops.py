"""Programs that run by the interpreter and in machine code."""

import numpy as np

import runtime as tf
from runtime.engines import interpreter, plan
from runtime.engines.native import plan as native
from runtime.engines.native.boundary import NativeFunction
from runtime.engines.parts import Part
from tests.runtime.engines.graphs import graph_of, outcome

EDGES = [0.0, -0.0, 1.0, -1.5, np.nan, np.inf, -np.inf, 5e-324, -1e-45, 3e38, -1e308, 0.1]


def floats(chance, *dims, dtype=np.float64):
    count = int(np.prod(dims))
    numbers = [
        chance.choice(EDGES) if chance.random() < 0.3 else chance.uniform(-3, 3)
        for _ in range(count)
    ]
    with np.errstate(over="ignore"):
        return np.array(numbers, np.float64).astype(dtype).reshape(dims)


def ints(chance, *dims, dtype=np.int32):
    count = int(np.prod(dims))
    info = np.iinfo(dtype)
    numbers = [
        chance.choice([info.min, info.max]) if chance.random() < 0.1 else chance.randint(-9, 9)
        for _ in range(count)
    ]
    return np.array(numbers, dtype).reshape(dims)


def same(one, two, ulps=0):
    """Check that two outcomes are equal, up to some units in the last place."""
    assert type(one) is type(two), (one, two)
    if isinstance(one, str):
        assert one == two
        return
    for a, b in zip(one, two, strict=True):
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        if a.dtype.kind != "f" or not ulps:
            np.testing.assert_array_equal(a, b)
        else:
            np.testing.assert_array_equal(np.isfinite(a), np.isfinite(b))
            finite = np.isfinite(a)
            np.testing.assert_array_almost_equal_nulp(a[finite], b[finite], ulps)
            np.testing.assert_array_equal(a[~finite], b[~finite])
        if a.dtype.kind == "f":
            numbers = ~np.isnan(a)
            np.testing.assert_array_equal(np.signbit(a)[numbers], np.signbit(b)[numbers])


def compiled_parts(graph):
    """Return the number of parts in machine code, and why other operations are Python."""
    text = native.source(graph)
    reasons = [line for line in text.splitlines() if " runs as Python: " in line]
    return text.count("_results is False:"), reasons


def check(function, *arrays, ulps=0, autograph=True):
    """Assert that machine code and the interpreter agree; return the results."""
    arrays = [np.asarray(array) for array in arrays]
    graph, captured = graph_of(function, *arrays, autograph=autograph)
    number, reasons = compiled_parts(graph)
    assert number and not reasons, (number, reasons, str(graph))
    expected = outcome(interpreter.executable(graph), [*arrays, *captured])
    if isinstance(expected, str):
        expected = outcome(plan.executable(graph), [*arrays, *captured])
    same(expected, outcome(native.executable(graph), [*arrays, *captured]), ulps)
    return expected


def refused(function, *arrays, reason):
    """Assert that an operation runs as Python, for a reason."""
    graph, _ = graph_of(function, *map(np.asarray, arrays))
    number, reasons = compiled_parts(graph)
    assert reason in " ".join(reasons), (number, reasons)


def loop_of(function, *arrays):
    """Return a function that calls a compiled loop, and its inputs."""
    graph, _ = graph_of(function, *map(np.asarray, arrays))
    (op,) = [op for op in graph.operations if "body" in op.attrs]
    part = Part([op]).graph
    function = NativeFunction(part)
    return function.call, [part.inputs[place] for place in function.places]


def total(x, n):
    result, i = 0.0, 0
    while i < n:
        result += x[i]
        i += 1
    return result


def looped(operator):
    """Return a function that applies an operator in a loop of one iteration."""

    def run(*numbers):
        dtype = operator(*numbers).dtype
        start = tf.constant(False) if dtype == tf.bool else tf.zeros([], dtype)
        body = lambda i, _, *numbers: (i + 1, operator(*numbers), *numbers)  # noqa: E731
        test = lambda i, *_: i < 1  # noqa: E731
        return tf.while_loop(test, body, [tf.constant(0), start, *numbers])[1]

    return run
