"""Where XLA notes a failure, the plan runs again, and raises its error."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import runtime as tf  # noqa: E402
from runtime.engines import plan  # noqa: E402
from runtime.engines import xla as engine  # noqa: E402
from tests.runtime.engines.graphs import graph_of, outcome  # noqa: E402
from tests.runtime.engines.xla.programs import asserted, check, reasons  # noqa: E402

pytestmark = pytest.mark.sample

X = np.array([1.5, -2.0, 0.25, 3.0], np.float32)
I3 = np.int32(3)


def gathered(x, n):
    return tf.gather(x * 2.0, n + 1) * 3.0


def indexed(x, n):
    total = tf.constant(0.0)
    while n < 100:
        total += x[n]
        n += 1
    return total


def divided(n):
    return 7 // (n - 3) + n * n


def overflowing(n):
    i = 1
    while n > 0:
        i = i * 3
        n -= 1
    return i


def failing_test(x, n):
    while x[n] > 0.0:
        n += 1
    return n


def failing_in_a_branch(x, n):
    y = tf.gather(x, n * 10) * 2.0 if n > 2 else tf.sin(x[0]) * x[1]
    return tf.exp(x) * y


FAILING = [
    (gathered, [X, np.array([0, 9])]), (gathered, [X, np.array([-4, 0])]), (indexed, [X, I3]),
    (divided, [np.array([3, 4], np.int32)]), (overflowing, [np.int32(40)]), (asserted, [X * 9, I3]),
    (failing_test, [abs(X), I3]), (failing_in_a_branch, [X, I3]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("program", "arrays"),
    [pytest.param(*case, id=f"{case[0].__name__}-{i}") for i, case in enumerate(FAILING)],
)
def test_an_error_is_that_of_the_plan(program, arrays):
    arrays = [np.asarray(array) for array in arrays]
    graph, captured = graph_of(program, *arrays)
    assert reasons(engine.source(graph)) == []
    expected = outcome(plan.executable(graph), [*arrays, *captured])
    assert isinstance(expected, str)
    assert "/tests/runtime/engines/xla/" in expected
    assert outcome(engine.executable(graph), [*arrays, *captured]) == expected


def test_an_untaken_branch_does_not_fail():
    check(failing_in_a_branch, X, np.int32(1))


@pytest.mark.parametrize("number", [np.nan, np.inf, 3e9, -3e9, 2147483648.0])
def test_a_number_outside_of_the_integers_is_converted_by_the_plan(number):
    check(lambda x: tf.cast(x * 1.0, tf.int32) // 2, np.array([1.0, number]))
