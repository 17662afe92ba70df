"""What a thread records."""

import runtime as tf
from runtime.core.context import recording
from runtime.core.graph import Graph
from runtime.core.verify import verify
from tests.runtime.core.traced import SCALAR, concrete_of


def test_what_is_being_recorded():
    seen = []

    def look():
        with tf.init_scope():
            inner = tf.executing_eagerly()
        seen.append((tf.executing_eagerly(), tf.inside_function(), inner))
        return tf.constant(1)

    look()
    concrete_of(look)
    with tf.Graph().as_default():
        look()
        tf.function(look, autograph=False)()
    assert seen == [
        (True, False, True),
        (False, True, True),
        (False, False, False),
        (False, True, False),
    ]


def test_graph_as_context():
    graph = Graph("by hand")
    x = graph.add_input(SCALAR, "x")
    with recording(graph):
        assert not tf.executing_eagerly()
        graph.outputs = [x + 1.0]
    assert tf.executing_eagerly()
    verify(graph)
