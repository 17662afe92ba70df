# ruff: noqa: B007, E711, SIM108, SIM113, SIM114 - the programs are as people write them
"""Variables that are None until a branch or an iteration gives them a value."""

import numpy as np
import pytest

import autograph
import runtime as tf


def running_minimum(xs):
    low = None
    for x in xs:
        if low is None or x < low:
            low = x
    return -1.0 if low is None else low


def running_maximum(xs):
    best = None
    for x in xs:
        if best is None:
            best = x
        elif x > best:
            best = x
    if best is not None:
        return best * 2.0
    return 0.0


def sum_of_differences(xs):
    prev = None
    total = 0.0
    for x in xs:
        if prev is not None:
            total += abs(x - prev)
        prev = x
    return total


def first_match(xs):
    found = None
    for x in xs:
        if found is None and x > 1.0:
            found = x
    return 100.0 if found is None else found + 1.0


def first_match_by_break(xs):
    found = None
    for x in xs:
        if x > 1.0:
            found = x
            break
    if found is None:
        return 100.0
    return found + 1.0


def none_again(xs):
    last = None
    count = 0
    for x in xs:
        if last is None:
            last = x
            count += 1
        else:
            last = None
    return count, 0.0 if last is None else last


def pair_of_value_and_index(xs):
    best = None
    i = 0
    for x in xs:
        if best is None or x > best[0]:
            best = (x, i)
        i += 1
    if best is None:
        return -1.0, -1
    return best


def compared_by_equality(xs):
    last = None
    total = 0.0
    for x in xs:
        if last != None and x > 0.0:
            total += last
        last = x
    return total if last == None else total + last


def branch_of_none(xs):
    y = None
    if xs[0] > 0.0:
        y = xs[0]
    return 7.0 if y is None else y


def none_in_the_else(xs):
    if xs[0] > 0.0:
        y = xs[0] * 2.0
    else:
        y = None
    z = 1.0
    if y is not None:
        z = y
    return z


def python_numbers(xs):
    n = None
    for x in xs:
        if n is None:
            n = 1
        else:
            n += 1
    return 0 if n is None else n


def conditional_expression(xs):
    last = None
    total = 0.0
    for x in xs:
        total += 1.0 if last is None else last
        last = x
    return total


def in_a_while(xs):
    i = 0
    low = None
    while i < len(xs):
        if low is None or xs[i] < low:
            low = xs[i]
        i += 1
    return 0.0 if low is None else low


def negated(xs):
    last = None
    total = 0.0
    for x in xs:
        if not last is None:  # noqa: E714
            total += last * x
        last = x
    return total


def two_of_them(xs):
    low = None
    high = None
    for x in xs:
        if low is None or x < low:
            low = x
        if high is None or x > high:
            high = x
    return 0.0 if low is None or high is None else high - low


def assigned_before_each_read(xs):
    tmp = None
    total = 0.0
    for x in xs:
        tmp = x * 2.0
        total += tmp
    return total


def nested_loops(xs):
    total = 0.0
    for x in xs:
        low = None
        for y in xs:
            if y > x and (low is None or y < low):
                low = y
        if low is not None:
            total += low - x
    return total


def larger(best, x):
    return x if best is None or x > best else best


def passed_to_a_function_in_each_iteration(xs):
    best = None
    for x in xs:
        best = larger(best, x)
    return -1.0 if best is None else best


def last_two(xs):
    last = before = None
    for x in xs:
        before, last = last, x
    if last is None or before is None:
        return 0.0
    return last - before


SAME = [
    passed_to_a_function_in_each_iteration, last_two,
    running_minimum, running_maximum, sum_of_differences, first_match, first_match_by_break,
    none_again, pair_of_value_and_index, compared_by_equality, branch_of_none, none_in_the_else,
    python_numbers, conditional_expression, in_a_while, negated, two_of_them,
    assigned_before_each_read, nested_loops,
]  # fmt: skip

ARRAYS = [[7.0, 3.0, 9.0], [-3.0, -9.0, -4.0], [5.0, 6.0, 8.0], [2.0], [-1.0], []]


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("array", ARRAYS, ids=str)
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_same_as_python(program, array):
    if not array and program in (branch_of_none, none_in_the_else):
        pytest.skip("reads the first element")
    spec = tf.TensorSpec([None], tf.float32)
    staged = tf.function(program, input_signature=[spec])
    expected = plain(program(array))
    assert plain(staged(tf.constant(array, tf.float32))) == expected
    assert plain(autograph.to_graph(program)(array)) == expected


def used_without_a_test(xs):
    low = None
    for x in xs:
        if x > 0.0:
            low = x
    return low + 1.0


def used_in_the_loop_without_a_test(xs):
    last = None
    total = 0.0
    for x in xs:
        total += last
        last = x
    return total


def passed_to_a_function(xs):
    low = None
    for x in xs:
        if x > 0.0:
            low = x
    return is_it_none(low)


def is_it_none(value):
    return 1 if value is None else 2


def stored_in_a_list(xs):
    low = None
    for x in xs:
        if x > 0.0:
            low = x
    kept = [low]
    return 1 if kept[0] is None else 2


def copied_to_another_name(xs):
    low = None
    for x in xs:
        if x > 0.0:
            low = x
    other = low
    return 1 if other is None else 2


def returned(xs):
    low = None
    for x in xs:
        if x > 0.0:
            low = x
    return low


@pytest.mark.parametrize("program", [used_without_a_test, used_in_the_loop_without_a_test])
def test_none_that_is_used_raises_when_it_runs(program):
    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float32)])
    with pytest.raises((TypeError, ValueError), match="None"):
        staged(tf.constant([-1.0]))


PASSED_ON = [passed_to_a_function, stored_in_a_list, copied_to_another_name, returned]


@pytest.mark.parametrize("program", [used_without_a_test, *PASSED_ON])
def test_a_value_that_is_there_is_used(program):
    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert plain(staged(tf.constant([-1.0, 4.0]))) == plain(program([-1.0, 4.0]))


@pytest.mark.parametrize("program", PASSED_ON)
def test_none_that_is_passed_on_is_still_none(program):
    staged = tf.function(program, input_signature=[tf.TensorSpec([None], tf.float32)])
    assert staged(tf.constant([-1.0])) == program([-1.0])


def attribute(x):
    class Holder:
        value = None

    holder = Holder()
    if x > 0:
        holder.value = x
    return 1 if holder.value is None else 2


def none_from_a_call(x):
    y = nothing()
    if x > 0:
        y = x
    return 1 if y is None else 2


def nothing():
    return None


def inner_function_reads_it(x):
    y = None
    if x > 0:
        y = x

    def test():
        return y is None

    return 1 if test() else 2


@pytest.mark.parametrize("program", [attribute, inner_function_reads_it, none_from_a_call])
@pytest.mark.parametrize("x", [0, 1])
def test_none_in_an_attribute_a_closure_or_a_result_can_be_tested(program, x):
    assert tf.function(program)(tf.constant(x)) == program(x)


def positive(x):
    if x > 0:
        return x
    return None


def test_a_function_returns_none_or_a_tensor_as_its_run_decides():
    function = tf.function(positive)
    assert function(tf.constant(3)) == 3
    assert function(tf.constant(-3)) is None


def test_a_result_that_nothing_tests_for_none_is_used_where_it_is_a_value():
    function = tf.function(lambda x: positive(x) + 1)
    assert function(tf.constant(3)) == 4
    with pytest.raises(TypeError, match="is None here"):
        function(tf.constant(-3))
