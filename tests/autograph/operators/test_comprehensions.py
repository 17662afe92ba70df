"""Comprehensions of several loops, or several tests, of which a tensor decides the last."""

import pytest

import runtime as tf
from autograph.operators.comprehensions import gen_exp
from tests.runtime.control_flow.agreement import check

CALLED = []


def noted(n):
    CALLED.append(n)
    return range(n)


def total(x):
    return sum(i * j for i in range(3) for j in range(3) if i * j > x)


def total_from_a_start(x):
    return sum((i for i in range(3) for _ in range(2) if i > x), 10)


def several_tests(x):
    return [i for i in range(5) if i > x if i < 4 or i == x]


def python_decides_first(x):
    return [i + x for i in range(6) if i % 2 if i > x]


def list_of_pairs(x):
    return [(i, j) for i in range(3) for j in range(i) if i + j > x]


def early_test_of_python(x):
    return sum(i + j for i in range(4) if i % 2 for j in range(i) if j != x)


def question(x):
    return 1 if any(i + j == x for i in range(3) for j in range(3)) else 0


def question_of_all(x):
    return 1 if all(i + j > x for i in range(3) if i for j in range(3)) else 0


def largest(x):
    return max(i - j for i in range(3) for j in range(3) if i - j < x)


def unpacked(x):
    return sum(a * b * c for a, b in [(1, 2), (3, 4)] for c in (5, 6) if a * c > x)


def largest_or(x):
    return max((i for i in range(6) if i > x), default=-float("inf"))


def nearest(x):
    return min((i for i in range(9) if i % 2 == 0), key=lambda i: abs(i - x))


def nearest_of_some(x):
    return min((i for i in range(9) if i > x), key=lambda i: abs(i - 2 * x), default=x)


def in_order(x):
    return sorted((abs(i - x) for i in range(4) if i != x), reverse=True)


def as_list(x):
    return len(list((i, j) for i in range(3) for j in range(3) if i + j > x))  # noqa: C400


def walrus_stays(x):
    return [last := i for i in range(2) for _ in range(2)] + [last + x]


@pytest.mark.parametrize(
    "program",
    [
        total,
        total_from_a_start,
        several_tests,
        python_decides_first,
        list_of_pairs,
        early_test_of_python,
        question,
        question_of_all,
        largest,
        largest_or,
        nearest,
        nearest_of_some,
        in_order,
        as_list,
        unpacked,
        walrus_stays,
    ],
    ids=lambda each: each.__name__,
)
def test_the_last_tests_may_be_staged(program):
    check(program, (1,), (2,), (7,))


def test_inner_iterables_are_asked_for_as_often_as_in_python():
    @tf.function
    def program(x):
        return [i + j for i in range(3) for j in noted(i) if i + j > x]

    CALLED.clear()
    program(tf.constant(0))
    assert CALLED == [0, 1, 2]


def test_an_early_test_that_a_tensor_decides_is_refused_at_its_line():
    def program(x):
        return sum(j for i in range(3) if i > x for j in range(i) if j > x)

    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError) as caught:
        tf.function(program)(tf.constant(1))
    assert any(str(entry.path) == __file__ for entry in caught.traceback[1:])


def any_of(it):
    return any(next(it) > 5 for _ in range(4))


def sum_of(it):
    return sum(next(it) for _ in range(4))


def largest_of(it):
    return max(next(it) for _ in range(4))


def first_of(it):
    return next((next(it) for _ in range(4) if next(it) > 9), 3)


def in_order_of(it):
    return sorted(next(it) for _ in range(4))


def largest_by_key(it):
    return max((next(it) for _ in range(4) if next(it)), key=abs)


@pytest.mark.parametrize(
    "function", [any_of, sum_of, largest_of, first_of, in_order_of, largest_by_key]
)
def test_stop_iteration_in_a_generator_expression_is_a_runtime_error(function):
    converted = tf.autograph.to_graph(function)
    for each in (function, converted):
        with pytest.raises(RuntimeError, match="generator raised StopIteration"):
            each(iter([1, 2, 3]))


def first_above(x, v):
    return next(e for e in v if e > x)


@pytest.mark.parametrize("v", [[1, 2, 3], tf.constant([1, 2, 3])], ids=["list", "tensor"])
def test_the_first_item_without_a_default(v):
    f = tf.function(first_above)
    assert f(tf.constant(1), v).numpy() == 2
    with pytest.raises(StopIteration) as stopped:
        f(tf.constant(3), v)
    assert "in first_above" in stopped.value.__notes__[0]


@pytest.mark.parametrize("function", [min, max])
def test_elements_are_compared_before_the_next_one_is_computed(function):
    computed = []

    def element(x):
        computed.append(x)
        return x

    with pytest.raises(TypeError, match="not supported between instances of 'str' and 'int'"):
        gen_exp(function, [1, "a", 3], element)
    assert computed == [1, "a"]


def test_keys_are_computed_before_the_next_element():
    computed = []

    def noted(name, x):
        computed.append((name, x))
        return x

    def largest(xs):
        return max((noted("element", x) for x in xs if x), key=lambda x: noted("key", x))

    def seen(function):
        computed.clear()
        return function([1, 0, 3]), list(computed)

    assert seen(tf.autograph.to_graph(largest)) == seen(largest)
    assert [name for name, _ in computed] == ["element", "key"] * 2


def test_an_option_is_computed_before_the_elements():
    computed = []

    def noted(x):
        computed.append(x)
        return x

    def largest(xs):
        return max((noted(x) for x in xs if x), default=noted("default"))

    tf.autograph.to_graph(largest)([1, 2])
    assert computed == ["default", 1, 2]
