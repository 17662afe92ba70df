"""Items of arrays: basic and advanced indices, read and assigned."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import (
    MATRIX,
    VECTOR,
    Program,
    check_refused,
    difference,
    each,
)


def rows_of_a_loop_are_views(m):
    total = 0.0
    for row in m:
        total += row.sum()
        row[0] = 0
    return total, m


def masks(x):
    y = x.copy()
    y[y > 0.5] = 0
    y[x < 0.2] *= 2
    positions = np.array([1, 3, 5])
    y[positions] += 1
    y[[0, 2]] = [7, 8]
    return y, y[::-1], np.where(y > 1, y, -1), x[positions], x[x > 0.5]


def masked_rows(m):
    m[m[:, 0] > 0.5] = 1.0
    m[:, [1, 3]] = 2.0
    m[2:4, 1] = [5.0, 6.0]
    m[[0, 1], [2, 3]] += 10.0
    return m


def adds_at_repeated_positions(x, i, values):
    np.add.at(x, i, 1)
    np.add.at(x, i, values)
    np.subtract.at(x[1:], i, 0.5)
    np.maximum.at(x, x > 0.5, 0.75)
    np.minimum.at(x, slice(0, 2), 0.25)
    np.add.at(x, 0, 7.0)
    return x


def adds_at_places_of_a_matrix(m, i):
    np.add.at(m, (i, i), 2.5)
    np.subtract.at(m, (slice(None), i), m[:, :1])
    np.add.at(m, i, m[0])
    return m


def counts_in_a_loop(x):
    counts = np.zeros(4, int)
    for _ in range(5):
        np.add.at(counts, (x * 4).astype(int), 1)
    return counts


def enumerates(x):
    total = 0.0
    for i, v in enumerate(x):
        total += i * v
    for v, w in zip(x, x[::-1], strict=True):
        total += v * w
    return total


def changes_views_by_operators(m):
    for i in range(m.shape[0]):
        m[i, 1:] -= m[i, 0] * m[0, 1:]
        m[i] *= 2
        m[:, 2] += m[i, 3]
    m[...] /= 4
    m[1:3][0] += 1
    return m


def a_loop_without_iterations(x):
    last = 0
    for value in x[30:]:
        last = value
    return last


def first_above(x, limit):
    for i in range(len(x)):
        if x[i] > limit:
            return i


def items_at_an_index_that_may_be_none(x, m):
    x[first_above(x, 0.5)] = 7
    return x, x[first_above(x, 0.2)], m[first_above(x, 0.2), 1], m[first_above(m[:, 0], 0.0)].sum()


def takes_rows_as_vectors(m, n):
    row = m[1:2]
    m[0] = row * 2
    m[n, 1:] = row[:, 1:] + 1
    m[:, 0] = np.array([[[7]]])
    m[2, 2] = row[:, 2:]
    return m


@each(
    (masks, (VECTOR,)),
    (takes_rows_as_vectors, (MATRIX, 2)),
    (masked_rows, (MATRIX,)),
    (rows_of_a_loop_are_views, (MATRIX,)),
    (changes_views_by_operators, (MATRIX,)),
    (a_loop_without_iterations, (VECTOR,)),
    (adds_at_repeated_positions, (VECTOR, np.array([0, 0, 3, -2]), np.arange(4))),
    (adds_at_places_of_a_matrix, (MATRIX, np.array([0, 0, 2]))),
    (counts_in_a_loop, (VECTOR,)),
    (enumerates, (VECTOR,)),
    (items_at_an_index_that_may_be_none, (VECTOR, MATRIX)),
)
def test_items_are_read_and_assigned(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def test_an_index_that_is_none_is_an_error() -> None:
    @tf.function(numpy=True)
    def program(x):
        return x[first_above(x, 2.0)]

    with pytest.raises(TypeError, match="is None here"):
        program(np.ones(3))


def test_an_index_out_of_range_is_an_error() -> None:
    @tf.function(numpy=True)
    def program(x, i):
        return x[i]

    assert program(np.arange(3), np.int64(-1)) == 2
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        program(np.arange(3), np.int64(3))
    for places in ([0, 3], np.array([[3]])):
        with pytest.raises(tf.errors.InvalidArgumentError, match="is not in"):
            program(np.arange(3), places)


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize(
    "value",
    [
        np.uint32(2**32 - 2), np.int64(300), np.int64(-300), np.uint64(2**63), np.float64(300.5),
        np.float64(-300.5), np.float64(1e30), np.float64(-(2.0**63)), np.float64(np.nan),
        np.float32(np.inf), np.int8(-1), np.float32(2.5),
    ],
)  # fmt: skip
def test_scalars_that_an_element_cannot_hold_are_errors(dtype: str, value: Any) -> None:
    def item(x: Any, value: Any) -> Any:
        x[1] = value
        return x

    def part(x: Any, value: Any) -> Any:
        x[1:] = value
        return x

    for program in (item, part):
        assert difference(program, np.zeros(3, dtype), value) == ""


def test_computed_ints_that_an_element_cannot_hold_are_errors() -> None:
    def counts(x: Any, n: int) -> Any:
        total = 0
        for i in range(n):
            total = total + 100
            x[i] = total
        return x

    for dtype in ("int8", "uint8", "int64"):
        for n in (1, 2, 3):
            assert difference(counts, np.zeros(3, dtype), n) == ""


@pytest.mark.parametrize("jit_compile", [None, True])
def test_slices_that_take_no_array_of_another_shape(jit_compile: bool | None) -> None:
    if jit_compile:
        pytest.importorskip("llvmlite")

    def program(x: Any, y: Any) -> Any:
        x[1:] = y
        x[0] = 2
        return x

    for rows in (1, 2, 3):
        x, y = np.zeros((2, 3), int), np.ones((rows, 3), int)
        assert difference(program, x, y, jit_compile=jit_compile) == ""


@pytest.mark.parametrize(
    "program",
    [lambda x: x[x > 2], lambda x: np.add.outer(x, x), lambda x: np.sort(x)],
    ids=["mask", "outer", "sort"],
)
def test_an_array_of_unknown_rank_is_refused(program):
    function = tf.function(program, numpy=True, reduce_retracing=True)
    function(VECTOR)
    with pytest.raises(TypeError, match="unknown number of dimensions"):
        function(MATRIX)


def new_axis_beside_indices(x, i):
    return x[None, i, 0]


def test_new_axes_beside_arrays_are_refused_at_the_line() -> None:
    check_refused(
        new_axis_beside_indices, (MATRIX, np.array([0, 2])), "a mixture of arrays, integers", 1
    )
