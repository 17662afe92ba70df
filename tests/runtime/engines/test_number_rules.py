"""Numbers of Python in plans: integers that wrap around or raise, floats, complex numbers."""

import itertools
import math

import numpy as np
import pytest

import runtime as tf
from runtime.engines import interpreter, plan
from tests.runtime.engines.updates import agree as same_by_plan


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int8])
def test_choice_of_scalars_is_an_expression(dtype):
    def f(x, y):
        for _ in tf.range(2):
            x, y = tf.where(x > y, x, y), tf.where(x > y, y, x + y)
        return x, y

    for x, y in ((1, 2), (3, -2), (0, 0)):
        _, text = same_by_plan(f, dtype(x), dtype(y))
        assert " else " in text and "SelectV2" not in text


def test_choice_between_nan_and_a_number_takes_what_the_condition_says():
    def f(x, y):
        for _ in tf.range(2):
            x = tf.where(x > y, x, y)
        return x

    for x, y in ((np.nan, 1.0), (1.0, np.nan)):
        same_by_plan(f, np.float64(x), np.float64(y))


def test_function_of_math_is_called_as_the_program_calls_it():
    def f(x, n):
        total, small = 0.0, 0
        for i in range(n):
            y = math.sin(x[i]) + math.sqrt(i) + int(x[i] * 3.5)
            if not math.isnan(y):
                total += math.exp(-y)
                small += math.floor(y)
        return total, small

    x = np.linspace(-3.0, 3.0, 9)
    staged = tf.function(f, numpy=True)
    (total, small), expected = staged(x, np.int64(9)), f(x, 9)
    assert (float(total), int(small)) == expected
    text = staged.get_concrete_function(x, np.int64(9)).plan_source
    assert "math.sin(" in text and "PythonFunction" not in text


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda x: math.log(x - 5.0), ValueError),
        (lambda x: math.exp(x * 1000.0), OverflowError),
        (lambda x: int(x * math.inf), OverflowError),
        (lambda x: math.floor(x * math.nan), ValueError),
    ],
)
def test_function_of_math_raises_what_python_raises(call, error):
    def f(x, n):
        total = 0.0
        for _ in range(n):
            total += call(x)
        return total

    with pytest.raises(error) as raised:
        tf.function(f, numpy=True)(np.float64(1.0), np.int64(3))
    with pytest.raises(error) as expected:
        f(np.float64(1.0), 3)
    assert str(raised.value).splitlines()[0] == str(expected.value)


def test_int_that_does_not_fit_names_the_function():
    def f(x, n):
        total = 0
        for _ in range(n):
            total += int(x)
        return total

    with pytest.raises(tf.errors.InvalidArgumentError, match=r"int\(1e\+30\) is 10000"):
        tf.function(f, numpy=True)(np.float64(1e30), np.int64(3))


EDGES = [0.0, -0.0, 1.5, -2.0, 5e-324, 1e308, np.inf, -np.inf, np.nan]


def arithmetic(x, y):
    results = [x] * 9
    for i in tf.range(2):
        z = x + tf.cast(i, tf.float64)
        results = [z + y, z - y, z * y, z / y, -z, tf.abs(z) + tf.square(y), tf.where(z < y, z, y)]
        results += [tf.sqrt(z), tf.pow(z, 2.0)]
        x = z / 2.0 + 0.0 / y
    return [*results, x]


def comparisons(x, y):
    found = [x < y] * 6
    for i in tf.range(2):
        z = x * tf.cast(i, tf.float64)
        found = [z < y, z <= y, z > y, z >= y, tf.equal(z, y), tf.not_equal(z, y)]
    return found


@pytest.mark.parametrize("x", EDGES)
@pytest.mark.parametrize("function", [arithmetic, comparisons])
def test_float64_scalars_are_floats_of_python(function, x):
    for y in EDGES:
        results, text = same_by_plan(function, np.float64(x), np.float64(y))
        specs = [tf.TensorSpec([], tf.float64)] * 2
        graph = tf.function(function).get_concrete_function(*specs).graph
        wanted = interpreter.executable(graph)(np.float64(x), np.float64(y))
        for one, two in zip(wanted, results, strict=True):
            assert isinstance(two, np.float64 | np.bool)
            assert np.isnan(one) or np.signbit(one) == np.signbit(two)
    rounds = text.partition("for ")[2].partition("return")[0]
    assert rounds.count("np.") == (function is arithmetic)  # the root of a negative number
    assert "(float64(" not in rounds.replace("float(float64(", "").replace("np.sqrt(float64(", "")


