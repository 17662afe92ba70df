import runtime as tf
from runtime.passes.inline import inline_calls
from tests.runtime.passes.graphs import SCALAR, after, graph_of, only, reachable, types


class TestInlineCalls:
    def test_puts_the_body_in_place(self):
        inner = tf.function(lambda x: tf.sin(x), autograph=False)
        assert types(after(inline_calls, lambda x: inner(x) + inner(x), SCALAR)) == [
            "Sin",
            "Sin",
            "AddV2",
        ]

    def test_keeps_effects_in_order(self):
        variable = tf.Variable(0.0)

        @tf.function(autograph=False)
        def add(x):
            variable.assign_add(x)
            return variable.read_value()

        def f(x):
            return add(x) + add(x) * variable.read_value()

        graph = after(inline_calls, f, SCALAR)
        assert types(graph).count("AssignAddVariableOp") == 2
        first, second = (op for op in graph.operations if op.type == "AssignAddVariableOp")
        assert first in reachable(second)

    def test_leaves_marked_calls(self):
        inner = tf.function(lambda x: tf.sin(x), autograph=False)
        graph = graph_of(lambda x: inner(x), SCALAR)
        only(graph, "PartitionedCall").attrs["_noinline"] = True
        assert types(inline_calls(graph)) == ["PartitionedCall"]
