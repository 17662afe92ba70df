"""Lists and dicts with several names: statements that choose among them, and later changes."""

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import FORMS


def rebound_only(x):
    a = [1, 2]
    if x > 0:
        a = [3, 4]
    a[0] = 9
    return a


def old_name_read_before(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [3, 4]
    return a[0] + b[0]


def same_object_on_both_ways(x):
    a = [1, 2]
    b = a
    if x > 0:
        a[0] = 5
    else:
        b[1] = 6
    return a, b


def swapped_in_a_loop(x):
    a, b = [1], [2]
    for _ in range(3):
        if x > 0:
            a, b = b, a
    return a[0] * 10 + b[0]


def alias_read_by_another_function(x):
    def grow(items):
        if x > 0:
            items.append(2)

    mine = [1]
    other = mine
    grow(mine)
    return len(other)


def chosen_by_an_expression(x):
    a, b = [1], [2]
    c = a if x > 0 else b
    c[0] = 7
    return a[0]


def swapped_then_both_changed(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a, b = b, a
    a[0] = x
    b[1] = 9
    return a, b


def swapped_in_a_staged_loop_then_both_changed(x):
    a, b = [1, 2], [3, 4]
    for _ in range(x):
        a, b = b, a
    a[0] = 7
    b[1] = 9
    return a, b


def changed_in_a_branch_where_the_other_name_is_dead(x):
    a = [1, 2]
    b = a
    if x > 0:
        b = [5, 6]
    if x > 1:
        b[0] = x
    return b


def a_new_list_on_one_way_and_a_changed_old_one_on_the_other(x):
    a = [0, 0]
    b = a
    if x > 0:
        a[1] = x
        b = [x, x]
    else:
        a[1] = 4
    return b


def rows_of_a_new_list_changed(x):
    rows = [[1, 2], [3, 4]]
    if x > 0:
        rows = [[x, 1], [2, 3]]
    rows[0][1] = 4
    for row in rows:
        row[0] += x
    return rows


def one_new_list_under_two_names_read(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a = b = [x, x]
    return a[0] + b[1]


AGREED = [
    rebound_only, old_name_read_before, same_object_on_both_ways, swapped_in_a_loop,
    alias_read_by_another_function, chosen_by_an_expression, swapped_then_both_changed,
    swapped_in_a_staged_loop_then_both_changed, changed_in_a_branch_where_the_other_name_is_dead,
    a_new_list_on_one_way_and_a_changed_old_one_on_the_other, rows_of_a_new_list_changed,
    one_new_list_under_two_names_read,
]  # fmt: skip


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("x", [-1, 1, 2])
@pytest.mark.parametrize("program", AGREED, ids=lambda program: program.__name__)
def test_python_gives_the_same(program, x, form):
    assert plain(form(program)(tf.constant(x))) == program(x)


def identity_of_a_rebound_list(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [x, x]
    return a is b


def identity_of_an_item(x):
    row = [1, 2]
    rows = [row]
    if x > 0:
        rows = [[x, x]]
    return rows[0] is not row


@pytest.mark.parametrize("program", [identity_of_a_rebound_list, identity_of_an_item])
def test_identity_that_only_the_running_program_knows_is_refused(program):
    with pytest.raises(TypeError, match="asks for the identity"):
        tf.function(program)(tf.constant(1))


def test_identity_of_swapped_lists_is_known():
    def program(x):
        a, b = [1, 2], [3, 4]
        if x > 0:
            a, b = b, a
        return a is b, a is a

    assert tf.function(program)(tf.constant(1)) == (False, True)
