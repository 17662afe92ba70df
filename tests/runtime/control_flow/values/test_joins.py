"""Lists and dicts with several names: statements that choose among them, and later changes."""

from dataclasses import dataclass

import pytest

import autograph
import runtime as tf


class Box:
    def __init__(self, items):
        self.items = items


@dataclass
class Pair:
    first: int


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


def by_to_graph(program):
    converted = autograph.to_graph(program)
    return tf.function(lambda x: converted(x), autograph=False)


FORMS = [tf.function, by_to_graph]


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("x", [-1, 1, 2])
@pytest.mark.parametrize("program", AGREED, ids=lambda program: program.__name__)
def test_python_gives_the_same(program, x, form):
    assert plain(form(program)(tf.constant(x))) == program(x)


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
