# ruff: noqa: SIM108 - the programs are as people write them
"""`sorted`, `list.sort`, `max` and `min` in orders that tensors decide."""

import math

import pytest

import autograph
import runtime as tf
from tests.runtime.control_flow.agreement import agrees, check, outcome, plain, value

NAN = math.nan


def numbers(x):
    v = [3, x, 1]
    v.sort()
    return v


def descending(x):
    v = [3, x, 1]
    v.sort(reverse=True)
    return v


def by_a_key(x):
    v = [3, x, 1]
    v.sort(key=lambda z: -z)
    return v


def python_numbers_by_a_key(x):
    v = [3, 2, 1]
    v.sort(key=lambda z: z * x)
    return v


def tuples_by_an_item(x):
    v = [(3, 1), (x, 2), (1, 5)]
    v.sort(key=lambda z: z[0])
    return v


def in_a_branch(x):
    v = [3, x, 1]
    if x > 0:
        v.sort(key=lambda z: -z)
    return v


def a_list_that_grew(x):
    v = []
    for i in range(4):
        if x > i:
            v.append(i * x % 3)
    v.sort(key=lambda z: -z)
    return v


def sorted_copies_of_a_list_that_grew(x):
    v = []
    for i in range(4):
        if x > i:
            v.append(i * x % 3)
    return sorted(v, key=lambda z: -z), sorted(v, reverse=True), sorted(v)


def a_sorted_copy_in_a_branch(x):
    v = [5, 3, 4]
    if x > 0:
        v = sorted(v, key=lambda z: (z - x) * (z - x))
    return v


def tuples_that_grew_by_tuples(x):
    v = []
    for i in range(4):
        if x > i:
            v.append((i * x % 3, i))
    v.sort(key=lambda z: (z[0], -z[1]))
    return v


def tuples_that_grew(x):
    v = []
    for i in range(4):
        if x > i:
            v.append((i * x % 3, i))
    v.sort(reverse=True)
    return v


def by_tuples(x):
    v = [3, x, 1]
    v.sort(key=lambda z: (z % 2, z))
    return v


def lists_by_an_item(x):
    v = [[3, 1], [x, 2], [1, 5]]
    v.sort(key=lambda z: z[0])
    return v


def lists(x):
    v = [[3, 1], [x, 2], [1, 5]]
    return sorted(v)


def reversed_by_a_tensor(x):
    v = ["b", "a", "cc"]
    v.sort(key=len)
    return v, sorted(v, reverse=x > 0)


def texts_by_scores(x):
    names = ["b", "a", "cc"]
    score = {"b": x, "a": 2, "cc": 1}
    names.sort(key=lambda n: score[n])
    return names


def items_by_scores(x):
    names = ["b", "a", "cc"]
    score = {"b": x, "a": 2, "cc": 1}
    return sorted(names, key=score.get), sorted(score.items(), key=lambda p: p[1])


def objects(x):
    class P:
        def __init__(self, n):
            self.n = n

    ps = [P(3), P(x), P(1)]
    ps.sort(key=lambda p: p.n)
    return [p.n for p in ps]


def in_the_order_of_a_staged_loop(x):
    v = []
    i = 0
    while i < x:
        v.append(x - i)
        i += 1
    v.sort(key=lambda z: z % 2, reverse=True)
    return v


def under_two_names(x):
    v = [3, x, 1]
    w = v
    v.sort(key=abs)
    return w


def reversed_by_a_tensor_in_place(x):
    v = [3, 2, 1]
    v.sort(reverse=x > 0)
    return v


def lists_keep_their_names(x):
    rows = [[3, 1], [x, 2], [1, 5]]
    first = rows[0]
    rows.sort(key=lambda z: z[0])
    rows[0][1] = 9
    return [list(z) for z in rows], list(first)


def objects_keep_their_names(x):
    class P:
        def __init__(self, n, m):
            self.n = n
            self.m = m

    ps = [P(3, 1), P(x, 2), P(1, 0)]
    a = ps[0]
    ps.sort(key=lambda p: (p.n, p.m), reverse=True)
    ps[0].m = 7
    return [(p.n, p.m) for p in ps], a.m


