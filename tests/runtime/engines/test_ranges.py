"""Ranges of integers: they hold every result, and plans check the others."""

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import runtime as tf
from runtime.engines.ranges import Range, of_operator
from tests.runtime.engines.updates import agree

OPERATORS = {
    "{} + {}": operator.add,
    "{} - {}": operator.sub,
    "{} * {}": operator.mul,
    "{} // {}": operator.floordiv,
    "{} % {}": operator.mod,
    "{} & {}": operator.and_,
    "min({}, {})": min,
    "max({}, {})": max,
}
NUMBERS = st.integers(-20, 20) | st.integers(-(2**63), 2**63 - 1)


@st.composite
def numbers_in_ranges(draw):
    least, number, most = sorted(draw(st.tuples(NUMBERS, NUMBERS, NUMBERS)))
    return number, Range(least, most)


@pytest.mark.parametrize("text", OPERATORS)
@given(one=numbers_in_ranges(), other=numbers_in_ranges())
def test_a_range_holds_the_result_of_the_operator(text, one, other):
    (x, of_x), (y, of_y) = one, other
    values = of_operator(text, of_x, of_y)
    if values is not None:
        assert values.least <= OPERATORS[text](x, y) <= values.most


@given(one=numbers_in_ranges(), other=numbers_in_ranges())
def test_a_range_holds_what_is_chosen_and_what_is_negated(one, other):
    (x, of_x), (y, of_y) = one, other
    values = of_operator("{1} if {0} else {2}", of_x, of_y)
    assert values.least <= min(x, y) <= max(x, y) <= values.most
    for text, function in (("-{}", operator.neg), ("~{}", operator.invert)):
        negated = of_operator(text, of_x)
        assert negated.least <= function(x) <= negated.most


@pytest.mark.parametrize("text", ["{} // {}", "{} % {}"])
def test_nothing_is_known_of_a_division_by_what_may_be_zero(text):
    assert of_operator(text, Range(1, 2), Range(0, 5)) is None
    assert of_operator(text, Range(1, 2), Range(1, 5)) is not None


@pytest.mark.parametrize("text", ["{} << {}", "no operator"])
def test_nothing_is_known_of_other_operators(text):
    assert of_operator(text, Range(1, 2), Range(1, 5)) is None


def neighbors(x):
    total = 0
    for i in tf.range(20):
        total = total ^ x[(i + 1) % 20] ^ x[i - 1] ^ x[(2 * i + 3) // 4]
    return total


def counted_to_the_largest(x):
    total = 0
    for i in tf.range(2**31 - 4, 2**31 - 1):
        total = total ^ (i + 1) ^ x[0]
    return total


def in_a_loop_in_a_branch(x):
    total = 0
    for i in tf.range(5):
        if x[i] > 3:
            for j in tf.range(7):
                total = total ^ (i + j)
    return total


@pytest.mark.parametrize("function", [neighbors, counted_to_the_largest, in_a_loop_in_a_branch])
def test_sums_with_counters_are_not_checked(function):
    _, text = agree(function, np.arange(20, dtype=np.int32))
    assert "wrap(" not in text
    assert "Overflow" not in text


def beyond_the_largest(x):
    total = 0
    for i in tf.range(2**31 - 4, 2**31 - 1):
        total = total ^ (i + 2) ^ x[0]
    return total


def products(x):
    total = 0
    for i in tf.range(46_340, 46_343):
        total = total ^ (i * i) ^ x[0]
    return total


def after_the_loop(x):
    i = tf.constant(0)
    while i < x[19]:
        i += 1
    return i + (2**31 - 20)


@pytest.mark.parametrize("function", [beyond_the_largest, products, after_the_loop])
def test_what_may_not_fit_is_checked(function):
    _, text = agree(function, np.arange(20, dtype=np.int32))
    assert "wrap(" in text
