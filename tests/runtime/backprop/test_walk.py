"""The walk over a graph: what meets, what is left out, and what has no rule."""

import numpy as np
import pytest

import runtime as tf
from runtime.backprop.walk import gradients
from runtime.engines import interpreter
from runtime.ops.define import call


def gradient_of(program, *values):
    """The gradients of the only result of a program by its arguments, as arrays or None."""
    function = tf.function(program, autograph=False)
    concrete = function.get_concrete_function(*(tf.constant(value) for value in values))
    graph = concrete.graph
    made = gradients(graph.outputs[:1], graph.inputs)
    graph.outputs = [each for each in made if each is not None]
    arrays = [np.asarray(value, np.float32) for value in values]
    computed = iter(interpreter.executable(graph)(*arrays))
    return [None if each is None else next(computed).tolist() for each in made]


def test_ways_to_one_input_are_added():
    assert gradient_of(lambda x: x * x + 3.0 * x, 5.0) == [13.0]


def test_an_input_that_does_not_matter_has_none():
    assert gradient_of(lambda x, y: x + 0.0 * tf.stop_gradient(y), 1.0, 2.0) == [1.0, None]


def test_integers_carry_no_gradient():
    assert gradient_of(lambda x: tf.cast(tf.cast(x, tf.int32), tf.float32), 2.5) == [None]


def test_what_was_broadcast_is_summed():
    assert gradient_of(lambda x, y: tf.reduce_sum(x + y), [1.0, 2.0], [[1.0], [1.0]]) == [
        [2.0, 2.0],
        [[2.0], [2.0]],
    ]


def test_outputs_that_nothing_depends_on_count_as_zeros():
    def program(x):
        first, _, last = tf.split(x, 3)
        return tf.reduce_sum(first * 2.0 + last)

    assert gradient_of(program, [1.0, 2.0, 3.0]) == [[2.0, 0.0, 1.0]]


def test_lists_of_tensors_carry_those_of_their_entries():
    def program(x):
        rows = tf.TensorArray(tf.float32, 3)
        for i in range(3):
            rows = rows.write(i, x * float(i + 1))
        return tf.reduce_sum(rows.stack()) + rows.read(1)

    assert gradient_of(program, 1.0) == [8.0]


def test_an_op_without_a_rule_is_named_with_its_line():
    def program(x):
        return call("RandomGammaGrad", x, 1.0)

    with pytest.raises(
        tf.errors.UnimplementedError, match=r"RandomGammaGrad(.|\n)*test_walk.py"
    ):
        gradient_of(program, 1.0)
