"""What the verifier finds."""

import pytest

import runtime as tf
from runtime.core.errors import InternalError
from runtime.core.verify import verify
from tests.runtime.core.traced import SCALAR, concrete_of


def test_verifier_finds_a_tensor_that_is_not_made_before():
    graph = concrete_of(lambda x: (x * 2.0) + 1.0, SCALAR).graph
    graph.operations.reverse()
    with pytest.raises(InternalError, match="not made before"):
        verify(graph)


def test_verifier_finds_repeated_names():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    graph.operations[-1].name = graph.operations[0].name
    with pytest.raises(InternalError, match="name of another"):
        verify(graph)


def test_verifier_finds_a_wrong_spec():
    graph = concrete_of(lambda x: x * 2.0, SCALAR).graph
    tensor = graph.outputs[0]
    tensor._known = tensor.spec.with_dtype(tf.int32)
    with pytest.raises(InternalError, match="but the shape rule returns"):
        verify(graph)
