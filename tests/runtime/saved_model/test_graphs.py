"""Graphs as JSON, and back."""

import pytest

import runtime as tf
from tests.runtime.saved_model.models import model, reloaded


def test_a_graph_of_unknown_shape_serves_all_shapes(tmp_path):
    own = tf.function(lambda x: tf.reduce_sum(x))
    own.get_concrete_function(tf.TensorSpec([None, 2], tf.float32))
    loaded = reloaded(model(f=own), tmp_path)
    assert loaded.f(tf.ones([3, 2])).numpy() == 6.0
    with pytest.raises(ValueError, match="Could not find matching"):
        loaded.f(tf.ones([3, 3]))


def test_errors_of_operations_name_the_line_of_the_program(tmp_path):
    own = tf.function(lambda x, i: tf.gather(x, i))
    own(tf.constant([1.0]), tf.constant(0))
    loaded = reloaded(model(f=own), tmp_path)
    messages = []
    for function in (own, loaded.f):
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            function(tf.constant([1.0]), tf.constant(4))
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "test_graphs.py" in messages[1]
