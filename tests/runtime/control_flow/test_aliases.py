"""Lists and dicts with several names: statements that choose among them, and later changes."""

import pytest

import runtime as tf


class Box:
    def __init__(self, items):
        self.items = items


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


AGREED = [
    rebound_only, old_name_read_before, same_object_on_both_ways, swapped_in_a_loop,
    alias_read_by_another_function, chosen_by_an_expression,
]  # fmt: skip


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return value.numpy().item() if isinstance(value, tf.Tensor) else value


@pytest.mark.parametrize("x", [-1, 1])
@pytest.mark.parametrize("program", AGREED, ids=lambda program: program.__name__)
def test_python_gives_the_same(program, x):
    assert plain(tf.function(program)(tf.constant(x))) == program(x)


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


REFUSED = [changed_behind_the_old_name, changed_behind_the_new_name, attribute_chosen]


@pytest.mark.parametrize("x", [-1, 1])
@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_a_change_that_only_the_running_program_could_spread_is_refused(program, x):
    with pytest.raises(TypeError, match="as a staged statement"):
        tf.function(program)(tf.constant(x))
