"""Branches, loops and arrays in machine code agree with the interpreter, or stay Python."""

import math
import random
import textwrap

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

import autograph
from runtime.engines import plan
from runtime.engines.native import plan as native
from tests.runtime.engines.native.loops import check, compiled_parts, graph_of, outcome, same

ROW = np.array([3.0, -1.0, 4.0, 1.0, -5.0])


def test_branch_chooses_numbers():
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    assert check(collatz, np.int64(27))[0] == 111


def test_loop_that_never_runs_returns_its_start():
    def f(n):
        i = n
        while i < 0:
            i += 1
        return i

    assert check(f, np.int32(5))[0] == 5


def test_nested_loops_with_jumps():
    def f(n):
        total, i = 0, 0
        while i < n:
            j = 0
            while True:
                j += 1
                if j % 3 == 0:
                    continue
                if j > i:
                    break
                total += i * j
            i += 1
        return total

    check(f, np.int32(9))


def test_items_are_read_and_negative_indices_count_from_the_end():
    def f(x, n):
        total, i = 0.0, -n
        while i < n:
            total += x[i]
            i += 1
        return total

    check(f, ROW, np.int32(5))


def test_index_out_of_range_raises_the_error_of_the_plan():
    def f(x, n):
        total, i = 0.0, 0
        while i <= n:
            total += x[i]
            i += 1
        return total

    assert "index 5 is out of bounds" in check(f, ROW, np.int32(5))


def test_item_writes_leave_the_array_of_the_caller():
    def f(x, n):
        i = 1
        while i < n:
            x[i] = x[i] + x[i - 1]
            i += 1
        return x

    given = ROW.copy()
    np.testing.assert_array_equal(check(f, given, np.int32(5))[0], np.cumsum(ROW))
    np.testing.assert_array_equal(given, ROW)


def test_failure_after_writes_runs_the_loop_again_from_its_start():
    def f(x, n):
        i = 0
        while i <= n:
            x[i] += 1.0
            i += 1
        return x

    assert isinstance(check(f, ROW, np.int32(5)), str)


def test_matrices_of_two_indices():
    def f(x, n):
        i = 0
        while i < n:
            j = 0
            while j < n:
                x[i, j] = x[j, i] + i
                j += 1
            i += 1
        return x

    check(f, np.arange(16.0).reshape(4, 4), np.int32(4))


def test_arrays_that_are_not_contiguous():
    def f(x, n):
        total, i = 0.0, 0
        while i < n:
            total += x[i, 0]
            i += 1
        return total

    check(f, np.arange(12.0).reshape(3, 4).T, np.int32(4))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int64", "float32"])
def test_arrays_of_other_dtypes(dtype):
    def f(x, n):
        i = 0
        while i < n:
            x[i] = x[n - 1 - i]
            i += 1
        return x

    check(f, np.array([1, 0, 0, 1, 1]).astype(dtype), np.int32(5))


def test_constant_tables():
    table = np.array([7, 1, 8, 2], np.int32)

    def f(n):
        total, i = 0, 0
        while i < n:
            total += tf.constant(table)[i % 4]
            i += 1
        return total

    check(f, np.int32(10))


def test_array_written_in_a_branch():
    def f(x, n):
        i = 0
        while i < n:
            if x[i] > 0:
                x[i] = -x[i]
            i += 1
        return x

    check(f, ROW, np.int32(5))


def refused(function, *arrays, reason):
    graph, _ = graph_of(function, *map(np.asarray, arrays))
    number, reasons = compiled_parts(graph)
    assert reason in " ".join(reasons), (number, reasons)


def test_loop_that_swaps_arrays():
    def f(x, y, n):
        i = 0
        while i < n:
            x, y = y, x
            x[i] = 1.0
            i += 1
        return x, y

    check(f, ROW, ROW + 1, np.int32(3))
    check(f, ROW, ROW + 1, np.int32(4))


def test_array_that_is_read_after_a_write_to_a_copy():
    def f(x, n):
        i, total = 0, 0.0
        while i < n:
            y = tf.identity(x)
            x[i] = 2.0
            total += y[i]
            i += 1
        return x, total

    check(f, ROW, np.int32(3))


def test_assertions_and_raised_errors_are_those_of_the_plan():
    def f(n):
        i = 0
        while i < n:
            assert i < 4, "too far"
            if i == 7:
                raise ValueError("seven")
            i += 1
        return i

    def g(n):
        i = 0
        while i < n:
            if i == 3:
                raise ValueError("three")
            i += 1
        return i

    assert check(f, np.int32(3))[0] == 3
    assert "too far" in check(f, np.int32(9))
    graph, captured = graph_of(g, np.int32(1))
    assert compiled_parts(graph) == (1, [])
    with pytest.raises(ValueError, match="three"):
        native.executable(graph)(np.int32(9), *captured)


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