@pytest.mark.parametrize("constant", [np.nan, np.inf, -np.inf])
def test_constants_that_are_no_literals_have_a_name(constant):
    def f(x):
        for i in tf.range(3):
            x = tf.where(x > 4.0, tf.constant(constant, tf.float64), x + tf.cast(i, tf.float64))
        return x

    for x in (1.0, 3.0, 5.0):
        same_by_plan(f, np.float64(x))


def test_quotient_of_pythons_numbers_by_zero_is_an_error():
    @tf.function(numpy=True)
    def f(x, n):
        total = 0.0
        for i in range(n):
            total += 1.0 / (float(x) - i)
        return total

    assert float(f(np.float64(5.5), np.int64(3))) == 1 / 5.5 + 1 / 4.5 + 1 / 3.5
    with pytest.raises(ZeroDivisionError):
        f(np.float64(2.0), np.int64(3))


def test_float64_scalars_are_operands_of_arrays_and_kernels():
    def f(x, y):
        for _ in tf.range(2):
            y = y * 0.5 + 1.0
            x = x * y + tf.exp(y) + tf.maximum(x, y)
        return x, tf.stack([y, y + 1.0]), tf.cast(y, tf.float32), tf.cast(y, tf.int32)

    same_by_plan(f, np.linspace(-1.0, 1.0, 5), np.float64(3.0))


def test_casts_between_floating_scalars():
    def f(x, y):
        for _ in tf.range(2):
            x, y = tf.cast(y, tf.float64) / 3.0, tf.cast(x, tf.float32) * 0.1
        return x, y

    for x, y in itertools.product([0.0, -0.0, 1e300, 1e-50, np.nan, np.inf, 0.1], repeat=2):
        with np.errstate(over="ignore"):
            same_by_plan(f, np.float64(x), np.float32(y))


POWERS = [2.0, 3.0, 0.5, -1.0, 0.0, 2.5, 1e9, np.inf, np.nan]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("x", [*EDGES, 1e200, -1e154, 0.7, -0.7])
def test_powers_of_pythons_numbers_are_errors_where_they_are_not_finite(x):
    @tf.function(numpy=True)
    def f(x, y, n):
        total = 0.0
        for _ in range(n):
            total += float(x) ** 2 + float(x) ** float(y)
        return total

    for y in POWERS:
        try:
            wanted = x**2 + x**y
            fits = not isinstance(wanted, complex)
        except ArithmeticError:
            fits = False
        if fits:
            np.testing.assert_array_equal(f(np.float64(x), np.float64(y), np.int64(1)), wanted)
        else:
            with pytest.raises((tf.errors.InvalidArgumentError, ZeroDivisionError)):
                f(np.float64(x), np.float64(y), np.int64(1))


def test_powers_of_scalars_are_those_of_numpys_scalars():
    def f(x, y):
        z = x
        for _ in tf.range(2):
            z = tf.pow(x, y) + tf.pow(x, 2.0)
        return z

    rng = np.random.default_rng(5)
    drawn = [(x, 2.0) for x in rng.normal(size=2000)]
    concrete = tf.function(f).get_concrete_function(*[tf.TensorSpec([], tf.float64)] * 2)
    run = plan.executable(concrete.optimized_graph)
    with np.errstate(all="ignore"):
        for x, y in [*itertools.product(EDGES, POWERS), *drawn]:
            (found,) = run(np.float64(x), np.float64(y))
            np.testing.assert_array_equal(
                found, np.float64(x) ** np.float64(y) + np.float64(x) ** 2.0
            )


