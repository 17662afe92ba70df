"""Marks of what is computed later keep it from being shared, and then go."""

import runtime as tf
from runtime.passes.order import settle_order
from runtime.passes.pipeline import optimize

SPEC = tf.TensorSpec([], tf.float32)


def slope(wrap):
    @tf.function(autograph=False)
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = wrap(lambda x: tf.sin(tf.sin(x)))(x)
        return y, tape.gradient(y, x)

    return f.get_concrete_function(SPEC).graph


def types(graph):
    return [op.type for op in graph.operations]


def test_what_is_computed_anew_is_not_shared():
    assert types(optimize(slope(tf.recompute_grad))).count("Sin") == 3
    assert types(optimize(slope(lambda f: f))).count("Sin") == 2


def test_no_mark_is_left():
    assert "Later" not in types(optimize(slope(tf.recompute_grad)))


def test_a_graph_without_marks_stays_as_it_is():
    graph = slope(lambda f: f)
    assert settle_order(graph) is graph
