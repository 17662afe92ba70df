"""Arithmetic on whole arrays in machine code agrees with the interpreter."""

import random
import textwrap

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

import autograph
from tests.runtime.engines.native.loops import check, compiled_parts, graph_of, same

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


# ---- elementwise ----


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_elementwise_computations_of_edge_values(dtype):
    def f(x, y):
        z = x * y - x / y
        return z, tf.maximum(x, z), tf.where(x < y, x, -z), tf.sqrt(x), tf.sign(y), x == y

    chance = random.Random(1)
    for count in (0, 1, 7, 64, 131):
        check(f, floats(chance, count, dtype=dtype), floats(chance, count, dtype=dtype))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_integers_wrap_around_in_arrays(dtype):
    def f(x, y):
        return x * y + x, x - y, tf.maximum(x, y), tf.bitwise.bitwise_xor(x, y), x < y

    info = np.iinfo(dtype)
    x = np.array([info.min, info.max, 1, 0, 77] * 9, dtype)
    check(f, x, x[::-1].copy())


def test_division_by_zero_in_an_array_is_the_error_of_the_plan():
    def f(x, y):
        return x // y + x % y, x + y

    x = np.array([7, -7, 2**31 - 1, -(2**31)], np.int32)
    check(f, x, np.array([2, 2, -1, -1], np.int32))
    assert "division by zero" in check(f, x, np.array([2, 2, 0, -1], np.int32)).lower()


def test_division_that_nothing_reads_raises():
    def f(x, y):
        unused = x // y
        return x + y, x * 2 + unused * 0

    def g(x, y):
        _ = x // y
        return x + y, x * 2

    x, none = np.array([7, 8], np.int32), np.array([1, 0], np.int32)
    for program in (f, g):
        check(program, x, none)


@pytest.mark.parametrize(
    ("one", "other"), [((3, 4), (4,)), ((3, 4), (3, 1)), ((1, 4), (3, 1)), ((2, 3, 4), (3, 1))]
)
def test_broadcasts(one, other):
    def f(x, y):
        return x + y, tf.where(x > y, x, y) * 2.0

    chance = random.Random(2)
    check(f, floats(chance, *one), floats(chance, *other))


def test_a_value_that_two_results_need_is_computed_once_or_twice_alike():
    def f(x, y):
        z = x * y
        w = z + 1.0
        return z, tf.reduce_sum(w * z, 0), w, tf.reduce_max(z)

    chance = random.Random(3)
    check(f, floats(chance, 5, 6), floats(chance, 5, 6))


# ---- reductions ----

SHAPES = [(1,), (7,), (8,), (9,), (128,), (129,), (1000,), (3, 5), (4, 130), (9, 1), (1, 9),
          (2, 3, 4), (4, 1, 6), (3, 4, 129)]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
@pytest.mark.parametrize("shape", SHAPES)
def test_sums_have_the_bits_of_numpy(shape, dtype):
    axes = [None, *range(len(shape)), *([(0, 1), (0, len(shape) - 1)] if len(shape) > 2 else [])]
    rng = np.random.default_rng(0)
    x = (rng.normal(size=shape) * 100).astype(dtype)
    for axis in axes:
        for keepdims in (False, True):

            def f(x, axis=axis, keepdims=keepdims):
                doubled = x + x
                return tf.reduce_sum(doubled, axis, keepdims)

            (total,) = check(f, x)
            np.testing.assert_array_equal(total, np.add.reduce(x + x, axis, keepdims=keepdims))


def test_sum_of_negative_zeros_is_zero():
    (total,) = check(lambda x: tf.reduce_sum(x * 1.5), np.full(9, -0.0))
    assert not np.signbit(total)


@pytest.mark.parametrize("shape", [(1,), (6,), (3, 5), (2, 3, 4)])
@pytest.mark.parametrize("axis", [None, 0, -1])
def test_extremes_products_and_truth(shape, axis):
    def f(x, k):
        y = x * 2.0
        truth = y > 0.0
        return (
            tf.reduce_max(y, axis), tf.reduce_min(y, axis), tf.reduce_prod(x, axis),
            tf.reduce_any(truth, axis), tf.reduce_all(truth, axis), tf.reduce_mean(y, axis),
            tf.reduce_max(k + 1, axis), tf.reduce_prod(k, axis),
        )  # fmt: skip

    rng = np.random.default_rng(4)
    k = rng.integers(-9, 9, shape).astype(np.int32)
    check(f, rng.normal(size=shape), k)
    check(f, np.full(shape, np.nan), k)
    check(f, np.full(shape, np.inf), k)


