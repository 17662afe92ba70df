import runtime as tf
from runtime.core.verify import verify
from runtime.passes.captures import drop_unread_captures
from runtime.passes.loops import move_out_of_loops
from tests.runtime.passes.graphs import SCALAR, after, graph_of, loop, only


class TestDropUnreadCaptures:
    def test_a_loop_is_given_what_it_reads(self):
        def f(x, y):
            return loop(lambda x: (x + tf.sin(y),), x)[1]

        graph = drop_unread_captures(move_out_of_loops(graph_of(f, SCALAR, SCALAR)))
        verify(graph)
        assert [t.op.type for t in only(graph, "StatelessWhile").inputs[2:]] == ["Sin"]

    def test_a_branch_is_given_what_either_reads(self):
        def f(x, y):
            return tf.cond(x > 0.0, lambda: x * (y - y), lambda: x)

        branch = only(after(drop_unread_captures, f, SCALAR, SCALAR), "StatelessIf")
        assert len(branch.inputs) == 3
        assert all(len(part.inputs) == 2 for part in branch.subgraphs())

    def test_what_a_loop_carries_stays(self):
        def f(x, y):
            return loop(lambda x, y: (x + 1.0, y), x, y)[1]

        graph = after(drop_unread_captures, f, SCALAR, SCALAR)
        assert len(only(graph, "StatelessWhile").inputs) == 3
