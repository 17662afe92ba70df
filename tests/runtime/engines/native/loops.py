"""Programs that run by the interpreter and in machine code."""

import numpy as np

from runtime.engines import interpreter, plan
from runtime.engines.native import plan as native
from tests.runtime.engines.graphs import graph_of, outcome


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
