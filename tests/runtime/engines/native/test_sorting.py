"""Sorted arrays in machine code."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import interpreter
from runtime.engines.native import plan as native
from tests.runtime.engines.graphs import graph_of, outcome
from tests.runtime.engines.native.loops import check

DTYPES = (
    "int8",
    "uint8",
    "int16",
    "uint32",
    "int32",
    "int64",
    "uint64",
    "float32",
    "float64",
)


def values(dtype, *shape):
    rng = np.random.default_rng(2)
    found = rng.integers(-4, 5, shape).astype(dtype)
    if found.dtype.kind == "f":
        found = found * np.array(1.25, dtype) + np.array(0.0, dtype)
        found.reshape(-1)[::5] = np.nan
        found.reshape(-1)[1::7] = np.inf
        found.reshape(-1)[2::9] = -np.inf
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("direction", ["ASCENDING", "DESCENDING"])
def test_each_axis_is_sorted(dtype, direction):
    for shape in ((7,), (1,), (33,), (4, 5), (2, 3, 4)):
        for axis in range(len(shape)):
            x = values(dtype, *shape)
            check(
                lambda x, a=axis: (tf.sort(x, a, direction), tf.sort(x[::-1], a, direction) == x),
                x,
                autograph=False,
            )


def test_windows_of_a_length_that_the_loop_computes_are_sorted():
    def program(x, n):
        i, total = n - n, x[0] * 0.0
        while i < n:
            total += tf.sort(x[i // 2 : i + 2])[0] - tf.sort(x[: i + 1])[-1] * 0.5
            i += 1
        return total

    check(program, np.array([3.0, -1.0, 2.5, 9.0, 0.0, -7.0, 1.0]), np.int32(5))


def test_negative_zeros_are_sorted_by_the_plan():
    x = np.array([0.0, -0.0, 1.0, -1.0, 0.0, -0.0])
    graph, captured = graph_of(lambda x: (tf.sort(x), tf.sort(x * 2)), x, autograph=False)
    for run in (interpreter, native):
        found = outcome(run.executable(graph), [x, *captured])
        for each, scale in zip(found, (1, 2), strict=True):
            want = np.sort(x * scale)
            np.testing.assert_array_equal(each, want)
            np.testing.assert_array_equal(np.signbit(each), np.signbit(want))
