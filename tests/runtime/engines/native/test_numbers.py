"""Each computation on numbers gives in machine code what the interpreter gives, on edge values."""

import itertools

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import interpreter
from runtime.engines.native import plan as native
from tests.runtime.engines.native.loops import check, compiled_parts, looped, outcome, same

INTEGERS = ("int32", "int64", "int8", "uint8", "int16", "uint16", "uint32", "uint64")
FLOATS = ("float32", "float64")


def edges(dtype):
    if dtype == "bool":
        return np.array([False, True])
    if dtype in FLOATS:
        info = np.finfo(dtype)
        special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -7.25, 1e3, np.inf, -np.inf, np.nan]
        limits = [info.max, info.min, info.tiny, info.smallest_subnormal, -info.tiny]
        return np.array([*special, *limits], dtype)
    info = np.iinfo(dtype)
    near = [info.min, info.min + 1, info.max - 1, info.max, 0, 1, 2, 3, 7]
    return np.array([*near, *([-1, -2, -7] if info.min else [])], dtype)


def check_each(operator, *columns, ulps=0):
    """Check an operator on each tuple of numbers."""
    function = tf.function(looped(operator), autograph=False)
    specs = [tf.TensorSpec([], tf.as_dtype(column.dtype)) for column in columns]
    graph = function.get_concrete_function(*specs).graph
    number, reasons = compiled_parts(graph)
    assert number == 1 and not reasons, reasons
    meant, machine = interpreter.executable(graph), native.executable(graph)
    for numbers in itertools.product(*columns):
        same(outcome(meant, numbers), outcome(machine, numbers), ulps)


ARITHMETIC = {
    "add": lambda x, y: x + y,
    "subtract": lambda x, y: x - y,
    "multiply": lambda x, y: x * y,
    "maximum": tf.maximum,
    "minimum": tf.minimum,
}
COMPARISONS = {
    "less": lambda x, y: x < y,
    "less_equal": lambda x, y: x <= y,
    "greater": lambda x, y: x > y,
    "greater_equal": lambda x, y: x >= y,
    "equal": tf.equal,
    "not_equal": tf.not_equal,
}


@pytest.mark.parametrize("dtype", [*INTEGERS, *FLOATS])
@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISONS])
def test_operators_on_two_numbers(name, dtype):
    operator = {**ARITHMETIC, **COMPARISONS}[name]
    check_each(operator, edges(dtype), edges(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
def test_products_that_zero_wins(dtype):
    check_each(tf.math.multiply_no_nan, edges(dtype), edges(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("operator", [tf.math.floordiv, tf.math.floormod])
def test_rounded_quotients_of_integers_fail_for_zero(operator, dtype):
    check_each(operator, edges(dtype), edges(dtype))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    "operator",
    [
        tf.bitwise.bitwise_and, tf.bitwise.bitwise_or, tf.bitwise.bitwise_xor,
        tf.bitwise.left_shift, tf.bitwise.right_shift,
    ],
)  # fmt: skip
def test_bits_of_integers(operator, dtype):
    check_each(operator, edges(dtype), edges(dtype))


@pytest.mark.parametrize("operator", [tf.logical_and, tf.logical_or, tf.not_equal])
def test_operators_on_truth_values(operator):
    check_each(operator, edges("bool"), edges("bool"))


@pytest.mark.parametrize("dtype", FLOATS)
def test_quotients_of_floats(dtype):
    check_each(lambda x, y: x / y, edges(dtype), edges(dtype))


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", *FLOATS])
@pytest.mark.parametrize("operator", [tf.negative, tf.abs, tf.square])
def test_operators_on_one_number(operator, dtype):
    check_each(operator, edges(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "operator",
    [tf.sqrt, tf.math.rint, tf.math.is_nan, tf.math.is_finite, tf.math.is_inf, tf.nn.relu],
)
def test_exact_functions_of_floats(operator, dtype):
    check_each(operator, edges(dtype))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "name",
    ["exp", "expm1", "log", "log1p", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos",
     "atan", "asinh", "acosh", "atanh", "sigmoid"],
)  # fmt: skip
def test_elementary_functions_differ_from_those_of_numpy_by_a_few_ulps(name, dtype):
    numbers = np.array([0.0, -0.0, 0.25, -0.75, 1.0, 3.5, -2.0, 50.0, np.inf, -np.inf, np.nan])
    check_each(getattr(tf.math, name), numbers.astype(dtype), ulps=4)


@pytest.mark.parametrize("dtype", FLOATS)
def test_powers_and_angles_of_floats(dtype):
    numbers = np.array([0.0, 1.0, 2.0, -1.5, 0.5, 10.0, np.inf, np.nan]).astype(dtype)
    check_each(tf.pow, numbers, numbers, ulps=4)
    check_each(tf.math.atan2, numbers, numbers, ulps=4)


@pytest.mark.parametrize("source", ["bool", "int32", "int64", "uint8", "int8", *FLOATS])
@pytest.mark.parametrize("target", ["bool", "int32", "int64", *FLOATS])
def test_conversions(source, target):
    check_each(lambda x: tf.cast(x, target), edges(source))


def grown(n):
    c, i = 2147483600, 0
    while i < n:
        c += 1
        i += 1
    return c


def lowered(n):
    c, i = -2147483600, 0
    while i < n:
        c -= 1
        i += 1
    return c


def doubled(n):
    c, i = 1, 0
    while i < n:
        c *= 2
        i += 1
    return c


@pytest.mark.parametrize("function", [grown, lowered, doubled])
def test_python_ints_fail_where_they_do_not_fit(function):
    assert not isinstance(check(function, np.int32(20)), str)
    assert "does not fit into int32" in check(function, np.int32(100))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("operator", [tf.bitwise.invert, tf.nn.relu])
def test_functions_of_integers(operator, dtype):
    check_each(operator, edges(dtype))


def test_choice_between_numbers():
    check_each(lambda t, x, y: tf.where(t, x, y), edges("bool"), edges("int32"), edges("int32"))
