import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf

INTS = st.integers(-100, 100)


@given(INTS, INTS.filter(bool))
def test_floor_division_and_remainder_are_python_s(a, b):
    x, y = tf.constant(a), tf.constant(b)
    assert int(x // y) == a // b
    assert int(x % y) == a % b


def test_true_division_of_integers_is_float64():
    assert (tf.constant(1) / tf.constant(2)).dtype == tf.float64
    assert (tf.constant(1, tf.int8) / 2).dtype == tf.float32


@pytest.mark.parametrize("operation", [lambda x, y: x // y, lambda x, y: x % y])
def test_integers_cannot_be_divided_by_zero(operation):
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        operation(tf.constant(1), tf.constant(0))


def test_floats_divided_by_zero_are_infinite_without_a_warning(recwarn):
    assert math.isinf(float(tf.constant(1.0) / 0.0))
    assert int(tf.constant(2**31 - 1) + 1) == -(2**31)
    assert not recwarn.list


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(tf.errors.InvalidArgumentError, match="float32"):
        tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])


def test_mean_of_integers_is_an_integer():
    assert int(tf.reduce_mean(tf.constant([1, 9, 25, 0, 21]))) == 11
    assert int(tf.reduce_mean(tf.constant([-3, 0]))) == -1


def test_reflected_operators():
    x = tf.constant([1.0, 2.0])
    np.testing.assert_array_equal((3 - x).numpy(), [2, 1])
    np.testing.assert_array_equal((2 / x).numpy(), [2, 1])
    np.testing.assert_array_equal((np.array([1.0, 1.0]) - x).numpy(), [0, -1])
    np.testing.assert_array_equal((2**x).numpy(), [2, 4])


def test_comparison_with_none():
    assert (tf.constant(1) == None) is False  # noqa: E711
    assert (tf.constant(1) != None) is True  # noqa: E711


def test_logic_on_bools_and_bits_on_integers():
    assert bool(tf.constant(True) & tf.constant(False)) is False
    assert int(tf.constant(6) & 3) == 2
    assert bool(~tf.constant(False)) is True


@pytest.mark.parametrize("dtype", [tf.float32, tf.int8, tf.uint8, tf.complex64])
def test_arrays_of_truth_values_are_numbers_beside_numbers(dtype):
    x, mask = tf.constant([3, 4], dtype), np.array([True, False])
    for result in (x * mask, mask * x):
        assert result.dtype == dtype
        assert result.numpy().tolist() == [3, 0]
    with pytest.raises(TypeError):
        x * tf.constant(mask)


def test_bits_of_integers_and_a_truth_value():
    x = tf.constant([4, 5])
    assert (x & True).numpy().tolist() == [0, 1]
    assert (True | x).numpy().tolist() == [5, 5]
    assert (x ^ np.array([True, False])).numpy().tolist() == [5, 5]
    assert (tf.constant([True, False]) & True).dtype == tf.bool
    assert (tf.constant(True) & x).numpy().tolist() == [0, 1]
    assert (x | tf.constant([False, True])).numpy().tolist() == [4, 5]
    with pytest.raises(TypeError):
        tf.constant(True) & tf.constant(2.0)


@pytest.mark.parametrize("other", [(3,), "a", 1j, [1, 2]])
def test_a_union_of_bits_with_what_has_none(other):
    with pytest.raises(TypeError, match="list of allowed values"):
        tf.constant(2.0) | other


@pytest.mark.parametrize("part", [tf.math.real, tf.math.imag])
def test_what_is_no_number_has_no_parts(part):
    assert part(tf.constant([1.0, 2.0])).dtype == tf.float32
    for value in (True, "a"):
        with pytest.raises(TypeError, match="input must be a numeric tensor"):
            part(value)


def test_nan_is_neither_the_largest_nor_the_least():
    x = [[np.nan, 1.0, 2.0], [np.nan, np.nan, np.nan], [np.inf, np.nan, -np.inf]]
    assert tf.argmax(x, axis=1).numpy().tolist() == [2, 0, 0]
    assert tf.argmin(x, axis=1).numpy().tolist() == [1, 0, 2]


def test_counts_of_nothing():
    assert tf.math.bincount(tf.constant([], tf.int32)).shape == (0,)
    assert tf.math.bincount(tf.constant([], tf.int32), minlength=2).numpy().tolist() == [0, 0]
    assert tf.linalg.global_norm([]).numpy() == 0.0


def test_running_results_over_nothing():
    for run in (tf.cumsum, tf.math.cumprod):
        x = tf.zeros([1, 0, 2])
        assert run(x, axis=1, exclusive=True).shape == (1, 0, 2)
        assert run(x, axis=1, exclusive=True, reverse=True).shape == (1, 0, 2)


def test_counts_of_all_elements():
    rows = [[1, 1, 7], [0, 3, 3]]
    assert tf.math.bincount(rows, dtype=tf.float32).numpy().tolist() == [1, 2, 0, 2, 0, 0, 0, 1]
    assert tf.math.bincount(rows, maxlength=4).numpy().tolist() == [1, 2, 0, 2]
    assert tf.math.bincount(rows, [[1, 2, 3], [4, 5, 6]], maxlength=2).numpy().tolist() == [4, 3]
    with pytest.raises(TypeError, match="axis"):
        tf.math.bincount(rows, axis=-1)


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
    with pytest.raises(ZeroDivisionError, match=r"test_arithmetic\.py") as error:
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
    with pytest.raises(ZeroDivisionError, match=r"test_arithmetic\.py"):
        converted(tf.constant(-1))
    assert converted(tf.constant(1)) == complex_quotient(1)


def test_a_tensor_divided_by_zero_is_infinite_or_an_error_of_integers():
    divide = tf.function(lambda x, y: x / y)
    assert divide(tf.constant(1.0), tf.constant(0.0)).numpy() == np.inf
    assert divide(tf.constant(1.0), 0.0).numpy() == np.inf
    assert divide(1.0, tf.constant(0.0)).numpy() == np.inf
    with pytest.raises(tf.errors.InvalidArgumentError, match="division by zero"):
        tf.function(lambda x, y: x // y)(tf.constant(1), tf.constant(0))


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
