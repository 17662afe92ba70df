"""Functions that assign attributes, without what is not saved."""

import runtime as tf
from runtime.saved_model.attributes import without_assignments


class Noted:
    last = None

    @tf.function
    def double(self, x):
        self.last = x * 2.0
        return x

    @tf.function
    def halve(self, x):
        self.double(x)
        return x * 0.5


def types(graph):
    return [op.type for op in graph.operations]


def test_assignments_that_are_kept_leave_the_graph_as_it_is():
    noted = Noted()
    graph = noted.double.get_concrete_function(tf.constant(1.0)).graph
    assert without_assignments(graph, lambda op: False) is graph


def test_reads_for_lost_assignments_go_with_them():
    noted = Noted()
    for _ in range(2):
        noted.halve(tf.constant(1.0))
    graph = noted.halve.get_concrete_function(tf.constant(1.0)).graph
    assert {"ReadOutside", "WriteOutside"} <= set(types(graph))
    kept = without_assignments(graph, lambda op: True)
    assert {"ReadOutside", "WriteOutside"}.isdisjoint(types(kept))
    assert kept.outputs[0].spec == graph.outputs[0].spec
    assert len(kept.inputs) == len(graph.inputs)
