"""Python numbers that a graph computes: division by zero, powers, and ints that do not fit."""

import numpy as np
import pytest

import runtime as tf


def carried(compute):
    """A function that divides Python numbers which a staged statement has computed."""

    def run(n, x, y):
        for _ in range(n):
            x, y = x * 1, y * 1
        return compute(x, y)

    return run


DIVISIONS = {
    "/": lambda x, y: x / y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "divmod": divmod,
    "unused": lambda x, y: (x / y, 1)[1],
}


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("numbers", [(7, 0), (7.5, 0.0), (7.5, 0), (-1, 0)])
@pytest.mark.parametrize("name", DIVISIONS)
def test_a_number_of_python_divided_by_zero_raises_as_in_python(name, numbers, jit_compile):
    if jit_compile:
        pytest.importorskip("llvmlite")
    program = carried(DIVISIONS[name])
    converted = tf.function(program, jit_compile=jit_compile)
    with pytest.raises(ZeroDivisionError) as expected:
        program(2, *numbers)
    with pytest.raises(ZeroDivisionError, match=r"test_checked\.py") as error:
        converted(tf.constant(2), *numbers)
    of_floats = any(isinstance(each, float) for each in numbers) or name in ("/", "unused")
    assert of_floats or str(expected.value) in str(error.value)
    x, y = numbers[0], 2
    found = converted(tf.constant(2), x, y)
    assert tf.nest.map_structure(float, found) == tf.nest.map_structure(float, program(2, x, y))


def complex_quotient(x):
    divisor = 0j
    if x > 0:
        divisor = 1j
    return (1 + 2j) / divisor


@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_complex_number_of_python_divided_by_zero_raises_as_in_python(jit_compile):
    if jit_compile:
        pytest.importorskip("llvmlite")
    converted = tf.function(complex_quotient, jit_compile=jit_compile)
    with pytest.raises(ZeroDivisionError, match=r"test_checked\.py"):
        converted(tf.constant(-1))
    assert converted(tf.constant(1)) == complex_quotient(1)


def test_a_quotient_of_numbers_that_no_iteration_reaches_does_not_raise():
    @tf.function
    def last(n, y):
        found = 0.5
        for _ in range(n):
            y = y - 1
            found = 3 / y
        return found

    assert last(tf.constant(0), 1).numpy() == 0.5
    assert last(tf.constant(1), 2).numpy() == 3.0
    with pytest.raises(ZeroDivisionError):
        last(tf.constant(2), 2)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(
    ("x", "y", "kind", "words"),
    [
        (0.0, -1.0, ZeroDivisionError, "0.0 cannot be raised to a negative power"),
        (10.0, 400.0, tf.errors.InvalidArgumentError, "too large for a Python float"),
        (-8.0, 0.5, tf.errors.InvalidArgumentError, "the complex number"),
    ],
)
def test_a_power_of_numbers_that_is_no_float(x, y, kind, words, jit_compile):
    if jit_compile:
        pytest.importorskip("llvmlite")
    power = tf.function(carried(lambda x, y: x**y), jit_compile=jit_compile)
    with pytest.raises(kind, match=words):
        power(tf.constant(1), x, y)
    assert power(tf.constant(1), 2.0, 0.5).numpy() == np.float32(2**0.5)
    assert power(tf.constant(1), float("inf"), 0.5).numpy() == np.inf
    assert np.isnan(power(tf.constant(1), float("nan"), 0.5).numpy())


def test_the_smallest_int_of_a_dtype_has_an_opposite_in_python():
    for change in (lambda x, y: -x, lambda x, y: abs(x), lambda x, y: x // y):
        opposite = tf.function(carried(change))
        assert abs(opposite(tf.constant(1), -5, -1).numpy()) == 5
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int32"):
            opposite(tf.constant(1), -(2**31), -1)


def test_the_error_of_an_overflow_names_a_wider_dtype():
    product = tf.function(carried(lambda x, y: x * y))
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"constant\(1, runtime.int64\)"):
        product(tf.constant(1), 2**20, 2**20)
    with pytest.raises(tf.errors.InvalidArgumentError, match="start with a float"):
        tf.function(carried(lambda x, y: x * y), numpy=True)(np.int64(1), 2**40, 2**40)


def test_a_gradient_flows_through_a_quotient_of_numbers():
    @tf.function
    def scaled(n, x):
        rate = 1.0
        for k in range(n):
            rate = rate / (k + 1)
        return x * rate

    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = scaled(tf.constant(3), x)
    assert tape.gradient(y, x).numpy() == np.float32(1 / 6)
