# ruff: noqa: SIM108, RUF059 - the programs are as people write them
"""Variables to which branches or iterations give values that no one type covers.

The statement itself is no error: the first use of the variable after it is. `SAME` are programs
that use no such variable, `REFUSED` those that do, with what the error says.
"""

import re

import pytest

import runtime as tf


def assigned_item(x):
    y = merged_list(x)
    y[0] = 1
    return x


def assigned_attribute(x):
    y = merged_list(x)
    y.a = 1
    return x


def updated(x):
    y = merged_list(x)
    y += 1
    return x


def iterated(x):
    y = merged_list(x)
    for each in y:
        x += each
    return x


def unpacked(x):
    y = merged_list(x)
    a, b = y
    return x


def merged_list(x):
    if x > 0:
        y = [abs]
    else:
        y = [abs, min]
    return y


@pytest.mark.parametrize(
    "program", [assigned_item, assigned_attribute, updated, iterated, unpacked]
)
def test_each_statement_on_a_conflict_is_refused(program):
    with pytest.raises((TypeError, ValueError), match="`y` is a list"):
        tf.function(program)(tf.constant(1))


def none_or_list(x):
    if x > 0:
        y = None
    else:
        y = [1]
    return 1 if y is None else 2


def given_to_a_function_that_asks(x):
    if x > 0:
        y = None
    else:
        y = [1]
    return asks(y)


def asks(y):
    return 1 if y is None else 2


@pytest.mark.parametrize("program", [none_or_list, given_to_a_function_that_asks])
@pytest.mark.parametrize("x", [-1, 1])
def test_a_list_in_one_branch_and_none_in_the_other_are_told_apart(program, x):
    assert tf.function(program)(tf.constant(x)) == program(x)


def test_the_error_shows_the_statement_and_the_use():
    def program(x):
        if x > 0:
            y = "a"
        else:
            y = 2
        z = y
        return z + 1

    first = program.__code__.co_firstlineno
    with pytest.raises(TypeError) as caught:
        tf.function(program)(tf.constant(1))
    text = str(caught.value)
    assert f"line {first + 1}, in program" in text
    assert text.endswith(f"line {first + 6}, in program")


def test_the_error_of_a_returned_value_shows_the_return():
    def program(x):
        if x > 0:
            y = "a"
        else:
            y = 2
        return x, y

    with pytest.raises(TypeError) as caught:
        tf.function(program)(tf.constant(1))
    line = program.__code__.co_firstlineno + 5
    assert str(caught.value).endswith(f"line {line}, in program")


@pytest.mark.parametrize(("one", "other"), [(1, "2"), ("1", 2), (1, 2.5), ("1.5", 2.5)])
def test_the_remedy_for_two_dtypes_is_a_call_that_converts(one, other):
    def choose(c):
        if c:
            y = tf.constant(one)
        else:
            y = tf.constant(other)
        return y

    with pytest.raises(TypeError, match="Convert one side, for instance with") as caught:
        tf.function(choose)(tf.constant(True))
    call = re.search(r"with (runtime\..*?\))[,.]", str(caught.value)).group(1)
    converted = eval(call, {"runtime": tf, "x": tf.constant(one)})
    assert converted.dtype == tf.constant(other).dtype


def test_the_remedy_for_a_list_and_a_dict_names_no_conversion():
    def choose(x):
        if x > 0:
            y = [x]
        else:
            y = {"a": x}
        return y

    with pytest.raises(TypeError, match="Assign one type in both"):
        tf.function(choose)(tf.constant(1.0))


def test_items_that_no_branch_changes_are_no_outputs():
    @tf.function
    def limited(x):
        grid = [[(i * j) % 5 for j in range(4)] for i in range(4)]
        record = dict.fromkeys("abcd", 0)
        for i in range(4):
            for j in range(4):
                if grid[i][j] > x:
                    grid[i][j] = x
                    record["abcd"[i]] += 1
        return grid, record

    x = tf.constant(2)
    graph = limited.get_concrete_function(x).graph
    outputs = [len(op.outputs) for op in graph.operations if op.subgraphs()]
    assert len(outputs) == 16 and max(outputs) == 2
    expected = [[min((i * j) % 5, 2) for j in range(4)] for i in range(4)]
    counts = [sum((i * j) % 5 > 2 for j in range(4)) for i in range(4)]
    grid, record = limited(x)
    assert [[int(each) for each in row] for row in grid] == expected
    assert [int(record[name]) for name in "abcd"] == counts
