"""NumPy programs as graphs: loops, calls, prints, and what a graph of tensors does beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import runtime as tf
from tests.runtime.numpy_programs.comparison import MATRIX, VECTOR, Program, difference, each

TABLE = np.arange(5.0)


def a_table_from_outside(i):
    return TABLE[i], TABLE * i, TABLE[1:3]


def built_in_functions(x):
    return [v * 2 for v in x[:4]], sum(x), max(x), min(x), len(x), max(x[0], 0.5), int(x[1])


def leaves_a_loop_early(x):
    for i in range(len(x)):
        if x[i] > 0.9:
            return i
    return -1


def a_local_function_that_calls_itself(x):
    def times(v, n):
        return v if n == 0 else times(v * 2, n - 1)

    return times(x, 3)


def a_tuple_of_tables(x):
    offsets = [(0, 1), (1, 0), (0, -1)]
    total = 0.0
    for i in range(1, x.shape[0] - 1):
        for di, dj in offsets:
            total += x[i + di, 2 + dj]
    return total


def leaves_two_loops(m):
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if m[i, j] > 0.9:
                return i, j
    return None


def raises_in_a_loop(x):
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("negative")
        x[i] = np.sqrt(x[i])
    return x


def changes_a_table(x):
    TABLE[0] = 5
    return x


@each(
    (a_table_from_outside, (np.int64(2),)),
    (built_in_functions, (VECTOR,)),
    (leaves_a_loop_early, (VECTOR,)),
    (leaves_a_loop_early, (VECTOR * 0.1,)),
    (a_local_function_that_calls_itself, (VECTOR,)),
    (a_tuple_of_tables, (MATRIX,)),
    (leaves_two_loops, (MATRIX,)),
    (leaves_two_loops, (MATRIX * 0.5,)),
    (raises_in_a_loop, (VECTOR,)),
    (raises_in_a_loop, (VECTOR - 0.5,)),
)
def test_a_program_agrees(program: Program, arguments: tuple[Any, ...]) -> None:
    assert difference(program, *arguments) == ""


def test_a_change_of_an_array_outside_is_an_error_at_its_line() -> None:
    before = TABLE.copy()
    with pytest.raises(ValueError, match="changes `TABLE`") as caught:
        tf.function(changes_a_table, numpy=True)(VECTOR)
    TABLE[:] = before
    assert f"line {changes_a_table.__code__.co_firstlineno + 1}" in str(caught.value)


def test_a_program_calls_another_one() -> None:
    @tf.function(numpy=True)
    def inner(a):
        a[0] = 1
        return a.sum()

    @tf.function(numpy=True)
    def outer(a):
        return inner(a) + a[0]

    x = np.zeros(3)
    assert outer(x) == 2.0
    assert x.tolist() == [1, 0, 0]


def test_print_shows_values_at_each_call(capsys: pytest.CaptureFixture[str]) -> None:
    @tf.function(numpy=True)
    def program(x):
        print(x[0], x.shape)
        return x

    program(np.ones(2))
    program(np.zeros(2))
    assert capsys.readouterr().out == "1.0 (2,)\n0.0 (2,)\n"


def test_programs_of_tensors_keep_their_meaning() -> None:
    assert isinstance(np.sin(tf.constant([1.0])), np.ndarray)

    @tf.function
    def program(x):
        return x + 1

    assert program(np.zeros(2)).dtype is tf.float64


def test_a_graph_of_tensors_refuses_a_numpy_program() -> None:
    inner = tf.function(built_in_functions, numpy=True)
    with pytest.raises(TypeError, match="is a NumPy program"):
        tf.function(lambda x: inner(x))(tf.constant(1.0))


def test_a_method_is_a_program_of_its_instance() -> None:
    class Filter:
        def __init__(self, weights: Any) -> None:
            self.weights = weights

        @tf.function(numpy=True)
        def apply(self, x, scale=1.0):
            x[0] = 7.0
            return scale * x * self.weights, len(x)

    one, other = Filter(np.ones(3)), Filter(np.arange(3.0))
    for scale in (1.0, 1.0, 2.0):
        for each_filter in (one, other):
            x = np.ones(3)
            found, length = each_filter.apply(x, scale=scale)
            np.testing.assert_array_equal(found, scale * x * each_filter.weights)
            assert (length, x[0], type(found)) == (3, 7.0, np.ndarray)
    one.weights = np.full(3, 2.0)
    np.testing.assert_array_equal(one.apply(np.zeros(3))[0], [14.0, 0.0, 0.0])
    one.weights[1] = 5.0
    np.testing.assert_array_equal(one.apply(np.ones(3))[0], [14.0, 5.0, 2.0])
