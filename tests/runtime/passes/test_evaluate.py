"""Operations and small graphs whose inputs are constant."""

import numpy as np
import pytest

import runtime as tf
from runtime.passes.evaluate import LIMIT, constant_value, only_output, results
from tests.runtime.passes.graphs import COUNT, graph_of, only


def operation(function, *specs, type_name):
    return only(graph_of(function, *specs), type_name)


def test_values_are_those_of_the_kernel():
    op = operation(lambda x: x * 3, COUNT, type_name="Mul")
    (value,) = results(op, [np.int32(2), np.int32(3)])
    assert (value.dtype, int(value)) == (np.int32, 6)


def test_every_output_is_there():
    op = operation(lambda x: tf.unstack(x), tf.TensorSpec([2], tf.int32), type_name="Unpack")
    assert [int(value) for value in results(op, [np.array([4, 5], np.int32)])] == [4, 5]


@pytest.mark.parametrize(
    ("function", "type_name", "arrays"),
    [
        (lambda x: x // 2, "FloorDiv", [np.int32(1), np.int32(0)]),
        (lambda x: tf.fill([LIMIT + 1], x), "Fill", [np.array([LIMIT + 1], np.int32), np.int32(1)]),
        (lambda x: tf.debugging.Assert(x > 0, [x]), "Assert", [np.bool_(True), np.int32(1)]),
    ],
)
def test_what_fails_is_large_or_has_an_effect_is_left(function, type_name, arrays):
    assert results(operation(function, COUNT, type_name=type_name), arrays) is None


def test_constants_have_a_value():
    op = operation(lambda x: x * 3, COUNT, type_name="Mul")
    assert [constant_value(tensor) for tensor in op.inputs] == [None, 3]


def test_the_output_of_a_graph_that_known_inputs_determine():
    graph = graph_of(lambda x, y: (x + 1, y * 2)[0], COUNT, COUNT)
    assert int(only_output(graph, [np.int32(4), None])) == 5
    assert only_output(graph, [None, np.int32(4)]) is None
