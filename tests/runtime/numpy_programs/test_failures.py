"""Errors of operations whose results nothing reads: Python's in NumPy programs, none in others."""

from __future__ import annotations

import numpy as np
import pytest

import runtime as tf
from runtime.passes.pipeline import optimize
from runtime.passes.prune import prune

ITEMS = np.array([1.0, 2.0, 3.0])
ROWS = np.ones((3, 2))


def reads_an_item_in_a_loop(x, n):
    for i in range(n):
        _item = x[i]
    return n


def reads_items_in_a_loop(x, n):
    i = 0
    while i < n:
        _last, i = x[i], i + 1
    return x


def reads_a_row_in_a_branch(x, n):
    total = 0.0
    for i in range(n):
        row = x[i]
        if x[0, 0] > 5:
            total += row[0]
    return total


def writes_into_a_copy(x, n):
    copy = x.copy()
    for i in range(n):
        copy[i] = 0.0
    return n


def reads_a_list(x, n):
    squares = []
    for i in range(3):
        squares.append(x[i] ** 2)
    for i in range(n):
        _item = squares[i]
    return squares


def inverts(x, n):
    _inverse = np.linalg.inv(x[:2, :1] * np.ones((1, 2)) * (n - 3))
    return n


def reads_items_at_positions(x, n):
    _found = x[np.arange(3) + n - 3]
    return n


def types(graph):
    """Return the types of all operations, also in branches and loops."""
    inner = [name for op in graph.operations for part in op.subgraphs() for name in types(part)]
    return [op.type for op in graph.operations] + inner


CASES = [
    (reads_an_item_in_a_loop, ITEMS),
    (reads_items_in_a_loop, ITEMS),
    (reads_an_item_in_a_loop, ROWS),
    (reads_a_row_in_a_branch, ROWS),
    (writes_into_a_copy, ITEMS),
    (reads_a_list, ITEMS),
]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("program", "array"), CASES, ids=[case[0].__name__ for case in CASES])
def test_an_index_out_of_range_is_an_error_although_nothing_reads_the_item(
    program, array, compiled
):
    function = tf.function(program, numpy=True, jit_compile=compiled)
    assert np.array_equal(function(array.copy(), np.int64(3)), program(array.copy(), 3))
    with pytest.raises(IndexError):
        program(array.copy(), 4)
    with pytest.raises(IndexError, match=f"in {program.__name__}"):
        function(array.copy(), np.int64(4))


@pytest.mark.parametrize("compiled", [False, True])
def test_other_errors_occur_too(compiled):
    inverse = tf.function(inverts, numpy=True, jit_compile=compiled)
    with pytest.raises(np.linalg.LinAlgError, match="in inverts"):
        inverse(ROWS, np.int64(4))
    found = tf.function(reads_items_at_positions, numpy=True, jit_compile=compiled)
    assert found(ITEMS, np.int64(3)) == 3
    with pytest.raises(IndexError, match="in reads_items_at_positions"):
        found(ITEMS, np.int64(4))


def test_errors_of_unneeded_operations_on_tensors_do_not_occur():
    @tf.function
    def f(x, i):
        x[i]
        return x

    graph = f.get_concrete_function(tf.constant([1.0]), tf.constant(2)).graph
    assert types(prune(graph)) == ["Placeholder", "Placeholder"]
    assert f(tf.constant([1.0]), tf.constant(2)).numpy() == [1.0]


def test_what_cannot_fail_or_has_another_reader_has_none_in_the_end():
    @tf.function(numpy=True)
    def f(x, i):
        _first, _rest = x[0], x[1:]
        row = x[i]
        row[0] = 2.0
        return row[1]

    graph = f.get_concrete_function(ROWS, np.int64(1)).graph
    assert types(prune(graph)).count("StridedSlice") == 3
    assert types(optimize(graph)).count("StridedSlice") == 3


@pytest.mark.parametrize("compiled", [False, True])
def test_an_overflow_of_a_part_of_an_expression_is_an_error(compiled):
    @tf.function(numpy=True, jit_compile=compiled)
    def products(x):
        total = 0
        for item in x:
            total += (int(item) & 6) * 2**62
        return total

    assert products(np.array([0, 1, 0, 1])) == 0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"Mul of 6 .* does not fit"):
        products(np.array([6, 7, 0, 1]))


def test_an_operation_that_only_orders_others_goes():
    @tf.function(numpy=True)
    def counts(n):
        while n * n < 9:
            for _ in range(n, 9, n):
                n = n + 1
        return n

    graph = counts.get_concrete_function(np.int64(2)).graph
    assert "NoOp" in types(graph)
    assert "NoOp" not in types(prune(graph))