def reversed_under_two_names(x):
    v = []
    for i in range(4):
        if x > i:
            v.append(i)
    w = v
    v.sort(reverse=x > 3)
    return v, w


def keys_and_items_of_a_dict(x):
    d = {"b": x, "a": 2, "c": 2}
    return (
        sorted(d, key=lambda k: d[k]),
        sorted(d.items(), key=lambda kv: (-kv[1], kv[0])),
        sorted(d.values()),
    )


def grown_after(x):
    if x > 0:
        v = [1, x]
    else:
        v = [x]
    v.sort(key=lambda z: -z)
    v.append(4)
    return sorted(v), v


def in_a_staged_loop(x):
    v = [3, x, 1]
    i = 0
    while i < x:
        v.sort(key=lambda z: (z + i) % 3)
        i += 1
    return v


def by_a_key_with_effects(x):
    v = [3, 2, 1, 2]
    calls = []

    def key(z):
        calls.append(z)
        return z * x

    v.sort(key=key)
    return v, calls


def equal_keys_stay(x):
    pairs = [(x, 1), (3, 2), (1, 3), (x, 4)]
    pairs.sort(key=lambda pair: pair[0], reverse=True)
    return pairs, sorted(pairs, key=lambda pair: -pair[0])


def floats_by_a_key(x):
    return [v == 0.1 for v in sorted([0.1, 0.3, 0.2], key=lambda v: x * int(10 * v))]


def positions_by_a_key(x):
    held = [x, 2 * x, 1]
    return [i * 0.5 for i in sorted(range(3), key=lambda i: held[i])]


def large_numbers_by_a_key(x):
    return sorted([2**40, 3], key=lambda v: v % 7 * x)


def items_by_their_texts(x):
    found = {"m1": x, "z": [x, 1], "k": "text"}
    starts = [name.startswith("m") for name, _ in sorted(found.items())]
    kept = [(len(name), n, value) for name, n, value in sorted([("bb", 1, x), ("a", 2, x)])]
    pairs = [("b", 2 * x), ("a", x), ("b", x)]
    pairs.sort(reverse=True)
    return starts, kept, pairs


AGREEING = [
    items_by_their_texts, floats_by_a_key, positions_by_a_key, large_numbers_by_a_key,
    numbers, descending, by_a_key, python_numbers_by_a_key, tuples_by_an_item, in_a_branch,
    a_list_that_grew, sorted_copies_of_a_list_that_grew, a_sorted_copy_in_a_branch,
    tuples_that_grew_by_tuples, tuples_that_grew, by_tuples, lists_by_an_item, lists,
    texts_by_scores, items_by_scores, objects, in_the_order_of_a_staged_loop, under_two_names,
    lists_keep_their_names, objects_keep_their_names, keys_and_items_of_a_dict, grown_after,
    in_a_staged_loop, by_a_key_with_effects, equal_keys_stay,
]  # fmt: skip


@pytest.mark.parametrize("program", AGREEING, ids=lambda program: program.__name__)
def test_an_order_is_that_of_plain_python(program):
    check(program, (3,), (-3,), (5,))


@pytest.mark.parametrize(
    "program",
    [
        lambda xs: sorted(enumerate(xs), key=lambda pair: pair[1]),
        lambda xs: max(enumerate(xs), key=lambda pair: -pair[1]),
        lambda xs: min(zip(xs, reversed(xs), strict=True)),
        lambda xs: sorted(map(abs, xs)),
    ],
)
def test_items_of_iterables_over_a_tensor_are_put_in_order(program):
    for values in ([3, -4, 1], [2, 2, -9]):
        assert plain(tf.function(program)(tf.constant(values))) == program(values)


def test_items_of_a_range_of_unknown_length_are_put_in_order():
    def program(xs, n):
        return sorted(range(n), key=lambda i: xs[i]), max(range(n), key=lambda i: xs[i])

    traced = tf.function(program)
    for n in (3, 4):
        found = plain(traced(tf.constant([3, -4, 1, 9]), tf.constant(n)))
        assert found == program([3, -4, 1, 9], n)


