"""Python objects that staged statements change in place: as plain Python does, or an error.

Each program is run with a number and, traced, with a tensor; `STAGED` are those that give the same
then, `REFUSED` are those whose change cannot wait until it is known, with the name in the error.
"""

import array
import collections
import functools
import random
import types

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.operators.state import State


class Counter:
    __slots__ = ("__dict__", "n")

    def __init__(self):
        self.n = 0
        self.m = 0

    def bump(self):
        self.n += 1
        self.m += 2

    @functools.cached_property
    def square(self):
        return self.m * self.m


def attribute_by_method(x):
    c = Counter()
    if x > 0:
        c.bump()
    return c.n, c.m


def attribute_of_an_attribute(x):
    c = types.SimpleNamespace(inner=Counter())
    if x > 0:
        c.inner.bump()
    return c.inner.m


def attribute_by_bound_method(x):
    c = Counter()
    act = c.bump
    while x > 0:
        act()
        x -= 1
    return c.m


def attribute_in_a_nested_if(x):
    c = Counter()
    if x > 0:
        if x > 1:
            c.bump()
        c.bump()
    return c.m


def object_in_a_list(x):
    cs = [Counter(), Counter()]
    if x > 0:
        cs[1].bump()
    return cs[0].m, cs[1].m


def cached_property_in_a_branch(x):
    c = Counter()
    c.m = 3
    y = 0
    if x > 0:
        y = c.square
    return y + c.square


def items_of_a_dict(x):
    d = {"a": 1}
    if x > 0:
        d.update(a=2)
    return d["a"]


def items_of_an_inner_list(x):
    g = [[0, 0], [0, 0]]
    row = g[1]
    if x > 0:
        g[0][1] = 5
        g[1][0] = 7
    return g[0][1], row[0]


def attribute_of_the_class(x):
    class Level:
        depth = 5

        def go_in(self):
            self.depth += 1

    level = Level()
    if x > 0:
        level.go_in()
    return level.depth


def order_of_a_list(x):
    xs = [3, 1, 2]
    if x > 0:
        xs.sort()
    return xs[0]


def shared_variable_of_a_function(x):
    def counter():
        n = 0

        def step():
            nonlocal n
            n += 1
            return n

        return step

    step = counter()
    if x > 0:
        step()
    return step()


def items_of_a_default(x):
    def note(value, seen={"last": 0}):  # noqa: B006
        seen["last"] = value
        return seen

    note(0)
    if x > 0:
        note(3)
    return note.__defaults__[0]["last"]


def two_names(x):
    a = [1, 2]
    b = a
    if x > 0:
        a[0] = 9
    return b[0]


def grown_under_one_name(x):
    xs = [1]
    while x > 0:
        xs.append(x)
        x -= 1
    return len(xs)


def new_key(x):
    a = {}
    if x > 0:
        a.setdefault("k", 5)
    return len(a)


def added_to_a_set(x):
    seen = set()
    if x > 0:
        seen.add(1)
    return len(seen)


def queue(x):
    a = collections.deque([1])
    if x > 0:
        a.append(2)
    return len(a)


def conditional_expression(x):
    a = set()
    _ = (a.add(1) or 1) if x > 0 else 0
    return len(a)


STAGED = [
    attribute_by_method, attribute_of_an_attribute, attribute_by_bound_method,
    attribute_in_a_nested_if, object_in_a_list, cached_property_in_a_branch, items_of_a_dict,
    items_of_an_inner_list, attribute_of_the_class, order_of_a_list,
    shared_variable_of_a_function, items_of_a_default, two_names, grown_under_one_name, new_key,
    added_to_a_set, queue, conditional_expression,
]  # fmt: skip


def plain(result):
    return np.asarray(tf.nest.map_structure(np.asarray, result)).tolist()


@pytest.mark.parametrize("x", [-1, 1, 3])
@pytest.mark.parametrize("program", STAGED, ids=lambda program: program.__name__)
def test_same_as_python(program, x):
    assert plain(tf.function(program)(tf.constant(x))) == plain(program(x))


def array_item(x):
    a = np.zeros(2)
    if x > 0:
        a[0] = 1.0
    return a


def array_in_place(x):
    a = np.zeros(2)
    if x > 0:
        a += 1
    return a


def array_method(x):
    a = np.zeros(2)
    if x > 0:
        a.fill(2)
    return a


def bytes_in_place(x):
    a = bytearray(b"ab")
    if x > 0:
        a[0] = 65
    return a[0]


def numbers_in_place(x):
    a = array.array("i", [1, 2])
    for _ in tf.range(abs(x)):
        a[0] += 1
    return a[0]


