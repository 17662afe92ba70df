"""Complex numbers in machine code: as the interpreter, on edge values, in loops and in arrays."""

import itertools

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import interpreter
from runtime.engines.native import plan as native
from tests.runtime.engines.graphs import graph_of, outcome
from tests.runtime.engines.native.loops import compiled_parts
from tests.runtime.engines.native.test_numbers import looped

PARTS = [0.0, -0.0, 1.0, -2.5, 3e38, 1e-40, 700.0, np.inf, -np.inf, np.nan]

UNARY = {
    "negate": lambda x: -x,
    "abs": abs,
    "square": tf.square,
    "conj": tf.math.conj,
    "real": tf.math.real,
    "imag": tf.math.imag,
    "exp": tf.exp,
    "narrow": lambda x: tf.cast(x, tf.complex64),
    "wide": lambda x: tf.cast(x, tf.complex128),
    "complex": lambda x: tf.complex(tf.math.imag(x), abs(x)),
    "zeros": lambda x: tf.zeros_like(x) + x,
    "ones": lambda x: tf.ones_like(x) - x,
}

BINARY = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "divide": lambda x, y: x / y,
    "equal": lambda x, y: x == y,
    "not_equal": lambda x, y: x != y,
    "where": lambda x, y: tf.where(tf.math.real(x) > tf.math.imag(y), x, y),
}


def numbers(dtype):
    with np.errstate(all="ignore"):
        found = [np.dtype(dtype).type(complex(*each)) for each in itertools.product(PARTS, PARTS)]
    return np.array(found, dtype)


