"""Graphs for the tests of the passes."""

import runtime as tf
from runtime.core.verify import verify
from runtime.passes.fuse import LARGE

SCALAR = tf.TensorSpec([], tf.float32)


COUNT = tf.TensorSpec([], tf.int32)


VECTOR = tf.TensorSpec([3], tf.float32)


LARGE_VECTOR = tf.TensorSpec([LARGE], tf.float32)


def graph_of(function, *specs):
    return tf.function(function, autograph=False).get_concrete_function(*specs).graph


def after(run, function, *specs):
    """The graph after one pass; the pass left the one before as it was."""
    graph = graph_of(function, *specs)
    before = [op.name for op in graph.operations]
    changed = run(graph)
    verify(changed)
    assert [op.name for op in graph.operations] == before
    return changed


def types(graph):
    return [op.type for op in graph.operations if op.type not in ("Placeholder", "Const")]


def only(graph, *type_names):
    (found,) = [op for op in graph.operations if op.type in type_names]
    return found


def loop(body, x, *more):
    return tf.while_loop(lambda i, *state: i < 5, lambda i, *s: (i + 1, *body(*s)), (0, x, *more))


def reachable(op):
    found, left = [], [*op.control_inputs]
    while left:
        found.append(left.pop())
        left += found[-1].control_inputs
    return found


def decided_later(x, value, branch=None):
    """A branch with a test that follows from constants only after folding."""
    graph_test = tf.reduce_all(tf.fill(tf.constant([1000]), value))
    return tf.cond(graph_test, branch or (lambda: tf.sin(x)), lambda: x)