def iterator(x):
    a = iter([1, 2, 3])
    if x > 0:
        next(a)
    return next(a)


def counting_iterator(x):
    a = enumerate([1, 2, 3])
    if x > 0:
        next(a)
    return next(a)[1]


def generator(x):
    def numbers():
        yield 1
        yield 2

    a = numbers()
    if x > 0:
        next(a)
    return next(a)


def random_numbers(x):
    a = random.Random(0)
    if x > 0:
        a.random()
    return a.random()


def random_bits(x):
    a = np.random.default_rng(0)
    if x > 0:
        a.normal()
    return a.normal()


def shared_random_numbers(x):
    y = 0.0
    for _ in tf.range(abs(x)):
        y += random.random()
    return y


def shared_random_array(x):
    y = 0.0
    while x > 0:
        y += np.random.rand()
        x -= 1
    return y


def shortened_by_a_function(x):
    def first_of(values):
        return values.pop(0)

    a = [1, 2, 3]
    if x > 0:
        first_of(a)
    return len(a)


def grown_under_two_names(x):
    a = [1]
    b = a
    if x > 0:
        a.append(2)
    return len(b)


def grown_for_the_caller(x):
    def grow(a, x):
        if x > 0:
            a.append(2)

    mine = [1]
    grow(mine, x)
    return len(mine)


def operand(x):
    a = []
    _ = x > 0 and a.append(1) is None
    return len(a)


REFUSED = [
    (array_item, "a"), (array_in_place, "a"), (array_method, "a"),
    (bytes_in_place, "a"), (numbers_in_place, "a"),
    (iterator, "a"), (counting_iterator, "a"), (generator, "a"),
    (random_numbers, r"Random.random\(\)"), (random_bits, r"Generator.normal\(\)"),
    (shared_random_numbers, r"random.random\(\)"),
    (shared_random_array, r"numpy.random.rand\(\)"),
]  # fmt: skip


@pytest.mark.parametrize("x", [-1, 1])
@pytest.mark.parametrize(
    ("program", "name"), REFUSED, ids=lambda value: getattr(value, "__name__", "")
)
def test_what_cannot_wait_is_refused_by_name(program, name, x):
    with pytest.raises(TypeError, match=f"`{name}`"):
        tf.function(program)(tf.constant(x))
    assert program(x) is not None


@pytest.mark.parametrize("x", [-1, 1])
@pytest.mark.parametrize(
    "program", [shortened_by_a_function, grown_under_two_names, grown_for_the_caller, operand]
)
def test_a_list_may_change_its_length_whoever_holds_it(program, x):
    assert tf.function(program)(tf.constant(x)).numpy() == program(x)


def test_what_a_refused_branch_changed_is_put_back():
    seen, numbers = {1}, np.zeros(2)

    def change(x):
        if x > 0:
            numbers[0] = 5
            seen.add(2)
        return x

    with pytest.raises(TypeError, match="changed in place"):
        tf.function(change)(tf.constant(1))
    assert seen == {1}
    assert numbers.tolist() == [0, 0]


def test_what_is_changed_outside_of_staged_statements_stays_python():
    seen = set()

    def trace(x):
        seen.add("traced")
        if x > 0:
            x += 1
        return x

    tf.function(trace)(tf.constant(1))
    assert seen == {"traced"}


def nested_and_rebinding(depth):
    lines = ["def program(x):", "    c.row, d['p'] = [1], 1"]
    for level in range(depth):
        indent = "    " * (level + 1)
        lines += [f"{indent}if x > {level}:", f"{indent}    d['p'] = x + {level}"]
        lines += [f"{indent}    c.row = [x, {level}]"]
    text = "\n".join([*lines, "    return d['p'], c.row[0]"])
    return autograph.exec(text, {"c": types.SimpleNamespace(), "d": {}})["program"]


def test_traces_of_nested_statements_grow_linearly_with_their_depth(monkeypatch):
    traces = []
    extend = State.extend
    monkeypatch.setattr(State, "extend", lambda *args: (traces.append(1), extend(*args))[1])
    counts = []
    for depth in (3, 6):
        program = nested_and_rebinding(depth)
        traces.clear()
        assert [int(each) for each in tf.function(program)(tf.constant(9))] == [8 + depth, 9]
        counts.append(len(traces))
    assert counts[1] <= 2 * counts[0]


def test_result_of_a_branch_holds_its_lists_as_they_are_at_its_end():
    def pair(x):
        row = [x, 0]
        if x > 3:
            return [row, x]
        row[0] = x + 10
        return [row, x]

    traced = tf.function(pair)
    for number in (1, 5):
        (row, kept) = traced(tf.constant(number))
        assert ([*map(int, row)], int(kept)) == (pair(number)[0], number)
