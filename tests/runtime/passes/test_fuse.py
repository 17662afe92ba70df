import numpy as np

import runtime as tf
from runtime.engines import interpreter
from runtime.passes.fuse import LARGE, fuse
from tests.runtime.passes.graphs import LARGE_VECTOR, VECTOR, after, graph_of, only, types


class TestFuse:
    def test_groups_a_chain(self):
        graph = after(fuse, lambda x: tf.sin(x) * x + 1.0, LARGE_VECTOR)
        assert types(graph) == ["PartitionedCall", "Identity"]
        inside = only(graph, "PartitionedCall").attrs["f"]
        assert types(inside) == ["Sin", "Mul", "AddV2"]

    def test_leaves_small_tensors(self):
        assert "PartitionedCall" not in types(after(fuse, lambda x: tf.sin(x) * x + 1.0, VECTOR))

    def test_does_not_reach_around_an_operation_outside(self):
        def f(x):
            a = tf.sin(x)
            return tf.exp(a) * (tf.cos(a) + tf.cumsum(a)) - tf.cos(x)

        graph = after(fuse, f, LARGE_VECTOR)
        assert types(graph).count("Cumsum") == 1
        x = np.random.default_rng(3).normal(size=LARGE).astype(np.float32)
        plain = graph_of(f, LARGE_VECTOR)
        one, two = (interpreter.executable(each)(x)[0] for each in (plain, graph))
        np.testing.assert_array_equal(one, two)

    def test_keeps_reads_behind_the_writes_they_follow(self):
        variable = tf.Variable(tf.zeros([LARGE]))

        def f(x):
            a = tf.sin(x)
            variable.assign(a + 1.0)
            return a * variable.read_value() - 1.0

        concrete = tf.function(f, autograph=False).get_concrete_function(LARGE_VECTOR)
        x = tf.ones([LARGE])
        expected = np.sin(x.numpy()) * (np.sin(x.numpy()) + 1) - 1
        np.testing.assert_array_equal(concrete(x).numpy(), expected)
