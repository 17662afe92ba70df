"""Arithmetic on whole arrays in machine code agrees with the interpreter."""

import random
import textwrap

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

import autograph
from tests.runtime.engines.native.loops import check, floats, ints


def test_arrays_of_unknown_shape():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float64)] * 2, jit_compile=True)
    def f(x, y):
        z = x * 2.0 + y
        i = 0
        while i < 3:
            z = z * 0.5 + x[::-1]
            i += 1
        return z, tf.reduce_sum(z, 1), tf.reduce_sum(z, 0), z[1:, ::2], tf.shape(z)

    plain = tf.function(f.python_function, jit_compile=False)
    rng = np.random.default_rng(8)
    for dims in ((1, 1), (3, 4), (5, 0), (17, 130)):
        x, y = rng.normal(size=(2, *dims))
        for ours, theirs in zip(f(x, y), plain(x, y), strict=True):
            np.testing.assert_array_equal(ours, theirs)


class Writer:
    """Writes a random program on two matrices, a row, integers and truth values."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.loops = 0

    def pick(self, *options):
        return self.chance.choice(options)

    def matrix(self, depth=0):
        if depth > 2 or self.chance.random() < 0.35:
            return self.pick("x", "z", "x[::-1]", "z[:, ::-1]", "tf.transpose(w)")
        a, b = self.matrix(depth + 1), self.matrix(depth + 1)
        return self.pick(
            f"({a} + {b})", f"({a} * {b})", f"({a} - {self.row(2)})", f"tf.maximum({a}, {b})",
            f"tf.where({self.test()}, {a}, {b})", f"({a} * {self.number(1)})", f"-({a})",
            f"tf.reshape(tf.reshape({a}, [-1]), [3, 4])", f"tf.concat([({a})[1:], ({b})[:1]], 0)",
            f"({a} + tf.reduce_sum({b}, 1, True))", f"tf.roll({a}, 1, 1)",
            f"tf.broadcast_to({self.row(2)}, [3, 4])", f"tf.cast({self.integers()}, tf.float64)",
        )  # fmt: skip

    def row(self, depth=0):
        if depth > 2 or self.chance.random() < 0.35:
            return self.pick("y", "x[1]", "z[i % 3]", "y[::-1]", "w[:, 2]")
        a = self.matrix(depth + 1)
        return self.pick(
            f"tf.reduce_sum({a}, 0)", f"tf.reduce_max({a}, 0)", f"({a})[i % 3]",
            f"({self.row(depth + 1)} * 0.5)", f"({a})[-1]", f"tf.squeeze(({a})[2:])",
        )  # fmt: skip

    def integers(self):
        return self.pick("k", "(k * 3)", "(k + i)", "tf.bitwise.bitwise_and(k, 6)", "(k - k[0])")

    def test(self):
        return self.pick("x > z", "k > 0", "x == x", "tf.logical_not(z < 1.0)", "y > 0.0")

    def number(self, depth=0):
        return self.pick(
            "0.5", "y[i % 4]", "x[i % 3, 1]", "tf.reduce_sum(y)", "tf.reduce_mean(x)",
            "tf.reduce_min(z)",
        )  # fmt: skip

    def block(self, depth):
        return [line for _ in range(self.chance.randint(1, 3)) for line in self.statement(depth)]

    def statement(self, depth):
        kind = self.chance.random()
        if depth < 2 and kind < 0.15:
            condition = self.pick("i % 2 == 0", "y[1] > 0.0", "tf.reduce_any(k > i)")
            lines = [f"if {condition}:", *self.indented(depth)]
            return [*lines, "else:", *self.indented(depth)] if kind < 0.1 else lines
        if depth < 2 and kind < 0.3:
            self.loops += 1
            name = f"j{self.loops}"
            return [f"{name} = 0", f"while {name} < 2:", f"    {name} += 1", *self.indented(depth)]
        return [
            self.pick(
                f"x = {self.matrix()}",
                f"z = {self.matrix()}",
                f"y = {self.row()}",
                f"k = {self.integers()}",
                "x, z = z, x",
                f"w = tf.transpose({self.matrix(1)})",
                f"x[i % 3] = {self.row(1)}",
                f"x[1:, ::2] = ({self.matrix(1)})[:2, 1:3]",
                f"z[:, i % 4] = tf.reduce_sum({self.matrix(1)}, 1)",
                f"y[i % 4] = {self.number()}",
                f"z[1:] += {self.matrix(1)}[:-1]",
                f"x[i % 3, 2] += {self.number()}",
                f"k[1] = {self.integers()}[2]",
                "x = z",
            )
        ]

    def indented(self, depth):
        return ["    " + line for line in self.block(depth + 1)]

    def program(self):
        return "\n".join([
            "import runtime as tf", "", "", "def program(x, z, w, y, k, n):", "    i = n - n",
            "    while i < n:", *("        " + line for line in self.block(0)), "        i += 1",
            *("    " + line for line in self.block(1)), "    return x, z, w, y, k, i", "",
        ])  # fmt: skip


def case(seed):
    chance = random.Random(seed)
    text = Writer(seed).program()
    space = {}
    autograph.exec(text, space)
    arrays = (
        floats(chance, 3, 4), floats(chance, 3, 4), floats(chance, 4, 3), floats(chance, 4),
        ints(chance, 3, 4), np.int32(chance.randint(0, 4)),
    )  # fmt: skip
    return text, space["program"], arrays


@pytest.mark.parametrize("seed", range(10))
def test_random_programs(seed):
    text, program, arrays = case(seed)
    try:
        check(program, *arrays)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{textwrap.indent(text, '    ')}") from error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 310))
def test_more_random_programs(seed):
    test_random_programs(seed)
