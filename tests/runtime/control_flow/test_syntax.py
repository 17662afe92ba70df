"""Ordinary statements with tensor operands: the same result as plain Python."""

import pytest

import autograph
import runtime as tf

PAIRS = [(0, 0), (0, 1), (1, 0), (1, 2), (2, 1), (3, 3), (-1, 1), (1, -1), (5, 2)]


def match_of_literals(a, b):
    match (a, b):
        case (0, 0):
            result = 1
        case (0, _):
            result = 2
        case (_, 0):
            result = 3
        case _:
            result = 4
    return result


def match_with_captures(a, b):
    match a, b:
        case 0, y:
            result = y
        case [x, 0]:
            result = x * 10
        case x, y:
            result = x + y
    return result


def match_with_guards(a, b):
    match (a, b):
        case (x, y) if x > y:
            result = x - y
        case (x, y) if x == y:
            result = 100
        case (x, y):
            result = y - x
    return result


def match_with_guard_after_test_and_capture(a, b):
    y = -7
    match (a, b):
        case (0 as x, y) if y > 0:
            result = x + y
        case (1 | 2 as x, _) if x > y:
            result = x * y
        case pair:
            result = pair[0] - pair[1]
    return result * 10 + y


def match_of_alternatives(a, b):
    match (a, b):
        case (0, 1) | (1, 0):
            result = 1
        case (0 | 1, 2 | 3):
            result = 2
        case _:
            result = 0
    return result


def match_that_swaps_its_subject(a, b):
    match (a, b):
        case (0, a):
            pass
        case (b, a) if a > b:
            a = a + 1
    return a * 100 + b


def match_with_rest(a, b):
    match (a, b):
        case (0, *rest):
            result = rest[0]
        case (*rest, 0):
            result = rest[0] * 2
        case _:
            result = -1
    return result


def match_of_nested_displays(a, b):
    match [a, (b, a + 1)]:
        case [0, (y, _)]:
            result = y
        case [x, (0, z)]:
            result = x + z
        case [x, (y, z)]:
            result = x * y * z
    return result


def match_that_returns(a, b):
    match (a, b):
        case (0, y):
            return y
        case (x, 0):
            return x
    return a + b


def match_in_a_loop(a, b):
    total = a * 0
    for i in tf.range(3):
        match (a, i):
            case (0, 1):
                total += b
            case (0, i):
                total += i * 10
            case (x, _):
                total += x
    return total


def raise_in_both_branches(a, b):
    if a > 0:
        raise ValueError(a)
    else:
        raise KeyError(b)


def raise_in_each_arm(a, b):
    if a > 2:
        raise ValueError(a)
    elif a > 0:
        raise KeyError(b)
    else:
        raise IndexError(b)


def raise_behind_a_branch_that_raises(a, b):
    if a > 0:
        raise ValueError(a)
    raise KeyError(b)


def raise_behind_a_branch_that_returns(a, b):
    if a > 0:
        return b
    raise KeyError(b)


def raise_behind_an_assertion(a, b):
    assert a > 0
    raise KeyError(b)


def raise_in_both_branches_of_a_called_function(a, b):
    def stop(x):
        if x > 0:
            raise ValueError(x)
        else:
            raise KeyError(x)

    if b > 0:
        stop(a)
    return a


def raise_in_both_branches_caught_outside(a, b):
    try:
        if a > 0:
            raise_in_both_branches(a, b)
    finally:
        b = b + 1
    return b


def raise_in_each_iteration(a, b):
    for i in tf.range(a):
        raise ValueError(i)
    return b


def raise_at_the_end_of_each_iteration(a, b):
    total = b
    for i in tf.range(a):
        total = total + i
        raise ValueError(total)
    return total


def raise_in_each_iteration_of_a_while(a, b):
    while a > b:
        a -= 1
        raise ValueError(a)
    return a


def raise_one_of_two_errors_in_each_iteration(a, b):
    for i in tf.range(a):
        if i + b > 1:
            raise ValueError(i)
        else:
            raise KeyError(i)
    return b


def raise_in_an_inner_loop(a, b):
    total = b
    for i in tf.range(3):
        total += i
        for _ in tf.range(a - b):
            raise ValueError(total)
    return total


SAME = [
    raise_in_both_branches,
    raise_in_each_arm,
    raise_behind_a_branch_that_raises,
    raise_behind_a_branch_that_returns,
    raise_in_both_branches_of_a_called_function,
    raise_in_both_branches_caught_outside,
    raise_in_each_iteration,
    raise_at_the_end_of_each_iteration,
    raise_in_each_iteration_of_a_while,
    raise_one_of_two_errors_in_each_iteration,
    raise_in_an_inner_loop,
    match_of_literals,
    match_with_captures,
    match_with_guards,
    match_with_guard_after_test_and_capture,
    match_of_alternatives,
    match_that_swaps_its_subject,
    match_with_rest,
    match_of_nested_displays,
    match_that_returns,
    match_in_a_loop,
]


def outcome(function, *args):
    """What a call gives: a number, or the type of its error."""
    try:
        result = function(*args)
    except Exception as error:
        return type(error)
    return int(result)


@pytest.mark.parametrize("convert", [tf.function, autograph.to_graph])
@pytest.mark.parametrize("program", SAME, ids=lambda each: each.__name__)
def test_agrees_with_plain_python(program, convert):
    converted = convert(program)
    for pair in PAIRS:
        expected = outcome(program, *map(tf.constant, pair))
        assert outcome(converted, *map(tf.constant, pair)) == expected, pair


def test_error_behind_an_assertion_is_raised_where_the_assertion_holds():
    staged = tf.function(raise_behind_an_assertion)
    one = tf.constant(1)
    with pytest.raises(tf.errors.InvalidArgumentError):
        staged(tf.constant(0), one)
    with pytest.raises(KeyError):
        staged(one, one)


def test_error_without_another_before_it_is_raised_while_tracing():
    @tf.function
    def program(x):
        raise KeyError(x)

    with pytest.raises(KeyError):
        program.get_concrete_function(tf.constant(1))


def copied_and_not_used(x):
    if x > 0:
        y = x
    z = y  # noqa: F841
    return x


def loop_variable_that_only_stands_there(x):
    for i in range(x):  # noqa: B007
        pass
    i  # noqa: B018
    return x


@pytest.mark.parametrize("program", [copied_and_not_used, loop_variable_that_only_stands_there])
def test_reading_a_variable_without_a_value_raises_though_nobody_uses_it(program):
    staged = tf.function(program)
    assert int(staged(tf.constant(2))) == 2
    with pytest.raises(UnboundLocalError):
        staged(tf.constant(0))
