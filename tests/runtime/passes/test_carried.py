"""Loops carry what something reads, and nothing else."""

import numpy as np
import pytest

import runtime as tf
from runtime.core.verify import verify
from runtime.engines import interpreter
from runtime.passes.carried import drop_unread_variables
from runtime.passes.prune import prune


def carried(function, *values):
    """The number of variables of the loop afterwards; the results stay."""
    concrete = tf.function(function).get_concrete_function(*map(tf.constant, values))
    before, after = prune(concrete.graph), drop_unread_variables(prune(concrete.graph))
    verify(after)
    captured = [tensor.array for tensor in concrete.graph.captures]
    arrays = [*map(np.asarray, map(tf.constant, values)), *captured]
    for one, other in zip(
        interpreter.executable(before)(*arrays), interpreter.executable(after)(*arrays), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    return [len(op.outputs) for op in after.operations if op.subgraphs()]


def test_what_only_itself_reads_goes():
    def f(x):
        n = 0.0
        while x < 9.0:
            x, n = x * 2.0, n + 1.0
        return x

    assert carried(f, 1.0) == [1]


def test_what_only_variables_read_that_go_goes_too():
    def f(x):
        a = b = 0.0
        while x < 9.0:
            x, a, b = x * 2.0, a + b, b + x
        return x

    assert carried(f, 1.0) == [1]


def test_what_the_test_the_result_or_another_variable_reads_stays():
    def f(x, n):
        last = x
        while n < 5:
            x, n, last = x * last, n + 1, x
        return x

    assert carried(f, 2.0, 0) == [3]


def test_effects_keep_what_they_read():
    def f(x):
        n = 0
        while x < 9.0:
            tf.print(n)
            x, n = x * 2.0, n + 1
        return x

    assert carried(f, 1.0) == [2]


def test_an_integer_of_python_that_might_overflow_stays():
    def f(x):
        n = 0
        while x < 9.0:
            x, n = x * 2.0, n + 1
        return x

    assert carried(f, 1.0) == [2]


def test_what_may_raise_stays():
    def f(x, n):
        while x < 9:
            x, n = x + 1, n // (x - 5)
        return x

    f = tf.function(f)
    assert f(tf.constant(6), tf.constant(1)).numpy() == 9
    with pytest.raises((tf.errors.InvalidArgumentError, ZeroDivisionError)):
        f(tf.constant(4), tf.constant(1))


def test_loops_in_branches_lose_theirs():
    def f(x):
        count = 0.0
        if x > 0.0:
            while x < 9.0:
                x, count = x * 2.0, count + x
        return x

    concrete = tf.function(f).get_concrete_function(tf.constant(1.0))
    (branch,) = (op for op in concrete.optimized_graph.operations if op.subgraphs())
    loops = [op for part in branch.subgraphs() for op in part.operations if op.subgraphs()]
    assert [len(op.outputs) for op in loops] == [1]


def test_lists_that_the_requested_gradient_does_not_read_are_not_filled():
    w = tf.constant([2.0, 3.0])

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(5):
                y = tf.sin(y) * w
        return tape.gradient(y, x)

    x = tf.constant([0.5, 0.1])
    assert slope.get_concrete_function(x).plan_source.count(".append(") == 1
