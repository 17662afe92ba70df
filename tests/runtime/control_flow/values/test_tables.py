"""Lists in a list are one tensor where a staged statement computes both indices."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.control_flow.values.forms import Leaf, Stack
from runtime.control_flow.values.tables import Tables
from runtime.core import dtypes
from runtime.core.spec import spec_of

ROW = Stack(Leaf(spec_of(dtypes.int32, ())), 4)


def common_subsequence(a, b):
    rows, columns = len(a), len(b)
    table = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            if a[i - 1] == b[j - 1]:
                table[i][j] = table[i - 1][j - 1] + 1
            else:
                table[i][j] = max(table[i - 1][j], table[i][j - 1])
    return table[rows][columns]


def counted(n):
    table = [[0] * 4 for _ in range(3)]
    for k in range(n):
        if k % 5 != 0:
            table[k % 3][k * 3 % 4] += k
    return table


A, B = np.array([1, 2, 3, 2, 4, 1, 2]), np.array([2, 4, 3, 1, 2, 1])


@pytest.mark.parametrize(
    ("function", "arguments"), [(common_subsequence, (A, B)), (counted, (np.int64(20),))]
)
def test_no_round_copies_the_table(function, arguments):
    staged = tf.function(function, numpy=True)
    assert staged(*arguments) == function(*arguments)
    text = staged.get_concrete_function(*arguments).plan_source
    assert "Pack" not in text, text
    assert text.count(".copy()") == 1, text


def test_name_for_one_of_the_lists_stays_a_name_for_it():
    def function(n):
        table = [[0] * 3 for _ in range(3)]
        row = table[1]
        for k in range(n):
            table[k % 3][k % 2] += k
            row[2] += 1
        return table, row

    table, row = tf.function(function, numpy=True)(np.int64(8))
    assert (table, row) == function(8)
    assert row is table[1]


def test_list_that_is_in_the_table_twice_is_changed_once():
    def function(n):
        table = [[0] * 3] * 3
        for k in range(n):
            table[k % 3][k % 2] += k
        return table[0], table[2]

    assert tf.function(function, numpy=True)(np.int64(8)) == function(8)


def test_list_that_a_round_makes_longer_is_not_in_a_table():
    def function(n):
        table = [[0] * 3 for _ in range(3)]
        for k in range(n):
            table[k % 3][k % 2] += k
        for k in range(n):
            table[0].append(table[1][k % 2])
        return table[0], table[1]

    assert tf.function(function, numpy=True)(np.int64(5)) == function(5)


def test_gradient_of_a_table():
    def function(x, n):
        table = [[x, 0.0 * x], [x * x, x]]
        for k in tf.range(n):
            table[k % 2][(k + 1) % 2] += table[(k + 1) % 2][k % 2] * x
        return table[0][1] + table[1][0]

    x = tf.constant(1.5)
    slopes = []
    for each in (function, tf.function(function)):
        with tf.GradientTape() as tape:
            tape.watch(x)
            result = each(x, tf.constant(4))
        slopes.append(float(tape.gradient(result, x)))
    assert slopes[0] == pytest.approx(slopes[1])


def test_tables_are_all_lists_of_a_list_that_have_one_form():
    names = ["n", "g[1]", "g[0]", "h[1]", "d[0]", "d[1]"]
    forms = [Leaf(spec_of(dtypes.int32, ())), ROW, ROW, ROW, ROW, Stack(ROW.element, 5)]
    tables = Tables(names, forms)
    assert tables.names(names) == ("g[...]", "n", "h[1]", "d[0]", "d[1]")
    assert tables.forms(forms)[0] == Stack(ROW, 2)
    assert tables.joined("nabcde") == (["b", "a"], "n", "c", "d", "e")
    assert tables.parted(tables.joined("nabcde")) == tuple("nabcde")
