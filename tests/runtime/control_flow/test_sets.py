"""Sets whose members a staged statement changes: as in plain Python, or a refusal."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check


def added_in_a_branch(x):
    s = {1}
    if x > 0:
        s.add(2)
    return len(s), 1 in s, 2 in s, 3 in s


def added_and_discarded_in_a_loop(x):
    s = set()
    for i in range(5):
        if i < x:
            s.add(i % 2)
        if i in s:
            s.discard(i)
    return len(s), 0 in s, 1 in s, 1 if s else 2


def operators(x):
    s = {1, 2, 3}
    if x > 0:
        s.difference_update({1, 2})
    s |= {7}
    if x > 4:
        s -= {3}
    t = s | {8}
    return len(s), len(t), len(s & {1, 7}), len(s - {3}), 8 in s


def asked_in_a_staged_loop(x):
    seen = set()
    total = 0
    i = 0
    while i < x:
        if "odd" not in seen and i % 2 == 1:
            seen.add("odd")
            total += 10
        total += 1
        i += 1
    return total, "odd" in seen


def under_two_names(x):
    s = {1}
    t = s
    if x > 0:
        s.add(2)
    t.add(3)
    return len(s), len(t)


def removed_twice(x):
    s = {1, 2}
    if x > 0:
        s.remove(2)
    s.remove(2)
    return len(s)


def cleared_and_updated(x):
    s = {1, 2}
    if x > 0:
        s.clear()
    if x > 3:
        s.update([4, 5], (6,))
    return len(s), 4 in s


def of_one_another(x):
    s, t = {1}, {2}
    if x > 0:
        s.add(5)
    if x > 3:
        t.add(6)
    s |= t
    t &= {2, 6, 7}
    return len(s), 6 in s, len(t), s.isdisjoint({1}) if x is None else 0


def in_a_list(x):
    s = {1, 2}
    rows = [s]
    if x > 0:
        rows[0].add(3)
    return 3 in s, len(rows[0])


def changed_by_a_function(x):
    def helper(s, x):
        if x > 0:
            s.add(9)

    s = set()
    helper(s, x)
    return len(s), 9 in s


def asked_by_a_literal(x):
    s = {"a"}
    if x > 0:
        s.add("b")
    if "b" in s:
        return 1
    return 2


def of_an_object(x):
    class Walk:
        def __init__(self):
            self.seen = set()

        def visit(self, key):
            if key in self.seen:
                return 0
            self.seen.add(key)
            return key

    walk = Walk()
    total = 0
    if x > 0:
        total += walk.visit(4)
    total += walk.visit(4)
    if x > 3:
        total += walk.visit(5)
    return total, len(walk.seen)


AGREEING = [
    added_in_a_branch, added_and_discarded_in_a_loop, operators, asked_in_a_staged_loop,
    under_two_names, removed_twice, cleared_and_updated, of_one_another, in_a_list,
    changed_by_a_function, asked_by_a_literal, of_an_object,
]  # fmt: skip


@pytest.mark.parametrize("program", AGREEING, ids=lambda program: program.__name__)
def test_a_set_is_that_of_plain_python(program):
    check(program, (3,), (-3,), (5,))


def returned(x):
    s = {1}
    if x > 0:
        s.add(2)
    return s


def iterated(x):
    s = {1}
    if x > 0:
        s.add(2)
    n = 0
    for v in s:
        n += v
    return n


def popped(x):
    s = {1, 2}
    y = 0
    if x > 0:
        y = s.pop()
    return y, len(s)


def another_one_in_a_branch(x):
    s = {1}
    if x > 0:
        s = s | {2}
    return len(s)


def a_tensor_added(x):
    s = {1, 2}
    if x > 0:
        s.add(x)
    return len(s)


def compared(x):
    s = {1, 2}
    if x > 0:
        s.add(3)
    return s == {1, 2}


REFUSED = [
    returned, iterated, popped, another_one_in_a_branch, a_tensor_added, compared,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_depends_on_all_members_is_refused(program):
    with pytest.raises(TypeError) as caught:
        tf.function(program)(tf.constant(3))
    assert "Partial" not in str(caught.value)


def test_a_set_that_both_branches_change_alike_is_not_iterated_over():
    def program(x):
        numbers = {8, 1}
        if x > 0:
            numbers.add(9)
            x += 1
        else:
            numbers.add(9)
        return [number for number in numbers]  # noqa: C416

    with pytest.raises(TypeError, match="all of its members"):
        tf.function(program)(tf.constant(3))


def test_a_set_that_nothing_changes_is_iterated_over():
    def program(x):
        numbers = {8, 1}
        if x > 0 and 8 in numbers:
            x += 1
        return [number + x for number in numbers]

    check(program, (3,), (-3,))