def complex_arithmetic(x, y):
    results, size = [x] * 6, tf.abs(x)
    for _ in tf.range(2):
        results = [x + y, x - y, x * y, x / y, -x, tf.math.conj(x)]
        size = tf.abs(x) + tf.math.real(x) - tf.math.imag(y)
        x = tf.where(tf.equal(x, y), y * y, x * y + x + tf.complex(size, size))
    return [*results, size, x, tf.cast(size, tf.complex128)]


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("function", [complex_arithmetic])
def test_complex_scalars_round_as_those_of_numpy(function, dtype):
    rng = np.random.default_rng(4)
    edges = [
        complex(*pair) for pair in itertools.product([0.0, -0.0, 1.5, np.inf, np.nan], repeat=2)
    ]
    drawn = [complex(*rng.normal(size=2)) for _ in range(25)]
    kind = np.dtype(dtype).type
    staged = tf.function(function)
    for x, y in [*itertools.product(edges[::3], edges), *zip(drawn, drawn[::-1], strict=True)]:
        _, text = same_by_plan(staged, kind(x), kind(y))
    assert dtype == "complex64" or "np." not in text.partition("for ")[2]
    parts = tf.function(lambda x, y: [x * y, x / y, tf.abs(x)])
    with np.errstate(all="ignore"):
        for x, y in itertools.pairwise(drawn):
            found = parts(tf.constant(kind(x)), tf.constant(kind(y)))
            assert [each.numpy() for each in found] == [
                kind(x) * kind(y),
                kind(x) / kind(y),
                abs(kind(x)),
            ]


def test_a_complex_number_of_a_numpy_program_is_that_of_python():
    def escape(width, most):
        counts = np.zeros((width, width), np.int64)
        for row in range(width):
            for column in range(width):
                c = complex(-2 + 3 * column / width, -1.5 + 3 * row / width)
                z, count = 0j, 0
                while abs(z) <= 2 and count < most:
                    z = z * z + c
                    count += 1
                counts[row, column] = count
        return counts

    staged = tf.function(escape, numpy=True)
    assert np.array_equal(staged(12, 300), escape(12, 300))


def shifted(x):
    for _ in tf.range(3):
        left, right = tf.bitwise.left_shift(x, 3), tf.bitwise.right_shift(x, 1)
        x = tf.bitwise.bitwise_xor(left, right)
    return x


def limited_shifts(x):
    for _ in tf.range(3):
        left, right = tf.bitwise.left_shift(x, -1), tf.bitwise.right_shift(x, 70)
        x = tf.bitwise.bitwise_xor(left, right)
    return x


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("number", [0, 5, -7, 2**31 - 1, -(2**31)])
def test_shifts_by_known_places_are_operators_of_python(dtype, number):
    _, text = same_by_plan(shifted, dtype(number))
    assert "Shift(" not in text
    _, text = same_by_plan(limited_shifts, dtype(number))
    assert "Shift(" not in text


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
@pytest.mark.parametrize("number", [1, -7, 2**31 - 1])
def test_shifts_by_computed_places_are_operators_of_python(dtype, number):
    def f(x, places):
        total = x
        for k in tf.range(-2, 70):
            by = tf.cast(k, x.dtype) + places
            total = total ^ tf.bitwise.left_shift(x, by) ^ tf.bitwise.right_shift(x, by)
        return total

    _, text = same_by_plan(f, dtype(number), dtype(0))
    assert "Shift(" not in text


@pytest.mark.parametrize("places", [-1, 0, 7, 8, 15, 16, 31])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32"])
def test_shifts_of_small_integers_by_known_places(dtype, places):
    def f(x):
        total = x
        for _ in tf.range(2):
            total ^= tf.bitwise.left_shift(x, places) ^ tf.bitwise.right_shift(x, places)
        return total ^ x

    places = np.dtype(dtype).type(places % 2**7 if dtype == "uint16" else places)
    for number in (1, 5, 100, np.iinfo(dtype).min, np.iinfo(dtype).max):
        same_by_plan(f, np.dtype(dtype).type(number))


