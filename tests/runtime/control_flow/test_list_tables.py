"""Long lists are one tensor in staged statements: traces take as long as those of short ones."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.control_flow.values.forms import LONG, Leaf, Stack
from runtime.core import dtypes
from runtime.core.spec import spec_of


def sieve(i):
    flags = [True] * 200
    n = 2
    while n * n < 200:
        if flags[n]:
            k = n * n
            while k < 200:
                flags[k] = False
                k += n
        n += i
    return sum(flags), flags.count(False), flags[197], all(flags)


def literal_places_around_computed_ones(i):
    xs = [0] * 200
    total = 0
    for k in range(7):
        xs[(i + k) % 200] = k
        total += xs[0] + xs[5] + xs[-1]
    return total, xs[3], xs


def chosen_lists(i):
    xs, ys = [0] * 200, [1] * 200
    chosen = xs if i > 3 else ys
    k = 0
    while k < i:
        chosen[k] = k * k
        k += 1
    chosen[0] = 5
    return xs[:4], ys[:4], chosen is xs


def in_a_closure(i):
    xs = [0] * 200

    def put(k):
        xs[k] = xs[0] + 1

    for _ in range(i):
        put(i)
        put(i + 1)
    return xs[0], xs[7], len(xs), max(xs), xs[-1], xs[2:7], sorted(xs)[-1], xs.index(1)


def read_in_all_ways(i):
    xs = [0] * 200
    k = 0
    while k < i:
        xs[k] = k * k
        k += 1
    ys = [v + 1 for v in xs]
    a, b, *rest = xs
    found = any(xs), 4 in xs, xs == ys, xs[:3] == [0, 1, 4]
    return ys[3], a, b, len(rest), found, tuple(xs)[2], xs[::-1][0], xs[i], xs[-i]


def changed_in_all_ways(i):
    xs = list(range(200))
    for k in range(i):
        xs[k], xs[199 - k] = xs[199 - k], xs[k]
    xs[1:3] = [7, 8]
    xs.insert(3, 1)
    del xs[0]
    last = xs.pop()
    xs.sort()
    xs.reverse()
    xs += [i]
    return last, xs[0], xs[1], sum(xs), min(xs), len(xs), [x for x in xs if x > 197]


def grows_where_it_changes(i):
    xs = [0] * 200
    k = 0
    while k < i:
        xs[k] = k * k
        xs.append(k)
        k += 1
    return len(xs), xs[0], xs.pop(), xs.count(0)


def gets_floats(i):
    xs = [0] * 150
    for k in range(i):
        xs[k] = k / 2
    return xs[1], xs[149], sum(xs)


def table(i):
    g = [[0] * 20 for _ in range(20)]
    name = g[2]
    for k in range(i):
        g[k][k] = k
        g[k][3] += 1
        name[4] += g[k][3]
    first, *_ = g
    total = 0
    for row in g:
        for v in row:
            total += v
    sums = [sum(row) for row in g]
    g.append([1] * 20)
    g[0].append(3)
    columns = list(zip(*g, strict=False))
    return total, sums, len(g), g[1][1], first[0], g[0][-1], columns[2], name is g[2], name


def rows_of_a_table(i):
    g = [[1] * 15 for _ in range(15)]
    for k in range(i):
        row = g[k]
        for j in range(15):
            row[j] = k * j
    copied = [row[:] for row in g]
    for k in range(i):
        copied[k][i] = -1
    return g, copied, max(map(max, g)), g[i][2:5], len(g[i]), g[i] == g[i - 1]


def table_of_an_array(i):
    g = [list(row) for row in np.arange(144.0).reshape(12, 12) * i]
    for k in range(i):
        g[k][k + 1] = g[k + 1][k]
    return g[0][:3], g[i][i]


PROGRAMS = [
    sieve, literal_places_around_computed_ones, chosen_lists, in_a_closure, read_in_all_ways,
    changed_in_all_ways, grows_where_it_changes, gets_floats, table, rows_of_a_table,
    table_of_an_array,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda each: each.__name__)
def test_same_as_python(program):
    staged = tf.function(program, numpy=True)
    for i in (np.int64(1), np.int64(5)):
        assert staged(i) == program(i)


def test_gradient_of_a_long_list():
    def program(x, n):
        xs = [0.0] * 200
        for k in tf.range(n):
            xs[k] = x * x
            xs[k + 1] += xs[k] * x
        return sum(xs)

    x = tf.constant(1.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        result = tf.function(program)(x, tf.constant(3))
    # n times x^2, and x^3 after the last one.
    assert float(result) == pytest.approx(3 * 1.5**2 + 1.5**3)
    assert float(tape.gradient(result, x)) == pytest.approx(3 * 2 * 1.5 + 3 * 1.5**2)


@pytest.mark.parametrize("read", [lambda xs, i: xs[i], lambda xs, i: [xs, xs][i % 2][i]])
def test_place_out_of_range_is_pythons_error(read):
    def program(i):
        xs = [0] * 200
        for k in range(i % 7):
            xs[k] = k
        return read(xs, i)

    assert tf.function(program, numpy=True)(np.int64(199)) == 0
    with pytest.raises(IndexError, match="list index out of range"):
        tf.function(program, numpy=True)(np.int64(200))


def test_number_of_operations_does_not_depend_on_the_number_of_items():
    def program(n, i):
        g = [[0] * n for _ in range(n)]
        xs = [0] * n * n
        for k in range(i):
            for j in range(1, n):
                g[j][k] = g[j - 1][k] + xs[j]
                xs[j] = g[j][k]
        return g[i][i] + xs[i]

    counts = []
    for n in (20, 40):
        concrete = tf.function(program, numpy=True).get_concrete_function(n, np.int64(3))
        counts.append(_count(concrete.graph))
    further_rows = 20
    # Each row is taken out of the table after the loop.
    assert counts[1] - counts[0] <= 2 * further_rows


def _count(graph):
    inner = [each for op in graph.operations for each in op.subgraphs()]
    return len(graph.operations) + sum(map(_count, inner))


def test_long_lists_are_those_of_many_numbers():
    leaf = Leaf(spec_of(dtypes.int32, ()))
    assert Stack(leaf, LONG).is_long
    assert not Stack(leaf, LONG - 1).is_long
    assert Stack(Stack(leaf, LONG // 2), 2).is_long


@pytest.mark.parametrize("length", [6, 200])
def test_strings_of_a_list_that_changes_stay_strings(length):
    def program(i):
        names = ["a", "b", "c"] * (length // 3)
        for k in range(i):
            names[k] = "zz"
        found = "zz" in names, names.count("zz"), names.index("c"), max(names)
        return found, "".join(names[:5]), "".join(names[i : i + 3]), names == list(names), names[-1]

    assert tf.function(program, numpy=True)(np.int64(2)) == program(2)


class Numbers(list):
    pass


class Held:
    def __init__(self):
        self.items = [0] * 200


@pytest.mark.parametrize("made", [Numbers, list])
def test_list_is_one_of_python_after_the_statement(made):
    def program(i):
        xs = made([0] * 200)
        held = Held()
        name = held.items
        for k in range(i):
            xs[k] = k * k
            held.items[k] += k + 1
        total = sum(v for v in name if v > 1)
        return total, tuple(name)[1], name[::-1][0], name is held.items, xs[2], len(xs)

    assert tf.function(program, numpy=True)(np.int64(5)) == program(5)


def test_function_that_calls_itself_changes_a_long_list_in_a_loop():
    def program(n):
        xs = [0] * 150

        def halve(k, depth):
            if depth > 0:
                xs[k] = xs[k] / 2 + depth
                halve((k + 1) % 150, depth - 1)
            return xs[k]

        total = 0
        for i in range(n):
            xs[i] += 1
            total += halve(i, i % 4)
        return total, xs

    assert tf.function(program, numpy=True)(np.int64(9)) == program(9)
