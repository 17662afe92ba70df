"""Operands of `and` and `or` that assign, have effects or have no common type."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

NUMBERS = [(3,), (1,), (0,), (-3,)]


def assigns_in_and(x):
    y = 0
    if x > 0 and (y := x + 1) > 2:
        return y
    return y - 100


def assigns_in_or(x):
    y = 0
    if x > 0 or (y := x + 1) > -1:
        return y
    return y - 100


def assigns_what_had_no_value(x):
    if x > 0 and (y := x + 1) > 2:
        return y
    return 5


def reads_what_may_have_no_value(x):
    x > 0 and (y := x + 1)
    return y


def assigns_and_reads_in_one_test(x):
    return x > 0 and (y := x * 2) > 2 and y < 8


def assigns_in_both_values_of_a_conditional(x):
    z = 7
    y = (z := x) if x > 0 else (z := x * 2)
    return y, z


def assigns_in_a_chain(x):
    if 0 < x < (y := x + 1) < 4:
        return y
    return -1


def assigns_in_the_test_of_a_while(n):
    total = 0
    while n > 0 and (k := n * 2) > 2:
        total += k
        n -= 1
    return total, n


def assigns_in_an_elif(x):
    if x < 0:
        return 1
    elif x > 1 and (y := x - 2):
        return y
    return 0


def assigns_in_an_inner_branch(x):
    result = 0
    if x > 0:
        result = 1
        if x > 1 and (m := x * 3) > 5:
            result = m
    return result


def assigns_in_a_loop_body(n):
    found = -1
    for i in range(n):
        if i > 0 and (square := i * i) < 3:
            found = square
    return found


def assigns_in_a_guard(x):
    match x:
        case 3 if (y := x + 1) > 2:
            return y
        case _:
            return 0


def appends_by_and(x):
    seen = []
    x > 0 and seen.append(x)
    return seen


def appends_by_or(x):
    seen = []
    x > 0 or x < -1 or seen.append(x)
    return seen


def appends_by_conditional(x):
    seen = []
    seen.append(1) if x > 0 else seen.append(2)
    return seen


def number_and_comparison(n):
    total = 0
    while n and total < 5:
        total += n
        n -= 1
        if n < -2:
            break
    return total, n


def comparison_and_number(x):
    return 1 if x > 2 and x - 3 else 0


def number_or_comparison(x):
    if x or x > 3:
        return 1
    return 0


def comparison_or_number(x):
    if x > 2 or x + 3:
        return 1
    return 0


def three_kinds(x):
    return 1 if x and x > 0 and [x] else 0


def negated(x):
    return not (x and x > 1)


def truth_by_bool(x):
    return bool(x or x > 1)


def nothing_or_comparison(x):
    def note():
        pass

    if x > 0 and note():
        return 1
    return 0


def operand_with_effect_in_and(x):
    seen = [0]

    def note():
        seen[0] += 1
        return seen[0]

    if x > 0 and note():
        seen[0] += 10
    return seen


def operand_with_effect_in_or(x):
    seen = [0]

    def note():
        seen[0] += 1
        return seen[0] > 5

    if x or note():
        seen[0] += 10
    return seen


def chain_of_or_with_effects(x):
    seen = []

    def above(bound):
        seen.append(bound)
        return x > bound

    return above(3) or above(0) or above(-2) or above(-5), len(seen), seen[-1]


def chain_of_and_with_effects(x):
    calls = 0

    def above(bound):
        nonlocal calls
        calls += 1
        return x > bound

    return above(-5) and above(-2) and above(0) and above(3), calls


def chain_of_both_with_effects(x):
    counts = [0, 0]

    def above(bound, i):
        counts[i] += 1
        return x > bound

    taken = above(3, 0) or (above(-2, 1) and above(0, 0)) or (above(-5, 1) and above(-9, 1))
    return taken, counts


def values_with_effect(x):
    seen = [0]

    def note():
        seen[0] += 1
        return seen[0] * 7

    return (x and note()), (x or note()), seen


@pytest.mark.parametrize(
    "program",
    [
        assigns_in_and,
        assigns_in_or,
        assigns_what_had_no_value,
        reads_what_may_have_no_value,
        assigns_and_reads_in_one_test,
        assigns_in_both_values_of_a_conditional,
        assigns_in_a_chain,
        assigns_in_the_test_of_a_while,
        assigns_in_an_elif,
        assigns_in_an_inner_branch,
        assigns_in_a_loop_body,
        assigns_in_a_guard,
        appends_by_and,
        appends_by_or,
        appends_by_conditional,
        number_and_comparison,
        comparison_and_number,
        number_or_comparison,
        comparison_or_number,
        three_kinds,
        negated,
        truth_by_bool,
        nothing_or_comparison,
        operand_with_effect_in_and,
        operand_with_effect_in_or,
        chain_of_or_with_effects,
        chain_of_and_with_effects,
        chain_of_both_with_effects,
        values_with_effect,
    ],
    ids=lambda each: each.__name__,
)
def test_operands_agree_with_plain_python(program):
    check(program, *NUMBERS)


def elements_taken_from_a_stack(xs):
    stack = []
    taken = 0
    for x in xs:
        while stack and stack[-1] < x:
            stack.pop()
            taken += 1
        stack.append(x)
    return taken, stack


def test_a_list_and_a_comparison_are_a_test():
    check(elements_taken_from_a_stack, ((3, 1, 2, 5),), ((1, 2, 3),), ((3, 2, 1),))


def used(x):
    y = x and x > 1
    return y + 1


def returned(x):
    return x and x > 1


def merged(x):
    y = x > 5
    if x > 0:
        y = x and x > 1
    return y


@pytest.mark.parametrize("program", [used, returned, merged])
def test_the_value_of_operands_without_a_common_type_is_refused(program):
    message = r"the result of `and` is int32\[\] or bool\[\]"
    with pytest.raises(TypeError, match=message) as caught:
        tf.function(program)(tf.constant(3))
    first = program.__code__.co_firstlineno
    assert f'{__file__}", line ' in str(caught.value)
    assert any(f"line {first + line}," in str(caught.value) for line in (1, 3))


def test_the_value_is_known_where_the_first_operand_is():
    @tf.function
    def program(x):
        y = tf.constant(True) and x + 1
        return y

    assert int(program(tf.constant(3))) == 4


def test_many_operands_without_a_common_type_are_traced_once():
    calls = []

    def number(x):
        calls.append(x)
        return x

    def flag(x):
        calls.append(x)
        return x > 0

    @tf.function
    def program(x):
        if (
            number(x) or flag(x) or number(x) or flag(x) or number(x) or flag(x)
            or number(x) or flag(x) or number(x) or flag(x) or number(x) or flag(x)
        ):  # fmt: skip
            return 1
        return 0

    assert int(program(tf.constant(3))) == 1
    assert len(calls) < 100
