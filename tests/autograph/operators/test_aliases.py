"""Lists that may be one: a change of one that may be the other is refused."""

from dataclasses import dataclass

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import FORMS, check

ROW = [9, 0]


def returned_from_a_loop(xs):
    counts = [0, 0]
    for x in xs:
        if x > 2:
            return counts
        counts[0] += x
    counts[1] = 7
    return counts


def returned_before_a_last_change(xs):
    counts = [0, 0]
    for x in xs:
        try:
            if x > 2:
                return counts
        finally:
            counts[1] += 1
    return counts


@pytest.mark.parametrize("program", [returned_from_a_loop, returned_before_a_last_change])
@pytest.mark.parametrize("xs", [(1, 1, 3, 1), (1, 1), (5,)])
def test_a_list_is_returned_from_a_loop_that_changes_it_in_other_iterations(program, xs):
    check(program, (xs,))


def test_a_result_of_a_loop_that_may_be_an_argument_is_not_changed():
    def program(xs):
        held = [1, 2]
        found = returned_or_new(held, xs)
        found[0] = 5
        return held

    with pytest.raises(TypeError, match="may be this list or dict or another one"):
        tf.function(program)(tf.constant([3, 1]))


def returned_or_new(held, xs):
    for x in xs:
        if x > 2:
            return held
        held[0] += x
    return [3, 4]


@pytest.mark.parametrize("changed", ["out", "other"])
def test_a_change_of_one_that_may_be_the_other_is_refused(changed):
    def program(xs):
        out = []
        for x in xs:
            if x > 0:
                out.append(x)
        other = out
        if xs[0] > 2:
            other = out[1:]
        if changed == "out":
            out.append(5)
        else:
            other.append(5)
        return len(out), len(other)

    with pytest.raises(
        TypeError, match=r"may be (one of several lists|this list or dict or another)"
    ):
        tf.function(program)(tf.constant([3, 1, 2]))


def row_or_another(x):
    row = ROW
    if x > 0:
        row = [1, 2]
    row[0] = x


def test_refused_function_leaves_list_that_may_have_changed_as_it_was():
    with pytest.raises(TypeError, match="`row` may be this list or dict or another one"):
        tf.function(row_or_another)(tf.constant(3))
    assert ROW == [9, 0]


class Box:
    def __init__(self, items):
        self.items = items


@dataclass
class Pair:
    first: int


def changed_behind_the_old_name(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [3, 4]
    a[0] = 9
    return b[0]


def changed_behind_the_new_name(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [3, 4]
    b[0] = 9
    return a[0]


def attribute_chosen(x):
    items = [1, 2]
    box = Box(items)
    if x > 0:
        box.items = [3, 4]
    box.items.append(5)
    return len(items)


def old_name_of_what_a_loop_rebinds(x):
    a = [1, 2]
    b = a
    for i in range(x):
        a = [i, i]
    a[0] = 9
    return b


def old_name_changed_by_the_first_iteration(x):
    a = [1, 2]
    b = a
    for i in range(x):
        a[0] += 5
        a = [i, i]
    return b


def rebound_in_a_nested_branch(x):
    a = [1, 2]
    b = a
    if x > 0:
        if x > 1:
            b = [5, 6]
    else:
        b = [x, 7]
    b[0] = 8
    return a


def two_names_that_may_be_one_list(x):
    a, b, c = [1, 2], [5, 6], [7, 8]
    if x > 0:
        b = a
    if x > 1:
        c = a
    b[0] = 9
    return c


def one_new_list_under_two_names(x):
    a, b = [1, 2], [3, 4]
    if x > 0:
        a = b = [x, x]
    a[0] = 7
    return b


def new_lists_one_of_which_may_be_the_other(x):
    if x > 0:
        a = b = [x, 1]
        if x > 1:
            a = [2, x]
    else:
        a = b = [0, 0]
    a[0] = 9
    return b


def one_row_twice(x):
    row = [0, 0]
    rows = [row, [1, 1]]
    if x > 0:
        row = [x, 2]
        rows = [row, row]
    rows[0][0] = 5
    return rows[1]


def changed_in_a_later_branch(x):
    a = [1, 2]
    b = a
    if x > 0:
        b = [5, 6]
    if x > 1:
        b[0] = x
    return a


def item_of_a_dict(x):
    d = {"r": [1, 2]}
    row = d["r"]
    if x > 0:
        d["r"] = [x, x]
    d["r"][0] = 5
    return row


def returned_by_a_function(x):
    a = [1, 2]

    def pick():
        if x > 0:
            return a
        return [x, 0]

    b = pick()
    b[0] = 5
    return a


def longer_list(x):
    a = [1, 2]
    b = a
    if x > 0:
        b = [x, x, x]
    b.append(3)
    return a


def old_list_in_a_list_of_another_length(x):
    a = [1, 2, 3]
    rows = [[1, 2], [3, 4]]
    for _ in range(x):
        rows = [a, a]
    a[0] = 9
    return rows


def dataclass_objects(x):
    a = Pair(1)
    b = a
    if x > 0:
        a = Pair(2)
    a.first = 9
    return b.first


def items_of_a_refusing_list_replaced(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [x, 7]
    b[0] = 5
    put = a.__setitem__
    put(0, 8)
    a.reverse()
    return a


def refusing_list_filled_in_a_branch(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [x, 7]
    b[0] = 5
    put = a.__setitem__
    if x > 1:
        put(0, 8)
    return a


def old_name_changed_in_a_loop(x):
    a = [1, 2]
    b = a
    if x > 0:
        a = [x, 7]
    for i in range(x):
        b[0] += i
        if x > 5:
            a[1] = i
    return a


REFUSED = [
    items_of_a_refusing_list_replaced, refusing_list_filled_in_a_branch, old_name_changed_in_a_loop,
    changed_behind_the_old_name, changed_behind_the_new_name, attribute_chosen,
    old_name_of_what_a_loop_rebinds, old_name_changed_by_the_first_iteration,
    rebound_in_a_nested_branch, two_names_that_may_be_one_list, one_new_list_under_two_names,
    new_lists_one_of_which_may_be_the_other, one_row_twice, changed_in_a_later_branch,
    item_of_a_dict, returned_by_a_function, longer_list, dataclass_objects,
    old_list_in_a_list_of_another_length,
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_a_change_that_only_the_running_program_could_spread_is_refused(program, form):
    with pytest.raises(TypeError, match="as a staged statement") as caught:
        form(program)(tf.constant(1))
    frames = [each.frame.code.path for each in caught.traceback]
    assert f'File "{__file__}"' in str(caught.value) or str(frames[-1]) == __file__
