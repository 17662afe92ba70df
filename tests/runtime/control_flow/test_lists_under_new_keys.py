# ruff: noqa: RUF005 - the programs are as people write them
"""Lists and dicts under keys that a staged statement adds: as in plain Python, or a refusal."""

from collections import defaultdict

import pytest

import runtime as tf
from tests.runtime.control_flow.agreement import check

CALLS = ((3,), (-3,), (5,), (1,), (12,))


def of_a_default_in_a_branch(x):
    groups = defaultdict(list)
    if x > 0:
        groups["up"].append(x)
    groups["up"].append(1)
    return groups


def of_a_default_in_two_branches(x):
    groups = defaultdict(list)
    for i in range(4):
        if i < x:
            groups["low"].append(i)
        else:
            groups["high"].append(i * 2)
    return groups


def of_a_default_in_a_staged_loop(x):
    groups = defaultdict(list)
    i = 0
    while i < x:
        groups["all"].append(i)
        if i > 2:
            groups["large"].append(i)
        i += 1
    return groups["all"], groups["large"], len(groups)


def by_setdefault(x):
    groups = {}
    if x > 0:
        groups.setdefault("a", []).append(x)
    if x > 4:
        groups.setdefault("a", []).append(1)
    groups.setdefault("b", [0]).append(2)
    return groups


def by_setdefault_with_items(x):
    groups = {}
    if x > 0:
        groups["a"] = [x, x]
    groups.setdefault("a", [7]).append(1)
    return groups["a"]


def by_a_test_before(x):
    groups = {}
    for i in range(4):
        key = "low" if i < 2 else "high"
        if i < x:
            if key not in groups:
                groups[key] = []
            groups[key].append(i)
    return groups


def by_a_branch_for_each_case(x):
    groups = {}
    i = 0
    while i < x:
        if "all" in groups:
            groups["all"].append(i)
        else:
            groups["all"] = [i]
        i += 1
    return groups


def changed_in_place_later(x):
    groups = {}
    if x > 0:
        groups["a"] = [x, 2]
    if "a" in groups:
        groups["a"][0] = 9
        groups["a"] += [4]
    if x > 4:
        groups["a"].reverse()
    return groups


