"""Which tensors depend on others whichever way staged statements go."""

import pytest

import runtime as tf
from runtime.autodiff.connections import depends_at_each_run


def one_branch(p, x):
    return x * 2.0 if p else tf.constant(1.0)


def both_branches(p, x):
    return x * 2.0 if p else x


def no_turn_forgets(p, x):
    for _ in tf.range(3):
        x = x * 2.0
    return x


def a_turn_forgets(p, x):
    for _ in tf.range(3):
        x = tf.constant(2.0)
    return x


def a_later_turn_forgets(p, x):
    y = x
    for _ in tf.range(3):
        y, x = x, tf.constant(2.0)
    return y


def an_integer_between(p, x):
    return tf.cast(tf.cast(x, tf.int32), tf.float32)


def a_called_function(p, x):
    return tf.function(lambda y: y + 1.0)(x)


def a_called_function_that_reads_nothing(p, x):
    return tf.function(lambda y: tf.constant(1.0))(x)


@pytest.mark.parametrize(
    "program, depends",
    [
        (one_branch, False),
        (both_branches, True),
        (no_turn_forgets, True),
        (a_turn_forgets, False),
        (a_later_turn_forgets, False),
        (an_integer_between, False),
        (a_called_function, True),
        (a_called_function_that_reads_nothing, False),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_result_depends_on_an_argument(program, depends):
    graph = (
        tf.function(program)
        .get_concrete_function(tf.TensorSpec([], tf.bool), tf.TensorSpec([], tf.float32))
        .graph
    )
    watched = graph.inputs[1:]
    assert depends_at_each_run(graph.operations, watched, graph.outputs[0]) is depends