@pytest.mark.parametrize("number", [1, -3, 2**60])
def test_shifts_of_pythons_numbers_raise_where_they_do_not_fit(number):
    def f(x):
        for _ in range(2):
            x = (x << 1) ^ (x >> 2)
        return x

    def staged(x):
        for _ in tf.range(2):
            x = (x << 1) ^ (x >> 2)
        return x

    concrete = tf.function(staged, numpy=True).get_concrete_function(np.int64(number))
    assert "Shift(" not in concrete.plan_source.partition("for ")[2]
    assert int(tf.function(staged, numpy=True)(np.int64(number))) == f(number)


def test_shift_of_pythons_number_that_does_not_fit_is_an_error():
    def staged(n):
        x = 1
        while n > 0:
            x = x << 1
            n -= 1
        return x

    function = tf.function(staged, numpy=True)
    assert int(function(np.int64(62))) == 1 << 62
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int64"):
        function(np.int64(63))


@pytest.mark.parametrize(
    ("x", "places", "error"),
    [
        (0, 2**62, None),
        (5, 59, None),
        (5, 60, (tf.errors.InvalidArgumentError, r"does not fit into int64\. Where .* `x \* 2\.0")),
        (1, 100, (tf.errors.InvalidArgumentError, "does not fit into int64")),
        (1, -1, (ValueError, "negative shift count")),
    ],
)
def test_shifts_of_pythons_numbers_by_computed_places(x, places, error):
    def staged(x, places):
        number, last = int(x), 0
        for k in range(places, places + 2):
            last = (number << k) >> (k // 2)
        return last

    function = tf.function(staged, numpy=True)
    arguments = np.int64(x), np.int64(places)
    assert "Shift(" not in function.get_concrete_function(*arguments).plan_source
    if error is None:
        assert int(function(*arguments)) == staged(x, places)
    else:
        with pytest.raises(error[0], match=error[1]):
            function(*arguments)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "uint64"])
def test_integers_of_all_sizes_are_ints_of_python(dtype):
    info = np.iinfo(dtype)
    targets = ("int8", "uint8", "int32", "uint64", "float16", "float32", "float64", "bool")

    def f(x, y):
        z, results = x, [x] * 13
        for _ in tf.range(2):
            results = [z + y, z - y, z * y, z // 3, z % 3, z & y, z | y, z ^ y, ~z]
            results += [tf.bitwise.left_shift(z, y), tf.bitwise.right_shift(z, y)]
            results += [tf.maximum(z, y), tf.where(z < y, z, y)]
            z = z * y + z - y * z * z
        return [*results, *(tf.cast(z, target) for target in targets)]

    concrete = tf.function(f).get_concrete_function(*[tf.TensorSpec([], dtype)] * 2)
    wanted, got = interpreter.executable(concrete.graph), plan.executable(concrete.optimized_graph)
    edges = [info.min, info.max, 0, 1, 2, 5, info.max // 2, info.min // 2]
    for pair in itertools.product(map(np.dtype(dtype).type, edges), repeat=2):
        for one, two in zip(wanted(*pair), got(*pair), strict=True):
            assert np.asarray(one).dtype == np.asarray(two).dtype
            np.testing.assert_array_equal(one, two)
    rounds = concrete.plan_source.partition("for ")[2].partition("cast")[0]
    assert f"{dtype}(" not in rounds


@pytest.mark.parametrize(
    ("function", "numbers", "message"),
    [
        (lambda x, y: (x >> y) | 3, (5, -1), "negative shift count"),
        (
            lambda x, y: tf.constant(2.0, tf.float64) * math.log(x - y),
            (1, 1),
            "domain|positive",
        ),
    ],
    ids=["shift", "logarithm"],
)
def test_an_operand_that_may_raise_has_a_line_of_its_own(function, numbers, message):
    concrete = tf.function(function).get_concrete_function(*[tf.TensorSpec([], tf.int64)] * 2)
    for run in (interpreter.executable(concrete.graph), plan.executable(concrete.optimized_graph)):
        with pytest.raises(ValueError, match=message):
            run(*np.int64(numbers))


@pytest.mark.parametrize("divisor", [math.inf, -math.inf, math.nan, 0.5])
def test_remainders_by_constants_that_are_no_integers(divisor):
    same_by_plan(lambda x: (x % divisor + 1.0, (x // divisor) * 2.0), np.float64(-3.5))
