"""Ranges and functions of Python in machine code: their bits and their errors, or Python."""

import math

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import plan
from runtime.engines.native import plan as native
from runtime.ops.math.logic import shift_left, shift_right
from tests.runtime.engines.native.loops import check, compiled_parts, graph_of, outcome, same


@pytest.mark.parametrize("step", [1, 3, -1, -2])
def test_lengths_of_ranges(step):
    def f(n):
        total, i = 0, 0
        while i < n:
            for j in range(i - 2, 2 * n - i * i, step):
                total += j
            i += 1
        return total

    check(f, np.int32(6))


EDGES = [
    0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0, 1.0000000000000002, 700.0, 710.0, 1e10, -1e300,
    2.0**31, -(2.0**31) - 0.5, 2.0**53 + 2, 2.0**63, -(2.0**63), 5e-324, np.inf, -np.inf, np.nan,
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize(
    "name",
    [
        "int",
        "round",
        "math.ceil",
        "math.floor",
        "math.trunc",
        "math.acos",
        "math.atan",
        "math.cosh",
        "math.exp",
        "math.log",
        "math.sin",
        "math.sqrt",
        "math.tan",
        "math.tanh",
    ],
)
def test_functions_of_python_give_the_bits_and_errors_of_the_plan(name, dtype):
    function = {"int": int, "round": round}.get(name) or getattr(math, name.removeprefix("math."))
    if dtype is np.int64 and name in ("int", "round", "math.ceil", "math.floor", "math.trunc"):
        pytest.skip("of an int it is the int")

    def f(x):
        found = function(x)
        for _ in tf.range(2):
            found = function(x)
        return found

    with np.errstate(all="ignore"):
        values = np.unique(np.array([x for x in EDGES if abs(x) < 2**53], dtype))
        values = values if dtype is np.int64 else np.array(EDGES, dtype)
    graph, _ = graph_of(f, values[0])
    assert compiled_parts(graph) == (1, [])
    runs = [engine.executable(graph) for engine in (plan, native)]
    for x in values:
        same(*(outcome(run, [x]) for run in runs))


def test_functions_of_two_numbers():
    def f(x, y):
        power, angle = 0.0, 0.0
        for _ in tf.range(2):
            power, angle = math.pow(x, y), math.atan2(x, y)
        return power, angle

    graph, _ = graph_of(f, np.float64(1), np.float64(1))
    assert compiled_parts(graph) == (1, [])
    runs = [engine.executable(graph) for engine in (plan, native)]
    for x in EDGES:
        for y in EDGES:
            arrays = [np.float64(x), np.float64(y)]
            same(*(outcome(run, arrays) for run in runs))


SHIFTED = [0, 1, -1, 5, -7, 2**30, 2**31 - 1, -(2**31)]

PLACES = [-1, 0, 1, 2, 30, 31, 32, 62, 63, 64]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_shifts_of_python_give_the_numbers_and_errors_of_the_plan(dtype):
    def f(x, n):
        left, right = x, x
        for _ in tf.range(2):
            left, right = shift_left(x, n), shift_right(x, n)
        return left, right

    graph, _ = graph_of(f, dtype(1), dtype(1))
    assert compiled_parts(graph) == (1, [])
    runs = [engine.executable(graph) for engine in (plan, native)]
    for x in SHIFTED:
        for n in PLACES:
            same(*(outcome(run, [dtype(x), dtype(n)]) for run in runs))
            if n in range(30) and abs(x) < 9:
                assert [*map(int, outcome(runs[1], [dtype(x), dtype(n)]))] == [x << n, x >> n]


def test_other_functions_of_python_stay_python():
    def f(x):
        total = 0.0
        for i in tf.range(3):
            total += math.gamma(x + tf.cast(i, tf.float64))
        return total

    assert "`math.gamma`" in compiled_parts(graph_of(f, np.float64(1.5))[0])[1][0]


def test_an_error_of_a_function_is_that_of_the_iteration():
    def f(x):
        total = 0
        for i in tf.range(5):
            total += int(1.0 / x[i])
        return total

    assert check(f, np.array([1.0, 0.5, 0.1, 0.25, 1.0]))[0] == 18
    assert "infinity" in check(f, np.array([1.0, 0.5, 0.0, 0.0, 1.0]))
