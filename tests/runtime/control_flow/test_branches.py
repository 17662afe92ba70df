# ruff: noqa: SIM108, F841, RUF059, C416 - the programs are as people write them
"""Variables to which branches or iterations give values that no one type covers.

The statement itself is no error: the first use of the variable after it is. `SAME` are programs
that use no such variable, `REFUSED` those that do, with what the error says.
"""

import re

import numpy as np
import pytest

import autograph
import runtime as tf


class Node:
    def __init__(self, value):
        self.value = value


def recursive_function_after_an_early_return(x):
    if x < 0:
        return 0

    def factorial(n):
        return 1 if n <= 1 else n * factorial(n - 1)

    return x * factorial(4)


def recursive_functions_after_two_early_returns(x):
    if x < 0:
        return 0

    def even(n):
        return True if n == 0 else odd(n - 1)

    if x > 5:
        return 1

    def odd(n):
        return False if n == 0 else even(n - 1)

    return x + (2 if even(4) else 0)


def function_or_number_assigned_over(x):
    f = abs if x > 0 else 3
    f = x + 1
    return f


def string_or_number_passed_on(x):
    if x > 0:
        y = "a"
    else:
        y = 2
    z = y
    kept = [y, z]
    return x + len(kept)


def object_or_tensor_in_a_loop(x):
    last = Node(x)
    total = 0
    for i in range(abs(x)):
        last = x + i
        total += last
    return total


def string_before_each_iteration(x):
    part = "none"
    total = 0
    while x > 0:
        part = x * 2
        total += part
        x -= 1
    return total


def lists_of_two_lengths_of_functions(x):
    if x > 0:
        steps = [abs]
    else:
        steps = [abs, min]
    steps = [abs]
    return steps[0](x)


def through_branches_and_loops(x):
    if x > 0:
        f = abs
    else:
        f = "a"
    for i in range(abs(x)):
        if i > 1:
            x += 1
            f = min
    while x > 2:
        x -= 1
    return x


def dtypes_assigned_over(x):
    y = tf.constant(1)
    if x > 0:
        y = tf.constant(1.5)
    y = x
    return y


def function_of_one_branch_tested_for_none(x):
    if x > 0:
        f = abs
    else:
        f = min
    return 0 if f is None else 1


SAME = [
    recursive_function_after_an_early_return, recursive_functions_after_two_early_returns,
    function_or_number_assigned_over, string_or_number_passed_on, object_or_tensor_in_a_loop,
    string_before_each_iteration, lists_of_two_lengths_of_functions, through_branches_and_loops,
    dtypes_assigned_over, function_of_one_branch_tested_for_none,
]  # fmt: skip


@pytest.mark.parametrize("x", [-2, 0, 1, 3])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_a_conflict_that_nothing_uses_is_no_error(program, x):
    expected = program(x)
    assert np.asarray(tf.function(program)(tf.constant(x))) == expected
    assert autograph.to_graph(program)(x) == expected


USES = [
    lambda y: y(1), lambda y: y.name, lambda y: y[0], lambda y: y + 1, lambda y: 1 - y,
    lambda y: y == 1, lambda y: y < 1, lambda y: -y, lambda y: list(y), lambda y: len(y),
    lambda y: 1 if y else 2, lambda y: not y, lambda y: y and 1, lambda y: 1 in y,
    lambda y: f"{y}", lambda y: str(y), lambda y: isinstance(y, str), lambda y: hasattr(y, "x"),
    lambda y: {y: 1}, lambda y: tf.constant(1) + y, lambda y: tf.convert_to_tensor(y),
    lambda y: tf.stack([y, y]), lambda y: y is abs, lambda y: y is not abs, lambda y: y,
    lambda y: (1, y), lambda y: {"k": [y]}, lambda y: sorted(y), lambda y: [a for a in y],
    lambda y: callable(y),
]  # fmt: skip


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


@pytest.mark.parametrize("number", range(len(USES)))
def test_each_use_of_a_conflict_is_refused_at_its_line(number):
    use = USES[number]

    def program(x):
        if x > 0:
            y = [1]
        else:
            y = "a"
        return use(y)

    line = program.__code__.co_firstlineno + 1
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(1))
    text = str(caught.value)
    assert "`y` is a list" in text and f"line {line}" in text
    assert "Conflict" not in text


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


def conflict_or_none(x):
    if x > 0:
        y = "a"
    else:
        y = [1]
    if x > 1:
        y = None
    return 1 if y is None else 2


def given_to_a_function_that_asks(x):
    if x > 0:
        y = None
    else:
        y = [1]
    return asks(y)


def asks(y):
    return 1 if y is None else 2


def function_of_one_branch_only(x):
    if x > 0:
        y = abs
    return 1 if y is None else 2


def conflict_among_tensors_of_a_loop(x):
    y = "a"
    for i in range(abs(x)):
        y = y + i
    return x


@pytest.mark.parametrize(
    "program",
    [
        conflict_or_none, function_of_one_branch_only, conflict_among_tensors_of_a_loop,
    ],
)  # fmt: skip
@pytest.mark.parametrize("x", [-1, 1])
def test_what_identity_would_answer_wrongly_is_refused(program, x):
    with pytest.raises((TypeError, ValueError)):
        tf.function(program)(tf.constant(x))


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


def test_the_remedy_for_dicts_of_two_shapes_is_about_their_keys():
    @tf.function
    def program(x):
        d = {}
        if x > 0:
            d["a"] = object()
        return d

    @tf.function
    def remedied(x):
        d = {"a": []}
        if x > 0:
            d["a"].append(x)
        return d

    with pytest.raises(tf.errors.VariantError, match="Give the dict all its keys before"):
        program(tf.constant(1))
    assert [[int(each) for each in remedied(tf.constant(x))["a"]] for x in (1, -1)] == [[1], []]


KEYS = """
def put(d):
    {line}

def program(x):
    d, e = {{"a": 1}}, {{"a": 2}}
    f = d
    if x > 0:
        f = e
    put(f)
    try:
        return e["new"]
    except KeyError:
        return -1
"""


@pytest.mark.parametrize(
    "line", ['d["new"] = 5', "d.update(new=5)", 'd.setdefault("new", 5)', 'd |= {"new": 5}']
)
def test_a_key_that_one_of_two_dicts_gets_is_no_key_error_in_the_other(line):
    space = autograph.exec(KEYS.format(line=line))
    with pytest.raises(TypeError, match="`f` may be"):
        tf.function(space["program"])(tf.constant(-1.0))


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
