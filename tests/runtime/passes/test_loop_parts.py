"""Counters of loops, rows that they take, and copies that read other tensors."""

import runtime as tf
from runtime.core.verify import verify
from runtime.passes.loop_parts import counter_place, replace_loop, row_of
from runtime.passes.rewriting import Rewriting
from tests.runtime.passes.graphs import SCALAR, graph_of, loop, only

ROWS = tf.TensorSpec([5, 2], tf.float32)


def loop_of(function, *specs):
    graph = graph_of(function, *specs)
    op = only(graph, "StatelessWhile")
    rewriting = Rewriting(graph)
    for other in graph.operations:
        if other is op:
            return rewriting, op
        rewriting.keep(other)


def counting(start, step):
    def f(x):
        return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + step, x * 2.0), (start, x))

    return counter_place(*loop_of(f, SCALAR))


def test_a_loop_that_counts_from_0_by_1_has_a_counter():
    assert counting(0, 1) == 0


def test_loops_that_count_otherwise_have_none():
    assert counting(1, 1) is None
    assert counting(0, 2) is None
    until = lambda x: tf.while_loop(lambda x: x < 5.0, lambda x: x * 2.0, (x,))  # noqa: E731
    assert counter_place(*loop_of(until, SCALAR)) is None


def test_rows_are_known_by_the_operation_that_takes_them():
    graph = graph_of(
        lambda x, i: (tf.gather(x, i), x[i], x[:, 1]), ROWS, tf.TensorSpec([], "int32")
    )
    gathered, sliced, column = graph.outputs
    x = graph.inputs[0]
    assert row_of(gathered.op.inputs[0])[0] is x
    assert row_of(sliced.op.inputs[0])[0] is x
    assert row_of(column.op.inputs[0]) is None


def test_a_copy_reads_a_tensor_from_outside_in_place_of_one_that_it_computed():
    rewriting, op = loop_of(lambda x, w: loop(lambda x: (x + w * 2.0,), x), SCALAR, SCALAR)
    body = op.attrs["body"]
    product = only(body, "Mul")
    outer = rewriting.of(op.inputs[-1])
    replace_loop(rewriting, op, op.attrs["cond"], body, {id(product.outputs[0]): outer})
    copy = rewriting.copy.operations[-1]
    assert len(copy.inputs) == len(op.inputs) + 1
    assert "Mul" not in {each.type for each in copy.attrs["body"].operations}
    verify(copy.attrs["body"])