def test_carried_values_of_unknown_rank_stay_python():
    def f(n):
        shapes = [tf.TensorShape([]), tf.TensorShape(None)]
        start = [tf.constant(0), tf.constant(1.0)]
        return tf.while_loop(
            lambda i, x: i < n, lambda i, x: (i + 1, x * 2.0), start, shape_invariants=shapes
        )[1]

    refused(f, np.int32(3), reason="whose rank is unknown")


def test_prints_stay_python():
    def f(n):
        i = 0
        while i < n:
            tf.print(i)
            i += 1
        return i

    refused(f, np.int32(1), reason="Print")


def test_arithmetic_on_arrays():
    def f(x, n):
        i = 0
        while i < n:
            x = x * 2.0 + x[::-1]
            i += 1
        return x

    for n in range(4):
        check(f, ROW, np.int32(n))


class Writer:
    """Writes a random loop over two ints, a float and two arrays."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.loops = 0

    def pick(self, *options):
        return self.chance.choice(options)

    def integer(self, depth=0):
        if depth > 2 or self.chance.random() < 0.4:
            return self.pick("a", "b", "i", "1", "2", "-3", "v[i % 5]")
        x, y = self.integer(depth + 1), self.integer(depth + 1)
        return self.pick(
            f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"({x} // {y})", f"({x} % {y})",
            f"v[{x} % 5]", f"v[{x}]", f"abs({x})", f"max({x}, {y})",
            f"({x} if {self.test()} else {y})",
        )  # fmt: skip

    def number(self, depth=0):
        if depth > 2 or self.chance.random() < 0.4:
            return self.pick("s", "0.5", "w[i % 4]", "-2.0")
        x, y = self.number(depth + 1), self.number(depth + 1)
        return self.pick(
            f"({x} + {y})", f"({x} - {y})", f"({x} * {y})", f"({x} / {y})",
            f"w[{self.integer(2)} % 4]", f"({x} if {self.test()} else {y})", f"min({x}, {y})",
        )  # fmt: skip

    def test(self):
        return self.pick(
            "a > b", "s < 1.0", "i % 2 == 0", "v[i % 5] != a", "not a > 2", "w[0] <= s"
        )

    def block(self, depth):
        return [line for _ in range(self.chance.randint(1, 3)) for line in self.statement(depth)]

    def statement(self, depth):
        kind = self.chance.random()
        if depth < 2 and kind < 0.25:
            lines = [f"if {self.test()}:", *self.indented(depth)]
            return [*lines, "else:", *self.indented(depth)] if kind < 0.15 else lines
        if depth < 2 and kind < 0.4:
            self.loops += 1
            name = f"k{self.loops}"
            return [f"{name} = 0", f"while {name} < 3:", f"    {name} += 1", *self.indented(depth)]
        return [
            self.pick(
                f"a = {self.integer()}",
                f"b = {self.integer()}",
                f"s = {self.number()}",
                f"v[{self.integer(1)} % 5] = {self.integer(1)}",
                f"w[i % 4] = {self.number(1)}",
                f"v[i % 5] += {self.integer(2)}",
                f"w[{self.integer(2)}] = {self.number(2)}",
                "a, b = b, a",
            )
        ]

    def indented(self, depth):
        return ["    " + line for line in self.block(depth + 1)]

    def program(self):
        body = [*self.block(0), "i += 1"]
        return "\n".join([
            "def program(a, b, s, v, w, n):", "    i = n - n", "    while i < n:",
            *("        " + line for line in body), "    return a, b, s, v, w, i", "",
        ])  # fmt: skip


def random_case(seed):
    text = Writer(seed).program()
    space = {}
    autograph.exec(text, space)
    arrays = (
        np.int32(seed % 7 - 3), np.int32(4), np.float64(0.75),
        np.array([1, -2, 3, 0, 5], np.int32), np.array([0.5, -1.5, 2.0, 0.0]), np.int32(4),
    )  # fmt: skip
    return text, space["program"], arrays


@pytest.mark.parametrize("seed", range(20))
def test_random_loops(seed):
    text, program, arrays = random_case(seed)
    try:
        check(program, *arrays)
    except AssertionError as error:
        raise AssertionError(textwrap.indent(text, "    ")) from error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1400))
def test_more_random_loops(seed):
    test_random_loops(seed)


# ---- functions of Python ----

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
