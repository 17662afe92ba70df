"""Derivatives of graphs: what the backward graph reads, and what it leaves out."""

import runtime as tf
from runtime.backprop.derivative import derivative

SPEC = tf.TensorSpec([3])


def graph_of(program, *specs):
    return tf.function(program, autograph=False).get_concrete_function(*specs).graph


def types(graph):
    return [op.type for op in graph.operations]


def test_the_backward_graph_reads_what_the_rules_name():
    found = derivative(graph_of(lambda x: tf.exp(x) * 2.0, SPEC), [True], [True])
    assert found.made == (True,)
    assert [read.op.type for read in found.reads] == ["Exp"]
    assert "Exp" not in types(found.backward)


def test_small_constants_are_copied_and_not_read():
    found = derivative(graph_of(lambda x: x * [1.0, 2.0, 3.0], SPEC), [True], [True])
    assert not [read for read in found.reads if read.op.type == "Const"]
    assert "Const" in types(found.backward)


def test_inputs_that_are_not_wanted_get_no_gradient():
    graph = graph_of(lambda x, y: x * y, SPEC, SPEC)
    assert derivative(graph, [True], [False, True]).made == (False, True)
    assert derivative(graph, [True], [True, True]).made == (True, True)


def test_a_derivative_is_made_once():
    graph = graph_of(tf.sin, SPEC)
    assert derivative(graph, [True], [True]) is derivative(graph, (True,), (True,))
    assert derivative(graph, [True], [True]) is not derivative(graph, [True], [True], rows=True)


def test_rows_stay_rows_only_on_demand():
    def program(table):
        return tf.gather(table, [0, 2])

    graph = graph_of(program, tf.TensorSpec([4, 2]))
    whole, rows = (derivative(graph, [True], [True], rows) for rows in (False, True))
    assert (len(whole.backward.outputs), whole.rows) == (1, (False,))
    assert (len(rows.backward.outputs), rows.rows) == (3, (True,))
    (gradient,) = rows.of_inputs(rows.backward.outputs)
    assert isinstance(gradient, tf.IndexedSlices)


def test_a_recorded_call_outputs_what_its_gradient_reads():
    inner = tf.function(lambda x: tf.exp(x) * x)

    @tf.function
    def slope(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = inner(x)
        return tape.gradient(y, x)

    graph = slope.get_concrete_function(tf.TensorSpec([])).graph
    first, backward = [op for op in graph.operations if op.type == "PartitionedCall"]
    assert (len(first.outputs), len(backward.outputs)) == (2, 1)
    assert float(slope(tf.constant(0.0))) == 1.0
