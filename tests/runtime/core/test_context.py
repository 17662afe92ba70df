"""What a thread records."""

import types

import pytest

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


@pytest.mark.parametrize("number", [1, -1])
def test_an_attribute_that_init_scope_assigns_in_a_branch_stays_assigned(number):
    box = types.SimpleNamespace(made=None, removed=0, left=tf.constant(0))

    @tf.function
    def program(x):
        for _ in tf.range(1):
            if x > 0:
                box.left = x
                with tf.init_scope():
                    if box.made is None:
                        box.made = []
                        del box.removed
                assert box.made is not None
        return x

    for _ in range(2):
        program(tf.constant(number))
    assert (box.made, hasattr(box, "removed"), int(box.left)) == ([], False, max(number, 0))