def close(one, other):
    """Check that results agree, up to roundings relative to the modulus, and signs of zeros."""
    assert type(one) is type(other), (one, other)
    for a, b in zip(one, other, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        if a.dtype.kind not in "cf":
            np.testing.assert_array_equal(a, b)
            continue
        with np.errstate(all="ignore"):
            modulus = np.abs(a)
        for x, y in ((a.real, b.real), (a.imag, b.imag)):
            finite = np.isfinite(x) & np.isfinite(y) & np.isfinite(modulus)
            np.testing.assert_array_equal(x[~finite], y[~finite])
            info = np.finfo(x.dtype)
            most = 4 * info.eps * modulus[finite] + 4 * info.smallest_subnormal
            assert np.all(np.abs(x[finite] - y[finite]) <= most), (x, y)


def check(function, *arrays, autograph=False):
    graph, captured = graph_of(function, *arrays, autograph=autograph)
    number, reasons = compiled_parts(graph)
    assert number and not reasons, reasons
    meant, machine = interpreter.executable(graph), native.executable(graph)
    return meant, machine, captured


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", UNARY)
def test_unary(name, dtype):
    values = numbers(dtype)
    meant, machine, _ = check(looped(UNARY[name]), values[0])
    for value in values:
        close(outcome(meant, [value]), outcome(machine, [value]))
    for chunk in (values, values[:7], values[:1]):
        meant, machine, _ = check(lambda x: (UNARY[name](x), x + x, x - x[::-1]), chunk)
        close(outcome(meant, [chunk]), outcome(machine, [chunk]))


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("name", BINARY)
def test_binary(name, dtype):
    values = numbers(dtype)[::3]
    meant, machine, _ = check(looped(BINARY[name]), values[0], values[0])
    for pair in itertools.product(values, values):
        close(outcome(meant, pair), outcome(machine, pair))
    rng = np.random.default_rng(1)
    table = rng.normal(size=(2, 3, 40)).astype(dtype) * (1 + 2j) + rng.normal(size=40) * 1j
    one, other = table.astype(dtype)
    meant, machine, _ = check(lambda x, y: (BINARY[name](x, y), x + y, y - x), one, other)
    close(outcome(meant, [one, other]), outcome(machine, [one, other]))


@pytest.mark.parametrize("source", ["bool", "int32", "int64", "uint8", "float32", "float64"])
@pytest.mark.parametrize("target", ["complex64", "complex128"])
def test_conversions(source, target):
    values = np.array([0, 1, 2, 255, 7]).astype(source)
    meant, machine, _ = check(lambda x: (tf.cast(x, target) * 2, tf.cast(x[::-1], target)), values)
    close(outcome(meant, [values]), outcome(machine, [values]))


def test_arrays_of_complex_numbers_are_updated_and_carried():
    def program(x, n):
        i, total = n - n, x[0]
        while i < n:
            x = tf.tensor_scatter_nd_update(x, [[i]], [x[i] * 1j + total])
            total = total + x[i] if tf.math.real(x[i]) > 0 else total - x[i]
            i += 1
        return x, total

    x = np.array([1 + 2j, -3j, 0.5 - 1j, 2])
    graph, captured = graph_of(program, x, np.int32(4))
    meant, machine = interpreter.executable(graph), native.executable(graph)
    close(
        outcome(meant, [x, np.int32(4), *captured]), outcome(machine, [x, np.int32(4), *captured])
    )


@pytest.mark.parametrize(
    "reduce", [tf.reduce_sum, tf.reduce_prod, tf.reduce_mean, lambda x: tf.matmul(x, x)]
)
def test_reductions_of_complex_numbers_stay_python(reduce):
    x = np.arange(9.0).reshape(3, 3) * (1 - 2j)
    graph, captured = graph_of(lambda x: reduce(x * x + x - x[::-1]), x, autograph=False)
    assert any("runs as Python" in line for line in native.source(graph).splitlines())
    close(*(outcome(e.executable(graph), [x, *captured]) for e in (interpreter, native)))


STEPS = {
    **{name: BINARY[name] for name in ("add", "subtract", "multiply", "divide", "where")},
    "conjugate": lambda x, y: tf.math.conj(x) + y,
    "parts": lambda x, y: tf.complex(tf.math.real(x), tf.math.imag(y)),
    "negate": lambda x, y: y - (-x),
    "modulus": lambda x, y: x * tf.cast(tf.abs(y), x.dtype),
    "exp": lambda x, y: tf.exp(x / tf.cast(1 + tf.abs(x), x.dtype)) + y,
    "item": lambda x, y: x + y[0, 1] * y[:, :1],
    "joined": lambda x, y: tf.concat([y[:1] - x[1:], x[:1]], 0),
    "reversed": lambda x, y: x[::-1] - y[:, ::-1],
}


@pytest.mark.parametrize(
    "seed", [*range(8), *(pytest.param(i, marks=pytest.mark.slow) for i in range(8, 40))]
)
def test_random_loops(seed):
    rng = np.random.default_rng(seed)
    names = list(rng.choice(list(STEPS), 6))
    places = rng.integers(0, 3, (6, 3))
    decided = rng.random(6) < 0.4

    def program(x, y, z, n):
        def step(i, *held):
            values = list(held)
            for name, (a, b, goal), by_branch in zip(names, places, decided, strict=True):
                new = STEPS[name](values[a], values[b])
                if by_branch:
                    test = tf.math.real(values[b][0, 0]) > 0
                    new = tf.cond(test, lambda x=new: x, lambda x=new, y=values[a]: x - y)
                values[goal] = new / tf.cast(1 + tf.reduce_max(tf.abs(new)), new.dtype)
            return (i + 1, *values)

        return tf.while_loop(lambda i, *_: i < n, step, (n - n, x, y, z))[1:]

    arrays = [rng.normal(size=(2, 3)) + 1j * rng.normal(size=(2, 3)) for _ in range(3)]
    meant, machine, captured = check(program, *arrays, np.int32(3))
    found = [outcome(run, [*arrays, np.int32(3), *captured]) for run in (meant, machine)]
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("turns", [2, 3])
def test_quotient_of_numbers_of_python(turns):
    def falling(x, turns):
        total = x
        divisor = 2
        for _ in range(turns):
            total = total + -1j / divisor
            divisor = divisor - 1
        return total

    function = tf.function(falling, numpy=True, jit_compile=True)
    given = np.complex128(1), np.int64(turns)
    assert "as Python" not in function.get_concrete_function(*given).plan_source
    if turns == 2:
        assert function(*given) == falling(*given)
    else:
        with pytest.raises(ZeroDivisionError, match="complex division by zero"):
            function(*given)
