"""A list whose length a staged statement changed, under several names."""

import pytest

from tests.runtime.control_flow.agreement import check

ROWS = [((3, 1, 2),), ((-3, 1, 2),)]


def written_in_a_loop(xs):
    row = []
    for x in xs:
        row.append(x)
    other = row
    n = 2
    while n > xs[0] - 3:
        other[n] = 9
        n -= 1
        if n < 0:
            break
    return row, other


def written_after_a_branch(xs):
    row = []
    for x in xs:
        row.append(x)
    other = row
    if xs[0] > 0:
        other[0] = 9
    other[1] = 5
    return row, other


def appended_under_both_names(xs):
    row = []
    for x in xs:
        row.append(x)
    other = row
    n = 2
    while n > 0:
        other.append(n)
        row[0] = n
        n -= 1
    other.pop()
    return row, other


def _down(heap, position):
    item = heap[position]
    while position > 0 and item < heap[position - 1]:
        heap[position] = heap[position - 1]
        position -= 1
    heap[position] = item


def written_by_a_function(xs):
    row = []
    for x in xs:
        row.append(x)
        _down(row, len(row) - 1)
    return row


def another_list_in_a_branch(xs):
    row = []
    other = row
    for x in xs:
        row.append(x)
    if xs[0] > 0:
        row = row[1:]
    return list(row), other


@pytest.mark.parametrize(
    "program",
    [
        written_in_a_loop,
        written_after_a_branch,
        appended_under_both_names,
        written_by_a_function,
        another_list_in_a_branch,
    ],
    ids=lambda each: each.__name__,
)
def test_all_names_see_what_is_written(program):
    check(program, *ROWS)


def read_under_both_names(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
    other = out
    if xs[0] > 2:
        other = out[1:]
    return len(out), len(other), sum(other)


def an_old_one_returned(xs):
    def positive(row):
        out = []
        for x in row:
            if x > 0:
                out.append(x)
        return out

    def longest(a, b):
        if len(a) > len(b):
            return a
        return b + [0]  # noqa: RUF005 - as programs have it

    return longest(positive(xs), [1])


def sorted_by_parts(xs):
    def quick(row):
        if len(row) <= 1:
            return row
        first = row[0]
        smaller = quick([x for x in row[1:] if x < first])
        larger = quick([x for x in row[1:] if x >= first])
        return smaller + [first] + larger  # noqa: RUF005 - as programs have it

    return quick([x for x in xs if x > -9])


def made_anew_in_a_loop(xs):
    out = []
    for x in xs:
        if x > 0:
            out.append(x)
        if x > 2:
            out = out[1:]
    return out


@pytest.mark.parametrize(
    "program",
    [read_under_both_names, an_old_one_returned, sorted_by_parts, made_anew_in_a_loop],
    ids=lambda each: each.__name__,
)
def test_an_old_list_on_one_way_and_a_new_one_on_the_other_may_be_read(program):
    check(program, *ROWS)


def _shorten(row, x):
    if x > 0:
        del row[0]


def _push(stack, x):
    if x > 0:
        stack.append(x)


def _forget(held, x):
    if x > 0:
        del held["a"]


def read_after_a_function_shortened_it(x):
    row = [1, 2, 3]
    _shorten(row, x)
    return row[0], row[-1], len(row)


def read_after_a_function_pushed(x):
    stack = [5]
    _push(stack, x)
    _push(stack=stack, x=x - 3)
    stack.append(7)
    return stack[-2], len(stack), stack


def read_after_a_closure_changed_it(x):
    row = [1, 2, 3]

    def take(n):
        if x > n:
            row.pop()

    take(0)
    take(3)
    return row[-1], len(row)


def asked_for_a_key_after_a_function_deleted_it(x):
    held = {"a": 1, "b": 2}
    _forget(held, x)
    if "a" in held:
        return held["a"]
    return len(held)


def read_after_an_item_was_deleted_by_another_name(x):
    row = [1, 2, 3]
    other = row
    if x > 0:
        del other[0]
    return row[0], len(row), row is other


def read_after_another_name_was_extended(x):
    row = [1, 2, 3]
    other = row
    n = 0
    if x > 0:
        n += x
        other += [4]
    return row[-1], len(row), n


def read_after_a_method_pushed(x):
    class Stacks:
        def push(self, stack, x):
            if x > 0:
                stack.append(x)

    stack = [5]
    Stacks().push(stack, x)
    return stack[-1]


@pytest.mark.parametrize(
    "program",
    [
        read_after_a_function_shortened_it,
        read_after_a_function_pushed,
        read_after_a_closure_changed_it,
        asked_for_a_key_after_a_function_deleted_it,
        read_after_an_item_was_deleted_by_another_name,
        read_after_another_name_was_extended,
        read_after_a_method_pushed,
    ],
    ids=lambda each: each.__name__,
)
def test_a_list_that_a_called_function_lengthens_or_shortens_is_read_by_its_owner(program):
    check(program, (2,), (5,), (-1,))
