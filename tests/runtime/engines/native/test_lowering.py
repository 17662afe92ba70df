"""Branches, loops and arrays in machine code agree with the interpreter, or stay Python."""

import random
import textwrap

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import autograph
from runtime.engines.native import plan as native
from tests.runtime.engines.native.loops import check, compiled_parts, graph_of


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


@pytest.mark.parametrize("seed", range(8))
def test_random_loops(seed):
    text, program, arrays = random_case(seed)
    try:
        check(program, *arrays)
    except AssertionError as error:
        raise AssertionError(textwrap.indent(text, "    ")) from error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8, 408))
def test_more_random_loops(seed):
    test_random_loops(seed)