def under_both_names(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    row = groups.setdefault("a", [])
    if x > 2:
        groups["a"].append(4)
    if x > 4:
        row.append(7)
    return groups, len(row)


def read_by_get(x):
    groups = {}
    if x > 0:
        groups["a"] = [x, 5]
    total = 0
    for value in groups.get("a", []):
        total += value
    return total, len(groups.get("a", [1])), groups.get("a", [8])[0]


def joined_by_get(x):
    groups = {}
    for i in range(3):
        if x > i:
            groups["a"] = groups.get("a", []) + [i]
    return groups


def taken_out(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    row = groups.pop("a", [0])
    return row, len(groups)


def of_an_attribute(x):
    class Graph:
        def __init__(self):
            self.edges = defaultdict(list)

        def add(self, start, end):
            self.edges[start].append(end)

    graph = Graph()
    graph.add("a", 1)
    if x > 0:
        graph.add("b", x)
    if x > 4:
        graph.add("b", 7)
    return len(graph.edges["a"]), len(graph.edges["b"])


def dicts_under_keys(x):
    table = defaultdict(dict)
    if x > 0:
        table["a"]["k"] = x
    table["a"]["l"] = 1
    return table["a"].get("k", 0), len(table["a"])


def lists_of_tuples(x):
    groups = {}
    if x > 0:
        groups.setdefault("a", []).append((x, 1))
    for first, second in groups.get("a", [(4, 4)]):
        x = first + second
    return x


def made_by_a_function(x):
    makes = []

    def make():
        makes.append(1)
        return [0]

    groups = defaultdict(make)
    if x > 0:
        groups["a"].append(x)
    groups["a"].append(3)
    return groups["a"], len(makes)


def an_old_list_under_a_new_key(x):
    row, groups = [1], {}
    if x > 0:
        groups["a"] = row
    row[0] = 5
    return "a" in groups, len(groups)


def loop_after_a_read_of_a_default(a):
    lots = defaultdict(list)
    if a == 1:
        lots["q"]
    if lots["p"]:
        pass
    while a > 9:
        lots["p"].append(len(lots["p"]))
        a -= 1
    return len(lots), lots["p"]


def loop_after_a_new_key(a):
    lots = {}
    if a == 1:
        lots["q"] = 4
    lots["p"] = []
    while a > 9:
        lots["p"].append(len(lots["p"]))
        a -= 1
    return len(lots), lots["p"]


def old_list_beside_a_new_key(x):
    d = {"p": []}
    row = d["p"]
    if x > 2:
        d["p"].append(1)
        d["q"] = 3
    row.append(7)
    return d, row, len(d)


def old_list_beside_a_new_key_in_a_loop(x):
    d = {"p": []}
    row = d["p"]
    i = 0
    while i < x:
        d["p"].append(i)
        d["q"] = 3
        i += 1
    row.append(7)
    d["p"].append(8)
    return d, len(row), len(d)


def lists_and_keys_in_both_branches(x):
    d = {"p": []}
    if x > 5:
        d["q"] = [1]
    if x > 2:
        d["p"].append(1)
        d.setdefault("q", []).append(2)
    else:
        d["p"].append(5)
        d["p"].append(5)
        d["z"] = 4
    row = d["p"]
    if x > 11:
        row.append(9)
        del d["p"]
    return d, row


AGREEING = [
    of_a_default_in_a_branch, of_a_default_in_two_branches, of_a_default_in_a_staged_loop,
    by_setdefault, by_setdefault_with_items, by_a_test_before, by_a_branch_for_each_case,
    changed_in_place_later, under_both_names, read_by_get, joined_by_get, taken_out,
    of_an_attribute, dicts_under_keys, lists_of_tuples, made_by_a_function,
    an_old_list_under_a_new_key, loop_after_a_read_of_a_default, loop_after_a_new_key,
    old_list_beside_a_new_key, old_list_beside_a_new_key_in_a_loop, lists_and_keys_in_both_branches,
]  # fmt: skip


@pytest.mark.parametrize("program", AGREEING, ids=lambda program: program.__name__)
def test_lists_under_new_keys_are_those_of_plain_python(program):
    check(program, *CALLS)


def copy_read_after_a_change(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    row = groups.get("a", [])
    groups.setdefault("a", []).append(4)
    return len(row)


def copy_changed(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    row = groups.get("a", [])
    row.append(1)
    return groups


def default_read_after_a_change(x):
    groups, default = {}, []
    if x > 0:
        groups["a"] = [3]
    groups.setdefault("a", default).append(3)
    return len(default)


def old_list_taken_out(x):
    groups = {"a": [1]}
    row = groups["a"]
    if x > 0:
        del groups["a"]
    groups.setdefault("a", []).append(5)
    return row


def nothing_or_a_list(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    return groups.get("a") is None


def another_kind(x):
    groups = {}
    if x > 0:
        groups["a"] = [x]
    groups.setdefault("a", {})["k"] = 1
    return len(groups)


def chosen_before_it_grows(x):
    first, second = [1], [2, 3]
    row = first if x > 0 else second
    if x > 2:
        first.append(5)
    return len(row)


REFUSED = [
    copy_read_after_a_change, copy_changed, default_read_after_a_change, old_list_taken_out,
    nothing_or_a_list, another_kind, chosen_before_it_grows,
]  # fmt: skip


@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_a_list_that_may_be_another_one_is_refused(program):
    with pytest.raises(TypeError) as caught:
        tf.function(program)(tf.constant(3))
    assert "Partial" not in str(caught.value) and "Growing" not in str(caught.value)


def test_a_missing_list_raises_when_the_graph_runs():
    def program(x):
        groups = {}
        if x > 0:
            groups["a"] = [x]
        groups["a"].append(2)
        return groups["a"]

    check(program, (3,))
    with pytest.raises(KeyError):
        tf.function(program)(tf.constant(-3))


def test_a_list_under_a_new_key_has_gradients():
    @tf.function
    def program(x):
        groups = {}
        if x > 0:
            groups.setdefault("a", []).append(x * 3)
        total = x
        for value in groups.get("a", [x]):
            total = total + value
        return total

    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = program(x)
    assert float(tape.gradient(y, x)) == 4.0
