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