def test_positions_of_extremes_skip_nan():
    def f(x):
        y = x * 2.0
        return [g(y, axis) for g in (tf.argmax, tf.argmin) for axis in (0, 1)]

    rng = np.random.default_rng(5)
    x = rng.integers(0, 4, (5, 6)).astype(np.float64)
    x[1, 2] = x[3, 3] = np.nan
    check(f, x)
    check(f, np.full((2, 3), np.nan))


def test_extreme_of_no_elements_of_an_unknown_number():
    @tf.function(
        input_signature=[tf.TensorSpec([None], tf.float32)], jit_compile=True, autograph=False
    )
    def f(x):
        y = x * 2.0 + 1.0
        return tf.reduce_max(y), tf.reduce_sum(y)

    assert [float(v) for v in f(tf.constant([]))] == [-np.inf, 0.0]
    assert [float(v) for v in f(tf.constant([1.0, 3.0]))] == [7.0, 10.0]


# ---- products ----


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_integers(dtype, flags):
    def f(a, b):
        return tf.matmul(a, b, *flags) + 1

    rng = np.random.default_rng(6)
    a, b = rng.integers(-(2**20), 2**20, (2, 5, 5))
    check(f, a.astype(dtype), b.astype(dtype))
    a, b = rng.integers(-9, 9, (3, 7)).astype(dtype), rng.integers(-9, 9, (7, 2)).astype(dtype)
    check(f, a.T.copy() if flags[0] else a, b.T.copy() if flags[1] else b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (10, 10, 40), (17, 31, 5), (3, 64, 33), (32, 32, 128)]
)
def test_products_are_within_the_bound(shape, dtype):
    m, n, k = shape
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(m, n)).astype(dtype), rng.normal(size=(n, k)).astype(dtype)
    graph, _ = graph_of(lambda a, b: tf.matmul(a, b) * 2.0, a, b)
    assert compiled_parts(graph)[0] == 1
    found = tf.function(lambda a, b: tf.matmul(a, b) * 2.0, jit_compile=True)(a, b).numpy() / 2
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    bound = 2 * n * np.finfo(dtype).eps * (np.abs(a).astype(float) @ np.abs(b).astype(float))
    assert (np.abs(found - exact) <= bound).all()


# ---- unknown shapes ----


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


def test_broadcasts_that_only_the_running_graph_knows():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float64)] * 2, jit_compile=True)
    def f(x, y):
        return (x + y) * 2.0

    np.testing.assert_array_equal(f([1.0], [2.0, 3.0]), [6.0, 8.0])
    np.testing.assert_array_equal(f([1.0, 5.0], [2.0, 3.0]), [6.0, 16.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        f([1.0, 2.0, 3.0], [1.0, 2.0])


@pytest.mark.parametrize(("one", "other"), [((2, 3), (2, 3)), ((3, 3), (1, 3)), ((3, 3), (3, 3))])
def test_slices_take_arrays_of_their_shape_only(one, other):
    def assigned(x, y):
        x[1:] = y * 2.0
        return x, x + 1.0

    def added(x, y):
        x[1:] += y * 2.0
        return x, x + 1.0

    for f in (assigned, added):
        fits = tf.function(f, input_signature=[tf.TensorSpec([None, None], tf.float64)] * 2)
        compiled = tf.function(f, input_signature=fits.input_signature, jit_compile=True)
        x, y = np.ones(one), np.ones(other)
        outcomes = []
        for function in (fits, compiled):
            try:
                outcomes.append([np.asarray(value) for value in function(x, y)])
            except tf.errors.OpError as error:
                outcomes.append(type(error).__name__)
        same(*outcomes)


# ---- programs ----


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


@pytest.mark.parametrize("seed", range(25))
def test_random_programs(seed):
    text, program, arrays = case(seed)
    try:
        check(program, *arrays)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{textwrap.indent(text, '    ')}") from error


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1000, 1300))
def test_more_random_programs(seed):
    test_random_programs(seed)
