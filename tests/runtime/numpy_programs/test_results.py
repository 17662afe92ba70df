"""What a call leaves: new arrays, changed arguments, and results of Python types."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import VECTOR, Program, difference, each, is_same


def changes_its_argument(x):
    x += 1
    x[2] = x[1] * 2
    return x


def changes_one_of_two(a, b):
    a[0] = b[1]
    b[2] = a[1]


def a_list_of_unknown_length(x):
    found = []
    for i in range(len(x)):
        if x[i] > 0.5:
            found.append(i)
    return found


def swaps_the_elements_of_two(a, b):
    old = a.copy()
    a[:] = b
    b[:] = old
    return old, a


@each(
    (a_list_of_unknown_length, (VECTOR,)),
    (changes_its_argument, (VECTOR,)),
    (changes_one_of_two, (VECTOR, VECTOR.copy())),
    (swaps_the_elements_of_two, (VECTOR, VECTOR * 2)),
)
def test_results_and_changed_arguments_agree(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def test_the_caller_gets_its_own_array_and_views_of_it() -> None:
    @tf.function(numpy=True)
    def program(a):
        a[0] = 1
        return a, a[1:], a.T

    x = np.zeros(3)
    same, part, turned = program(x)
    assert same is x
    part[0] = 5
    turned[2] = 6
    assert x.tolist() == [1.0, 5.0, 6.0]


def test_results_are_new_arrays() -> None:
    @tf.function(numpy=True)
    def program(a):
        b = a * 1
        return b, b, np.zeros(2)

    first, again, zeros = program(np.ones(3))
    assert first is again
    zeros[0] = 7
    assert program(np.ones(3))[2].tolist() == [0, 0]


def test_arrays_of_compiled_programs_are_new_and_may_be_changed() -> None:
    pytest.importorskip("llvmlite")

    @tf.function(numpy=True, jit_compile=True)
    def program(a, n):
        b = np.zeros(3)
        for i in range(len(a)):
            b[i % 3] += a[i] / n
        a[0] = b[0]
        return b, b[0], a

    x = np.arange(1.0, 5.0)
    found = []
    for _ in range(3):
        b, first, same = program(x, np.float32(2))
        assert same is x
        assert (type(first), first) == (np.float64, x[0])
        b[:] = -1
        found.append(b)
    assert len(set(map(id, found))) == 3
    assert x.tolist() == [3.625, 2, 3, 4]


def test_an_array_without_dimensions_is_an_array_in_each_call_of_a_compiled_program() -> None:
    pytest.importorskip("llvmlite")

    def program(x):
        total = 0.0
        for i in range(20):
            total = total + x * i
        return np.asarray(total)

    traced = tf.function(program, numpy=True, jit_compile=True)
    for _ in range(3):
        assert is_same(program(np.float64(0.5)), traced(np.float64(0.5)))


def test_a_read_only_argument_is_not_changed() -> None:
    x = np.zeros(3)
    x.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        tf.function(changes_its_argument, numpy=True)(x)


def test_arguments_that_share_memory_are_refused_if_one_is_changed() -> None:
    x = np.zeros(6)
    with pytest.raises(ValueError, match="shares memory"):
        tf.function(changes_one_of_two, numpy=True)(x, x)
    with pytest.raises(ValueError, match="shares memory"):
        tf.function(changes_one_of_two, numpy=True)(x[:4], x[1:5])


@pytest.mark.parametrize("name", ["swaps_the_elements_of_two", "changes_one_of_two"])
def test_later_calls_do_not_share_memory_with_arguments(name: str) -> None:
    program = globals()[name]
    function = tf.function(program, numpy=True)
    for _ in range(3):
        own, traced = [[np.arange(5.0), np.ones((2, 5))[0] * 7] for _ in range(2)]
        assert is_same(program(*own), function(*traced))
        assert is_same(own, traced)


def test_keyword_arguments_are_changed_too() -> None:
    @tf.function(numpy=True)
    def program(a, b):
        b += a

    x, y = np.ones(2), np.zeros(2)
    program(b=y, a=x)
    assert y.tolist() == [1, 1]


def test_later_calls_run_the_graph_of_their_types() -> None:
    function = tf.function(changes_its_argument, numpy=True)
    for x in (np.zeros(4), np.ones(4), np.ones(5), np.ones(4, np.float32)):
        want = changes_its_argument(x.copy())
        assert is_same(want, function(x))
    assert function.experimental_get_tracing_count() == 3


class Total:
    def __init__(self):
        self.sum, self.count, self.last, self.row = 0.0, 0, [], [1, 2]
        self.nested = {"a": [0, {"b": 0}]}

    def add(self, x):
        self.sum += x.sum()
        self.count += int(x[0])
        self.last.append(x[0])
        if x[0] > 0:
            self.nested["a"][1]["b"] += x[1]
        return self


def test_numbers_left_in_objects_are_numpys_and_pythons() -> None:
    graph, own, plain = tf.function(Total.add, numpy=True), Total(), Total()
    for x in (np.array([1.5, 2.0]), np.array([2.5, 2.0])):
        assert graph(own, x) is own
        plain.add(x)
    for name in ("sum", "count", "last"):
        assert is_same(getattr(plain, name), getattr(own, name)), name
    assert is_same(plain.nested["a"][1]["b"], own.nested["a"][1]["b"])


def appends(items, x):
    items.append(1)
    return x


def assigns(items, x):
    items[0] = x[0]
    return x


@pytest.mark.parametrize("program", [appends, assigns])
@pytest.mark.parametrize("items", [[1, 2], [np.zeros(2), np.ones(2)]], ids=["numbers", "arrays"])
def test_changes_of_a_list_among_the_arguments_are_refused(program: Program, items: Any) -> None:
    given = list(items)
    with pytest.raises(ValueError, match="changes its argument `items`"):
        tf.function(program, numpy=True)(given, VECTOR)
    assert all(one is other for one, other in zip(given, items, strict=True))


def test_a_growing_list_that_the_result_holds_twice_is_one_list() -> None:
    @tf.function(numpy=True)
    def program(n):
        row = []
        for i in range(n):
            row.append(i)
        return row, [row]

    for n in (3, 0):
        row, (again,) = program(np.int64(n))
        assert row is again
        assert row == list(range(n))


def adds_to_each(items, x):
    for item in items:
        item += x


def test_arrays_in_a_list_among_the_arguments_are_the_callers() -> None:
    items = [np.zeros(2), np.ones(2)]
    tf.function(adds_to_each, numpy=True)(items, np.ones(2))
    assert [item.tolist() for item in items] == [[1, 1], [2, 2]]


def test_a_list_that_the_result_holds_twice_is_one_list() -> None:
    @tf.function(numpy=True)
    def program(x):
        row = [x[0], 1]
        return row, [row, x], {"row": row}

    for _ in range(2):
        row, (again, _), named = program(VECTOR)
        assert row is again is named["row"]
        assert is_same(row, [VECTOR[0], 1])


def test_a_set_of_the_result_is_a_new_one_at_each_call() -> None:
    @tf.function(numpy=True)
    def program(x):
        return {1, 2}, x[0]

    first, second, third = (program(VECTOR)[0] for _ in range(3))
    assert first == second == third == {1, 2}
    assert first is not second is not third


KEPT = Total()
KEPT.rows = None


def returns_a_new_object(x):
    return Total()


LEFT: dict[str, Any] = {}


def returns_a_list_that_it_leaves_outside(x):
    LEFT["row"] = row = [x[0]]
    return row


def returns_a_list_that_it_may_leave_outside(x):
    row = {"first": [1, 2]}
    if x[0] > 0:
        KEPT.rows = [row]
    return row


def returns_lists_that_may_be_one(x):
    row, box = [1, 2], Total()
    box.row = [3, 4]
    if x[0] > 0:
        box.row = row
    return row, (box.row, 1)


def returns_one_of_two_lists(x):
    one, other = [1, 2], [3, 4]
    chosen = one if x[0] > 0 else other
    return one, [chosen]


def returns_a_list_that_may_be_one_from_outside(x):
    return [KEPT.row if x[0] > 0 else [3, 4]]


def returns_swapped_rows(x):
    rows = [[1, 2], [3, 4]]
    if x[0] > 0:
        rows[0], rows[1] = rows[1], rows[0]
    return rows


def reads_a_file(x):
    return x + np.load("none.npy")


def returns_a_generator(x):
    return (value for value in (1, 2))


def returns_a_list_from_outside(x):
    return KEPT.row


def returns_a_bool_or_an_int(x):
    return (x[0] > 0) and 1


@pytest.mark.parametrize(
    "program, words",
    [
        (returns_a_bool_or_an_int, "the result of `and` is bool"),
        (returns_a_new_object, "a Total that the program makes is returned"),
        (returns_a_generator, "a generator that the program makes is returned"),
        (returns_a_list_that_may_be_one_from_outside, "may be one that outlives the call"),
        (returns_a_list_from_outside, "a list that outlives the call is returned"),
        (returns_a_list_that_it_leaves_outside, "a list that outlives the call is returned"),
        (returns_a_list_that_it_may_leave_outside, "a dict that outlives the call is returned"),
        (returns_lists_that_may_be_one, "a list of the result may be another one of it|chose"),
        (returns_swapped_rows, "a list or dict that a staged statement chose is returned"),
        (reads_a_file, "`np.load` is called in a traced program"),
        (returns_one_of_two_lists, "a list or dict that a staged statement chose is returned"),
    ],
)
def test_what_each_call_would_have_to_make_or_find_is_refused(program: Program, words: str) -> None:
    with pytest.raises(TypeError, match=words) as caught:
        tf.function(program, numpy=True)(VECTOR)
    shown = "".join(traceback.format_exception(caught.value))
    assert f"in {program.__name__}" in shown


def early_return_of_one(a, b):
    if a[0] > 0:
        return a
    return b


def chosen_in_a_tuple(a, b):
    chosen = a if a[0] > 0 else b
    return chosen, 1


def early_return_of_one_or_a_new_one(a, b):
    if a[0] > 0:
        return a
    return a + b


def changed_by_a_loop(a, b):
    first = a
    for _ in range(int(b[0])):
        a = a * 2
    return a, first


def two_names_of_one(a, b):
    c = a
    if b[0] > 0:
        c = a + b
    return [c, c], a


def in_an_attribute(a, b):
    total = Total()
    total.value = a
    if b[0] > 0:
        total.value = b
    return total.value


def chosen_twice(a, b):
    c = a if a[0] > 0 else b
    if b[0] > 0:
        c = c * 2
    return c, a, b


def view_of_one(a, b):
    for _ in range(int(b[0])):
        a = a * 2
    return a[::-1], a[1:] * 2


def chosen_copy(a, b):
    chosen = a if a[0] > 0 else b
    return chosen.copy(), a


@pytest.mark.parametrize("first", [-1.0, 2.0])
@pytest.mark.parametrize("second", [-1.0, 2.0])
@pytest.mark.parametrize(
    "program",
    [
        early_return_of_one, chosen_in_a_tuple, early_return_of_one_or_a_new_one, changed_by_a_loop,
        two_names_of_one, in_an_attribute, chosen_twice, view_of_one, chosen_copy,
    ],
)  # fmt: skip
def test_a_result_is_the_argument_that_the_running_graph_decides(
    program: Program, first: float, second: float
) -> None:
    assert difference(program, np.array([first, 1.0]), np.array([second, 3.0])) == ""


def new_arrays_that_may_be_one(x):
    a = b = np.zeros(3)
    if x[0] > 0:
        a = a + 1
    return a, b


def test_new_arrays_that_may_be_one_are_refused() -> None:
    with pytest.raises(TypeError, match="may be another one of it") as caught:
        tf.function(new_arrays_that_may_be_one, numpy=True)(VECTOR)
    assert "in new_arrays_that_may_be_one" in str(caught.value)


class Holder:
    def __init__(self):
        self.x = np.ones(3)
        self.made = None


@pytest.mark.parametrize(
    "program",
    [
        lambda holder: holder.x * 2,
        lambda holder: [holder.x * 2, np.cumsum(holder.x)],
        lambda holder: {"k": (holder.x[1:] + 1,)},
    ],
)
def test_array_that_needs_no_argument_is_new_at_each_call(program):
    staged, holder = tf.function(numpy=True)(program), Holder()
    for _ in range(3):
        given = tf.nest.flatten(staged(holder))
        expected = tf.nest.flatten(program(holder))
        for array, plain in zip(given, expected, strict=True):
            assert array.tolist() == plain.tolist()
            array += 1  # the caller's own


def test_array_that_was_there_is_the_same_at_each_call():
    staged, holder = tf.function(numpy=True)(lambda holder: holder.x), Holder()
    assert staged(holder) is holder.x and staged(holder) is holder.x


def test_new_array_that_needs_no_argument_is_left_outside_at_each_call():
    @tf.function(numpy=True)
    def leave(holder):
        holder.made = holder.x * 2

    holder = Holder()
    for _ in range(3):
        before = holder.made
        leave(holder)
        assert holder.made is not before and holder.made.tolist() == [2.0, 2.0, 2.0]
        holder.made += 1


def test_array_that_is_two_items_of_a_list_that_grows_is_refused():
    @tf.function(numpy=True)
    def collect(x, n):
        row = x * 2
        rows = [row, row]
        for i in range(n):
            if x[0] > i:
                rows.append(x * 3)
        return rows

    with pytest.raises(TypeError, match="appended to a list that grows a second time"):
        collect(np.ones(3), np.int64(3))
