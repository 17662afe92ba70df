# ruff: noqa: C416, RUF017 - the programs are as people write them
"""Built-in functions and `math` on tensors give what plain Python gives for the numbers."""

import math

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import agrees, value

OF_A_NUMBER = {
    "largest": lambda x: max(x, 2),
    "largest of a list": lambda x: max([1, x, 3]),
    "largest by a key": lambda x: max([1, x, -4], key=abs),
    "largest by a distance": lambda x: max([1, 2, 3, 9], key=lambda v: -abs(v - x)),
    "largest of arguments by a key": lambda x: max(x, 1, key=lambda v: -v),
    "smallest": lambda x: min(x, 2, -1),
    "smallest by a key": lambda x: min([1, 5, x], key=lambda v: abs(v - 4)),
    "largest of equal ones": lambda x: max([(2, "a"), (x, "b")], key=lambda p: abs(p[0]))[0],
    "sorted": lambda x: sorted([3, x, 1]),
    "sorted down": lambda x: sorted([3, x, 1], reverse=True),
    "sorted by a key": lambda x: sorted([3, 1, 2, 9], key=lambda v: abs(v - x)),
    "sorted keeps the order of equal keys": lambda x: sorted([3, -3, 1, x], key=abs),
    "sorted pairs by a key": lambda x: sorted([(x, 1), (2, 2), (0, 3)], key=lambda p: p[0]),
    "index": lambda x: [5, abs(x), 7].index(abs(x)),
    "count": lambda x: [1, x, 3, x].count(x),
    "tuple count": lambda x: (1, 3, 3).count(x),
    "divmod": lambda x: divmod(x, 3),
    "divmod from the right": lambda x: divmod(17, x),
    "power": lambda x: pow(x, 2),
    "round": lambda x: (round(x / 4), round(x / 3, 2)),
    "abs": lambda x: abs(x),
    "int and float": lambda x: (int(x / 2), float(x), int(-x / 2)),
    "complex": lambda x: (complex(x, 2), complex(x), complex(1.5, x / 2), complex(imag=x)),
    "bool counts": lambda x: bool(x) + 1,
    "bools count": lambda x: bool(x) + bool(x - 3),
    "any and all": lambda x: (any([x > 2, x < 0]), all([x > 2, x < 9])),
    "sum": lambda x: sum([x, 1, x]),
    "sum from a start": lambda x: sum([x, 1], x),
    "contained": lambda x: (x in [1, 3], x in (5,), x not in [3]),
    "first of some": lambda x: next((v for v in [1, 2, 5] if v > x), 9),
    "sum of some": lambda x: sum((v for v in [1, 2, 5] if v > x), x),
    "sum of lists": lambda x: sum(([v, x] for v in [1, 2]), []),
    "filtered": lambda x: list(filter(lambda v: v < x, [1, 2, 5])),
    "zipped": lambda x: [a * b for a, b in zip([x, 2], [3, x], strict=True)],
    "reversed": lambda x: [v for v in reversed([x, 1])],
    "mapped": lambda x: list(map(abs, [x, -1])),
    "nearest integers": lambda x: (math.floor(x / 2), math.ceil(x / 2), math.trunc(x / 2)),
    "roots": lambda x: (math.sqrt(abs(x)), math.hypot(x, 4), math.isqrt(abs(x))),
    "logarithms": lambda x: (math.log(abs(x)), math.log(abs(x), 2), math.exp(x / 8)),
    "trigonometry": lambda x: (math.sin(x), math.atan2(x, 2), math.degrees(x)),
    "integers": lambda x: (math.gcd(x, 12), math.factorial(abs(x)), math.comb(9, abs(x))),
    "parts of numbers": lambda x: (math.modf(x / 4), math.frexp(x / 4), math.frexp(0 * x)),
    "numbers of lists": lambda x: (math.fsum([x, 0.1, 0.1]), math.dist([x, 0.5], (2, x))),
    "tests": lambda x: (math.isnan(x), math.isfinite(x), math.isclose(x, 3.0, rel_tol=0.01)),
}


@pytest.mark.parametrize("x", [3, -5])
@pytest.mark.parametrize("name", OF_A_NUMBER)
def test_a_function_of_an_integer_agrees_with_python(name, x):
    agrees(OF_A_NUMBER[name], x)


@pytest.mark.parametrize("name", OF_A_NUMBER)
def test_converted_code_computes_python_numbers_as_python_does(name):
    assert autograph.to_graph(OF_A_NUMBER[name])(3) == OF_A_NUMBER[name](3)


@pytest.mark.parametrize("x", [2, -2])
@pytest.mark.parametrize("name", [name for name in OF_A_NUMBER if name != "index"])
def test_in_a_branch_it_agrees_too(name, x):
    program = OF_A_NUMBER[name]

    def f(x):
        result = (0, program(3))
        if x > 0:
            result = (1, program(3))
        return result

    assert value(tf.function(f)(tf.constant(x)))[0] == (1 if x > 0 else 0)


