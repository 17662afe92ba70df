"""Copies of graphs in which some operations are others."""

import gc

import numpy as np

import runtime as tf
from runtime.core.operation import Operation
from runtime.core.verify import verify
from runtime.passes.rewriting import Rewriting, fits, holds, rebuild, rewritten
from tests.runtime.passes.graphs import SCALAR, VECTOR, graph_of, only, types


def test_a_graph_in_which_no_step_acts_is_the_graph_itself():
    graph = graph_of(lambda x: tf.cond(x > 0.0, lambda: x * 2.0, lambda: x), SCALAR)

    def same(part):
        return rewritten(part, lambda rewriting, op: False, same)

    assert same(graph) is graph


def test_a_copy_of_a_graph_in_which_no_step_acts_needs_no_collection():
    graph = graph_of(lambda x: tf.sin(x) * 2.0, SCALAR)

    def operations():
        return sum(type(each) is Operation for each in gc.get_objects())

    gc.disable()
    try:
        before = operations()
        rewritten(graph, lambda rewriting, op: False)
        assert operations() == before
    finally:
        gc.enable()


def test_a_graph_is_copied_if_only_a_subgraph_changes():
    graph = graph_of(lambda x: tf.cond(x > 0.0, lambda: tf.sin(x), lambda: x), SCALAR)

    def negated(rewriting, op):
        if op.type == "Sin":
            rewriting.replace(op, rewriting.add("Neg", rewriting.inputs(op), {}, op).outputs)
        return op.type == "Sin"

    def without_sine(part):
        return rewritten(part, negated, without_sine)

    copy = without_sine(graph)
    verify(copy)
    before, after = (types(only(each, "StatelessIf").subgraphs()[0]) for each in (graph, copy))
    assert (before, after) == (["Sin"], ["Neg"])


def test_a_copy_has_the_text_of_the_original_and_shares_no_operation():
    graph = graph_of(lambda x: tf.cond(x > 0.0, lambda: x * 2.0, lambda: x), SCALAR)
    copy = rebuild(graph)
    verify(copy)
    assert str(copy) == str(graph)
    assert not set(map(id, copy.operations)) & set(map(id, graph.operations))


def test_outputs_of_a_dropped_operation_are_other_tensors():
    graph = graph_of(lambda x: tf.sin(tf.cos(x)), SCALAR)

    def step(rewriting, op):
        if op.type == "Cos":
            rewriting.replace(op, rewriting.inputs(op))
        return op.type == "Cos"

    copy = rewritten(graph, step)
    verify(copy)
    assert types(copy) == ["Sin", "Identity"]


def test_an_added_operation_takes_name_and_line_of_one_of_the_original():
    graph = graph_of(lambda x: tf.sin(x), SCALAR)
    rewriting = Rewriting(graph)
    for op in graph.operations:
        rewriting.keep(op)
    sine = only(graph, "Sin")
    new = rewriting.add("Neg", (rewriting.of(sine.outputs[0]),), {}, sine)
    constant = rewriting.constant(np.float32(2), sine, "two")
    assert (new.name, new.place, constant.name) == ("Sin_1", sine.place, "two:0")
    assert new.outputs[0].spec == sine.outputs[0].spec


def test_dependents_of_a_dropped_operation_wait_for_what_it_waited_for():
    def f(x):
        tf.print("a", x)
        tf.print("b", x)
        tf.print("c", x)
        return x

    graph = graph_of(f, SCALAR)
    first, second, third = (op for op in graph.operations if op.type == "PrintV2")
    assert third.control_inputs == [second]
    copy = rebuild(graph, lambda op: op is not second)
    left = [op for op in copy.operations if op.type == "PrintV2"]
    assert left[1].control_inputs == [left[0]]
    assert left[0].name == first.name


def test_a_predicate_is_asked_in_subgraphs_too():
    graph = graph_of(lambda x: tf.cond(x > 0.0, lambda: tf.sin(x), lambda: x), SCALAR)
    assert holds(graph, lambda op: op.type == "Sin")
    assert not holds(graph, lambda op: op.type == "Cos")


def test_a_more_specific_tensor_fits():
    known = graph_of(lambda x: x, VECTOR).inputs[0]
    unknown = graph_of(lambda x: x, tf.TensorSpec([None], tf.float32)).inputs[0]
    assert fits(unknown, known)
    assert not fits(known, unknown)
