# ruff: noqa: C400, C416, SIM108 - the programs are as people write them
"""Dicts that gain or lose keys in staged statements: what plain Python gives, or a refusal."""

from collections import ChainMap

import numpy as np
import pytest

import autograph
import runtime as tf


class Record:
    def __init__(self):
        self.items = {"a": 1}

    def put(self, key, value):
        self.items[key] = value


def key_of_a_branch(x):
    d = {"a": 1}
    if x > 0:
        d["k"] = x
    return d


def key_of_a_loop(x):
    d = {}
    for i in range(abs(x)):
        d["p"] = i
    return d


def keys_of_a_loop_with_a_branch(x):
    d = {}
    for i in range(abs(x)):
        if i > 0:
            d["second"] = i * 2
        d["first"] = i
    return d


def keys_in_two_orders(x):
    if x > 0:
        d = {"a": 1, "b": 2}
    else:
        d = {"b": 3, "a": 4}
    d["c"] = 5
    return d


def key_updated(x):
    d = {}
    if x > 0:
        d["k"] = 1
    d["k"] = d.get("k", 10) + x
    return d


def key_with_default(x):
    d = {"a": 1}
    if x > 0:
        d["k"] = x
    return d.get("k", 7), d.get("a", 8), d.get("other", 9)


def key_deleted(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
    return d


def key_popped(x):
    d = {"a": 1, "b": 2}
    y = 0
    if x > 0:
        y = d.pop("a")
    return d, y, d.pop("a", 50), d


def key_set_by_default(x):
    d = {}
    if x > 0:
        d["k"] = 4
    y = d.setdefault("k", 3)
    return d, y


def number_of_keys(x):
    d = {"a": 1}
    if x > 0:
        d["k"] = 1
    if x > 1:
        del d["a"]
    return len(d)


def truth_of_a_dict(x):
    d = {}
    if x > 0:
        d["k"] = 1
    return 1 if d else 2


def membership(x):
    d = {}
    key, other = "k", "other"
    if x > 0:
        d[key] = 1
    return key in d, key not in d, other in d


def branch_by_membership(x):
    d = {}
    key = "k"
    for i in range(abs(x)):
        if key in d:
            d[key] += i
        else:
            d[key] = 100
    return d


def updated_by_a_dict(x):
    d = {"a": 1}
    if x > 0:
        d.update({"k": x, "a": 2})
    d |= {"l": 3}
    return d


def emptied(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.clear()
    d["c"] = 3
    return d


def tuples_and_numbers(x):
    d = {}
    if x > 0:
        d[1] = (x, 0.5)
    elif x < 0:
        d[(1, 2)] = "text"
    return d.get(1, (0, 0.0))[1]


def dict_of_an_attribute(x):
    r = Record()
    if x > 0:
        r.put("k", x)
    return r.items


def dict_of_the_caller(x):
    def put(d, x):
        if x > 0:
            d["k"] = x

    d = {}
    put(d, x)
    d["l"] = 1
    return d.get("k", 9), d.get("l", 9), len(d)


def second_name(x):
    d = {}
    e = d
    if x > 0:
        d["k"] = 1
    e["l"] = 2
    return d, e


def inserted_again(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        del d["a"]
        d["a"] = 3
    return list(d.get(key, 0) for key in ("a", "b")), d


def two_arms(x):
    d = {}
    if x > 0:
        d["a"] = x
    elif x < 0:
        d["b"] = 5
        d["a"] = 6
    return d


def default_of_none(x):
    d = {}
    if x > 0:
        d["k"] = x
    found = d.get("k")
    if found is None:
        return -1
    return found + 1


def default_for_a_key_of_a_tensor(x):
    found = {1: 10, 3: 30}.get(x)
    return 0 if found is None else found


def list_or_default_changed(x):
    rows, spare = {1: [10], 3: [30]}, [50]
    found = rows.get(x, spare)
    found[0] = found[0] + x
    return rows[1][0], rows[3][0], spare[0]


def object_or_default_changed(x):
    held, spare = Record(), Record()
    held.count = spare.count = 0
    d = {}
    if x > 0:
        d["k"] = held
    found = d.get("k", spare)
    found.count = found.count + 5
    return held.count, spare.count


def object_or_none_changed(x):
    held = Record()
    held.count = 0
    d = {}
    if x > 0:
        d["k"] = held
    found = d.get("k")
    if found is not None:
        found.count = found.count + 5
    return held.count


SAME = [
    default_of_none, default_for_a_key_of_a_tensor, list_or_default_changed,
    object_or_default_changed, object_or_none_changed,
    key_of_a_branch, key_of_a_loop, keys_of_a_loop_with_a_branch, keys_in_two_orders,
    key_updated, key_with_default, key_deleted, key_popped, key_set_by_default, number_of_keys,
    truth_of_a_dict, membership, branch_by_membership, updated_by_a_dict, emptied,
    tuples_and_numbers, dict_of_an_attribute, dict_of_the_caller, second_name, inserted_again,
    two_arms,
]  # fmt: skip


def plain(value):
    if isinstance(value, dict):
        return [(key, plain(item)) for key, item in value.items()]
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return np.asarray(value).tolist()


@pytest.mark.parametrize("x", [-2, 0, 1, 3])
@pytest.mark.parametrize("program", SAME, ids=lambda program: program.__name__)
def test_same_as_python(program, x):
    expected = plain(program(x))
    assert plain(tf.function(program)(tf.constant(x))) == expected
    assert plain(autograph.to_graph(program)(x)) == expected


def missing_read(x):
    d = {}
    if x > 0:
        d["k"] = 1
    return d["k"]


def missing_deleted(x):
    d = {}
    if x > 0:
        d["k"] = 1
    del d["k"]
    return len(d)


def missing_popped(x):
    d = {"k": 1}
    if x <= 0:
        del d["k"]
    return d.pop("k")


def missing_updated(x):
    d = {}
    for i in range(abs(x)):
        if i > 0:
            d["k"] = 1
    d["k"] += 1
    return d["k"]


@pytest.mark.parametrize(
    "program", [missing_read, missing_deleted, missing_popped, missing_updated]
)
def test_a_missing_key_raises_when_the_graph_runs(program):
    staged = tf.function(program)
    with pytest.raises(KeyError) as expected:
        program(0)
    with pytest.raises(KeyError) as caught:
        staged(tf.constant(0))
    assert caught.value.args == expected.value.args
    assert plain(staged(tf.constant(3))) == program(3)


def iterated(x):
    d = some_keys(x)
    return [key for key in d]


def iterated_by_a_loop(x):
    total = 0
    for _ in some_keys(x):
        total += 1
    return total


def items_of(x):
    return list(some_keys(x).items())


def values_summed(x):
    return sum(some_keys(x).values())


def compared(x):
    return some_keys(x) == {"k": 1}


def joined(x):
    return some_keys(x) | {"l": 1}


def unpacked(x):
    return {**some_keys(x)}


def literal_membership(x):
    d = some_keys(x)
    return 1 if "k" in d else 2


def some_keys(x):
    d = {}
    if x > 0:
        d["k"] = 1
    return d


def hidden_name_read(x):
    def put(d, x):
        if x > 0:
            d["k"] = x

    d = {}
    put(d, x)
    return d["k"]


def handled_by_name(x):
    d = some_keys(x)
    try:
        return d["k"]
    except KeyError:
        return 0


def handled_by_base(x):
    d = some_keys(x)
    try:
        return d["k"]
    except (ValueError, LookupError):
        return 0


def handled_by_the_caller(x):
    try:
        return missing_read(x)
    except Exception:
        return 0


def handled_in_chain_map(x):
    return ChainMap(some_keys(x), {"k": 5})["k"]


def keys_seen_before(x):
    d = {"a": 1}
    keys = d.keys()
    if x > 0:
        d["k"] = 1
    return len(keys)


def values_seen_before(x):
    d = {"a": 1}
    values = d.values()
    if x > 0:
        d["k"] = 1
    return sum(values)


def items_seen_before(x):
    d = {"a": 1}
    items = d.items()
    if x > 0:
        d["k"] = 1
    return [key for key, _ in items]


def values_unpacked(x):
    d = {"a": 1}
    values = d.values()
    if x > 0:
        d["k"] = 1
    return [*values]


REFUSED = [
    handled_by_name, handled_by_base, handled_by_the_caller, handled_in_chain_map,
    keys_seen_before, values_seen_before, items_seen_before, values_unpacked,
    iterated, iterated_by_a_loop, items_of, values_summed, compared, joined, unpacked,
    literal_membership,
]  # fmt: skip


@pytest.mark.parametrize("x", [0, 1])
@pytest.mark.parametrize("program", REFUSED, ids=lambda program: program.__name__)
def test_what_asks_for_all_keys_is_refused(program, x):
    with pytest.raises((TypeError, ValueError)) as caught:
        tf.function(program)(tf.constant(x))
    assert "Partial" not in str(caught.value)


def test_a_key_that_a_called_function_added_is_read():
    put = tf.function(hidden_name_read)
    assert int(put(tf.constant(1))) == 1
    with pytest.raises(KeyError):
        put(tf.constant(0))


def test_handlers_of_other_errors_leave_a_missing_key_to_the_run():
    def program(x):
        d = some_keys(x)
        try:
            return d["k"]
        except AttributeError:
            return 0

    staged = tf.function(program)
    assert int(staged(tf.constant(1))) == 1
    with pytest.raises(KeyError):
        staged(tf.constant(0))


def test_handlers_around_the_function_wait_for_the_run():
    staged = tf.function(missing_read)
    try:
        staged(tf.constant(0))
    except KeyError as error:
        assert error.args == ("k",)
    else:
        raise AssertionError("no KeyError")


def test_handlers_around_a_graph_built_by_hand_wait_for_the_run():
    converted = autograph.to_graph(missing_read)
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.int32, [])
        try:
            y = converted(x)
        except KeyError:
            raise AssertionError("nothing has run") from None
        with tf.compat.v1.Session(graph=graph) as session:
            assert session.run(y, {x: 3}) == 1
            with pytest.raises(KeyError):
                session.run(y, {x: 0})