@pytest.mark.parametrize(
    "program",
    [
        lambda xs: max(xs, key=abs),
        lambda xs: min(xs, key=lambda v: (v - 2) * (v - 2)),
        lambda xs: sorted(xs, key=abs),
        lambda xs: sorted(xs, key=lambda v: -v, reverse=True),
        lambda xs: sum(filter(lambda v: v > 0, xs)),
        lambda xs: max(xs, default=7),
        lambda xs: list(filter(lambda v: v > 0, xs)),
        lambda xs: len(list(filter(None, xs))),
        lambda xs: next((v for v in xs if v < 0), 0),
        lambda xs: next((v * 2 for v in xs if v > 100), 7),
        lambda xs: sum((v for v in xs if v > 0), 10),
        lambda xs: sum((v * v for v in xs), 1),
    ],
)
@pytest.mark.parametrize("signature", [None, [tf.TensorSpec([None], tf.int32)]])
def test_functions_over_a_tensor(program, signature):
    traced = tf.function(program, input_signature=signature)
    for values in ([3, -4, 1], [2, 2, -9]):
        assert value(traced(tf.constant(values))) == program(values)


def test_the_sum_of_an_array_of_truth_values_counts_them_as_outside_of_functions():
    program = lambda xs: sum(xs > 0)  # noqa: E731
    for values in ([3, -4, 1], [], [-1]):
        xs = tf.constant(values, tf.int32)
        counted = tf.function(program)(xs)
        assert int(counted) == int(program(xs)) == sum(v > 0 for v in values)
        assert counted.dtype == tf.int32


def test_the_sum_of_an_array_of_numbers_keeps_their_dtype():
    assert tf.function(lambda xs: sum(xs))(tf.constant([1, 2], tf.int8)).dtype == tf.int8


@pytest.mark.parametrize("kind", [int, float])
def test_a_complex_number_has_no_int_or_float(kind):
    @tf.function
    def f(n):
        z = 1 + 2j
        for _ in range(n):
            z = z * 1
        return kind(z)

    with pytest.raises(TypeError, match=f"{kind.__name__}.. argument must be a string.*'complex'"):
        f(tf.constant(2))


@pytest.mark.parametrize("x", [5, -6, 0])
def test_shifts(x):
    agrees(lambda x: (x << 3, x >> 1, 1 << abs(x), 100 >> abs(x)), x)


def test_any_and_all_evaluate_as_much_as_python_does():
    def f(x):
        seen = [0]

        def test(k):
            seen[0] += 1
            return x > k

        return any(test(k) for k in range(4)), seen[0]

    for x in (3, -1, 0):
        agrees(f, x)


# ---- Python floats ----


def test_python_floats_are_doubles_until_they_meet_a_tensor():
    @tf.function
    def f(a, x):
        y = a
        if x > 0:
            y = a * 2
        return y == 0.2, y < 0.2 + 1e-12, y + x

    same, less, total = f(0.1, tf.constant(1.0))
    assert bool(same) and bool(less)
    assert total.dtype == tf.float32


def test_a_python_float_that_is_returned_is_a_float32():
    result = tf.function(lambda a: a * 3)(0.1)
    assert result.dtype == tf.float32
    assert float(result) == pytest.approx(0.1 * 3, rel=1e-7)


def test_a_python_float_carried_through_a_loop_keeps_its_digits():
    @tf.function
    def f(a, n):
        for _ in range(n):
            a = a * 1.1
        return a == 0.1 * 1.1 * 1.1 * 1.1

    assert bool(f(0.1, tf.constant(3)))


def test_ints_of_unsigned_numbers_keep_their_value():
    f = tf.function(lambda x: int(x) // 2)
    assert f(tf.constant(2**32 - 1, tf.uint32)) == 2**31 - 1
    assert f(tf.constant(2**63 - 1, tf.uint64)) == 2**62 - 1
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit into int64"):
        f(tf.constant(2**63, tf.uint64))


@pytest.mark.parametrize("kind", [int, float])
@pytest.mark.parametrize("values", [[1.5], [1.5, 2.5], [[3]]])
def test_number_of_several_numbers_is_refused_in_functions_as_outside(kind, values):
    x = tf.constant(values)
    with pytest.raises(TypeError, match="only 0-dimensional arrays") as outside:
        kind(x)
    with pytest.raises(TypeError, match="only 0-dimensional arrays") as inside:
        tf.function(lambda x: kind(x))(x)
    assert str(outside.value) in str(inside.value)


def test_number_of_a_scalar_and_of_an_unknown_shape():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def unknown(x):
        return int(x)

    assert unknown(tf.constant(2.5)).numpy() == 2
    assert tf.function(lambda x: float(x))(tf.constant(2)).numpy() == 2.0
