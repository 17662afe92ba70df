import pytest

import runtime as tf
from runtime.core.verify import verify
from runtime.passes.counters import use_counters
from runtime.passes.fold import fold
from runtime.passes.loops import move_out_of_loops
from tests.runtime.passes.graphs import graph_of, only, types


class TestUseCounters:
    @staticmethod
    def body_after(numbers, limit):
        def f(s):
            positions = tf.range(*numbers)
            body = lambda i, s: (i + 1, s * positions[i])  # noqa: E731
            return tf.while_loop(lambda i, s: i < limit, body, (0, s))[1]

        graph = move_out_of_loops(graph_of(f, tf.TensorSpec([], tf.int32)))
        graph = use_counters(fold(graph))
        verify(graph)
        return types(only(graph, "StatelessWhile").attrs["body"])

    def test_takes_the_counter(self):
        assert self.body_after((5,), 5) == ["AddV2", "Mul"]

    def test_adds_where_a_range_begins(self):
        assert self.body_after((3, 7), 4).count("AddV2") == 2

    @pytest.mark.parametrize("numbers", [(0, 10, 2), (5, 0, -1)])
    def test_leaves_other_steps(self, numbers):
        assert "StridedSlice" in self.body_after(numbers, 5)

    def test_leaves_positions_that_may_not_be_there(self):
        assert "StridedSlice" in self.body_after((5,), 6)
