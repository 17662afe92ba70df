"""Plans call compiled parts, and keep Python for where those fail."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines import plan as python_plan
from runtime.engines.native import plan
from tests.runtime.engines.native.loops import graph_of


def doubled(x, n):
    i = 0
    while i < n:
        x = x * 2
        i += 1
    return x


def test_plan_calls_the_compiled_loop_and_keeps_python_for_failures():
    graph, _ = graph_of(doubled, np.int32(1), np.int32(3))
    text = plan.source(graph)
    assert "while_compiled(" in text
    assert "if while_results is False:" in text
    assert "_compiled(" not in python_plan.source(graph)


def test_loops_inside_the_python_of_a_compiled_loop_are_not_compiled_again():
    def f(n):
        total, i = 0, 0
        while i < n:
            j = 0
            while j < i:
                total += j
                j += 1
            i += 1
        return total

    graph, _ = graph_of(f, np.int32(3))
    assert plan.source(graph).count("_results is False") == 1


def test_a_graph_that_is_one_part_runs_without_its_plan():
    def counted(x, n, flag):
        i = n - n
        while i < n:
            x = -x if flag else x + x[::-1]
            i += 1
        return x, i, not flag, x[0]

    x = np.arange(6.0).reshape(2, 3)
    for given in (x, x[:, ::-1], x.T):
        for n in (np.int32(3), np.int64(2), np.uint64(4)):
            feeds = [given, n, np.bool_(n == 3)]
            graph, captured = graph_of(counted, *feeds)
            want = python_plan.executable(graph)(*feeds, *captured)
            run = plan.executable(graph)
            assert getattr(run, "makes_new", False) or n.dtype == np.uint64
            for one, other in zip(want, run(*feeds, *captured), strict=True):
                assert type(one) is type(other)
                np.testing.assert_array_equal(one, other)


def test_a_failure_of_a_graph_that_is_one_part_is_the_error_of_the_plan():
    def divided(x, n):
        while x[0] > 0:
            x = x // n
        return x

    graph, captured = graph_of(divided, np.int32([4, 5]), np.int32(2))
    run = plan.executable(graph)
    assert run.makes_new
    assert run(np.int32([4, 5]), np.int32(2), *captured)[0].tolist() == [0, 0]
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        run(np.int32([4, 5]), np.int32(0), *captured)