@pytest.mark.parametrize(
    "program", [reversed_by_a_tensor, reversed_by_a_tensor_in_place, reversed_under_two_names]
)
def test_a_tensor_decides_the_direction(program):
    for x in (3, -3, 5):
        assert plain(tf.function(program)(tf.constant(x))) == plain(program(x))


def test_keys_are_asked_for_once_and_in_order_without_tensors():
    def program(x):
        calls = []
        names = ["b", "a"]
        names.sort(key=lambda name: calls.append(name) or name)
        return names, calls

    check(program, (1,))


@pytest.mark.parametrize("sort", [lambda v: v.sort(), lambda v: v.sort(key=lambda z: z)])
def test_a_nan_raises_when_the_graph_runs(sort):
    @tf.function
    def program(x):
        numbers = [2.0, x, 1.0]
        sort(numbers)
        return numbers

    assert plain(program(tf.constant(1.5))) == [1.0, 1.5, 2.0]
    with pytest.raises(ValueError, match="NaN"):
        program(tf.constant(float("nan")))


def test_texts_of_the_running_program_are_refused():
    def program(x):
        name = "a" if x > 0 else "c"
        names = [name, "b"]
        names.sort()
        return names

    assert outcome(autograph.to_graph(program), 3) == ["a", "b"]
    with pytest.raises(TypeError, match="texts"):
        tf.function(program)(tf.constant(3))


def test_an_object_in_the_list_twice_is_refused():
    class Part:
        def __init__(self, size):
            self.size = size

    def program(x):
        part = Part(x)
        parts = [part, Part(1), part]
        parts.sort(key=lambda each: each.size)
        return parts[0].size

    with pytest.raises(TypeError, match="only the running program"):
        tf.function(program)(tf.constant(3))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: (max(x, 1.0), max(1.0, x), min(x, 1.0), min(1.0, x)),
        lambda x: (max([x, 1.0, 2.0]), max([1.0, x, 2.0]), min([2.0, x, 1.0])),
        lambda x: max(x, 1.0, key=lambda v: -v),
    ],
)
@pytest.mark.parametrize("x", [NAN, 1.5, math.inf, -math.inf])
def test_nan_is_neither_larger_nor_smaller(program, x):
    agrees(program, x)


@pytest.mark.parametrize("values", [[NAN, 1.0, 2.0], [1.0, NAN, 3.0], [-math.inf, NAN], [2.0, 5.0]])
def test_nan_among_the_elements_of_a_tensor(values):
    for program in (max, min):
        traced = tf.function(lambda xs, program=program: program(xs))
        assert repr(value(traced(tf.constant(values)))) == repr(program(values))
        unknown = tf.function(
            lambda xs, program=program: program(xs), input_signature=[tf.TensorSpec([None])]
        )
        assert repr(value(unknown(tf.constant(values)))) == repr(program(values))


@pytest.mark.parametrize(
    "program",
    [
        lambda x: max([x, True]),
        lambda x: min((x, True)),
        lambda x: max(x, 5, False),
        lambda x: max({"a": x, "b": True}.values()),
        lambda x: sorted([x, True])[0],
        lambda x: sorted([x, True], key=lambda v: -v)[0],
    ],
)
def test_a_bool_among_numbers_is_refused(program):
    with pytest.raises(TypeError, match=r"is compared with numbers(.|\n)*Convert the bool"):
        tf.function(program)(tf.constant(2))


def test_a_bool_converted_to_a_number_is_compared_with_numbers():
    def program(x):
        return max([x, int(True)]), min(x, int(True)), sorted([x, int(True)])[0]

    for x in (0, 1, 2):
        found = tf.function(program)(tf.constant(x))
        assert tuple(map(int, found)) == program(x)


def test_bools_alone_are_put_in_order():
    found = tf.function(lambda x: sorted([x > 0, True, x > 5]))(tf.constant(2))
    assert list(map(bool, found)) == [False, True, True]
