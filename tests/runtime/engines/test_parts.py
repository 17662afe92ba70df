"""Parts of a graph that a compiler takes: loops, and enough computations."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import plan as python_plan
from runtime.engines.native import plan
from tests.runtime.engines.native.loops import graph_of


def test_inner_loop_of_numbers_is_compiled_where_the_outer_one_prints():
    def f(n):
        total, i = 0, 0
        while i < n:
            tf.print(i)
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    graph, _ = graph_of(f, np.int32(3))
    text = plan.source(graph)
    assert "# while runs as Python: the operation Print" in text
    assert text.count("_results is False") == 1


@pytest.mark.parametrize("staged", [tf.range(3), range(3)])
def test_a_loop_or_branch_that_reads_variables_waits_for_what_it_takes(staged):
    v = tf.Variable(np.eye(3, dtype=np.float32))

    def f(x):
        y = tf.tanh(x) * 2.0 + tf.exp(x) * x - 1.0
        for _ in staged:
            y = tf.tanh(y @ v)
        if tf.reduce_sum(y) > 0:
            y = tf.exp(y) * v + y
        return y * 2.0 + y / 3.0 - tf.exp(y)

    x = tf.linspace([0.0, 0.5, 1.0], [1.0, 1.5, 2.0], 3)
    found = tf.function(f, jit_compile=True)(x)
    np.testing.assert_allclose(found, tf.function(f)(x), rtol=1e-5)


@pytest.mark.parametrize(("count", "parts"), [(3, 0), (20, 1)])
def test_many_computations_on_numbers_are_a_part(count, parts):
    def f(x, y):
        for _ in range(count):
            x = x * 0.5 + y
        return x

    graph, captured = graph_of(f, np.float32(1), np.float32(2), autograph=False)
    assert plan.source(graph).count("_results is False") == parts
    want = python_plan.executable(graph)(np.float32(1), np.float32(2), *captured)
    assert plan.executable(graph)(np.float32(1), np.float32(2), *captured) == want


@pytest.mark.parametrize(
    ("size", "rows", "is_one"), [(40, 2, False), (8, 500, False), (8, 2, True)]
)
def test_part_ends_where_its_code_or_its_arrays_get_large(size, rows, is_one):
    def f(x, w):
        for _ in range(size):
            x = tf.tanh(x @ w)
        return x

    x = np.linspace(-1, 1, rows * 64, dtype=np.float32).reshape(rows, 64)
    w = np.eye(64, dtype=np.float32)[::-1].copy()
    graph, captured = graph_of(f, x, w, autograph=False)
    assert (plan.source(graph).count("_results is False") == 1) == is_one
    (want,) = python_plan.executable(graph)(x, w, *captured)
    np.testing.assert_allclose(plan.executable(graph)(x, w, *captured)[0], want, rtol=1e-5)


def test_part_does_not_end_between_a_large_list_and_the_loop_that_fills_it():
    def f(x):
        rows = tf.TensorArray(tf.float32, 64)
        for i in tf.range(64):
            x = x * 0.5
            rows = rows.write(i, x)
        return x, rows.stack()

    x = np.ones([32, 256], np.float32)
    graph, captured = graph_of(f, x)
    assert plan.source(graph).count("_results is False") == 1
    for found, want in zip(
        plan.executable(graph)(x, *captured),
        python_plan.executable(graph)(x, *captured),
        strict=True,
    ):
        np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("size", [2, 10_000])
def test_what_waits_for_a_check_in_a_part_does_not_happen_if_it_fails(size):
    variable = tf.Variable(tf.ones([size]))

    @tf.function(jit_compile=True)
    def step(x):
        y = tf.exp(x) * 0.5 + x
        with tf.control_dependencies([tf.debugging.check_numerics(y, "y")]):
            variable.assign_sub(y * 2.0 / tf.reduce_sum(y * y))
        return y

    step(tf.ones([size]))
    before = variable.numpy()
    assert np.all(before < 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match="y : Tensor had Inf"):
        step(tf.fill([size], np.float32(np.inf)))
    np.testing.assert_array_equal(variable.numpy(), before)


def looped(count):
    """A loop that does not compile, with `count` elementwise operations on arrays in it."""

    def f(x, n):
        for _ in tf.range(n):
            x = tf.linalg.inv(x)
            for number in range(count // 2):
                x = (x + 1.5 + number) * 0.25
        return x

    return f


@pytest.mark.parametrize(("count", "parts"), [(2, 0), (6, 1)])
def test_many_elementwise_operations_of_a_loop_that_stays_python_are_a_part(count, parts):
    x, n = np.array([[2.0, 1.0], [0.5, 3.0]], np.float32), np.int32(3)
    graph, captured = graph_of(looped(count), x, n)
    text = plan.source(graph)
    assert "# while runs as Python: the operation MatrixInverse" in text
    assert text.count("_results is False") == parts
    assert " in range(" in text
    (found,) = plan.executable(graph)(x, n, *captured)
    (want,) = python_plan.executable(graph)(x, n, *captured)
    np.testing.assert_array_equal(found, want)


def test_updates_in_place_and_numbers_of_a_loop_that_stays_python_are_in_no_part():
    def f(x, n):
        rows = tf.zeros([4, 2, 2])
        for i in tf.range(n):
            x = tf.linalg.inv(x)
            j = i * 3 - i * 2 + i - i
            rows[j] = tf.tanh((x + 1.5) * 0.25 - x * 0.5) * 2.0
        return rows

    x, n = np.array([[2.0, 1.0], [0.5, 3.0]], np.float32), np.int32(4)
    graph, captured = graph_of(f, x, n)
    text = plan.source(graph)
    assert text.count("_results is False") == 1
    assert "rows = rows.copy()" not in text
    (found,) = plan.executable(graph)(x, n, *captured)
    (want,) = python_plan.executable(graph)(x, n, *captured)
    np.testing.assert_allclose(found, want, rtol=1e-6)


def test_parts_of_other_engines_are_not_in_loops():
    from runtime.engines.native.boundary import NativeFunction
    from runtime.engines.parts import divided

    x, n = np.ones((2, 2), np.float32), np.int32(3)
    graph, _ = graph_of(looped(6), x, n)
    assert not divided(graph, NativeFunction).functions
    assert len(divided(graph, NativeFunction, in_loops=True).functions) == 1
