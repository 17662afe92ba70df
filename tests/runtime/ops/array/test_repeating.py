"""Tensors that are broadcast and tiled."""

import pytest

import runtime as tf
from runtime.engines.engine import set_engine

Invalid = tf.errors.InvalidArgumentError


@pytest.fixture(params=["plan", "interpreter", "native"])
def engine(request):
    if request.param == "native":
        pytest.importorskip("llvmlite")
    set_engine(request.param)
    yield
    set_engine("plan")


def test_a_target_that_the_graph_decides_is_compared_when_it_runs(engine):
    repeat = tf.function(lambda x, n: tf.broadcast_to(x, [n]) * 2.0)
    x, one = tf.constant([1.0, 2.0]), tf.constant([1.5])
    assert repeat(x, tf.constant(2)).numpy().tolist() == [2.0, 4.0]
    assert repeat(one, tf.constant(3)).numpy().tolist() == [3.0] * 3
    with pytest.raises(Invalid):
        repeat(x, tf.constant(3))


def test_a_known_target_is_broadcast_at_no_cost():
    same = tf.function(lambda x: tf.broadcast_to(x, [2]) + x)
    graph = same.get_concrete_function(tf.TensorSpec([2])).plan_source
    assert "broadcast" not in graph
