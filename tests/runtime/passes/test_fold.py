import numpy as np

import runtime as tf
from runtime.passes.fold import fold
from tests.runtime.passes.graphs import SCALAR, VECTOR, after, only, types


class TestFold:
    def test_computes_constants_in_their_dtype(self):
        graph = after(fold, lambda x: x + tf.cast(tf.constant(3), tf.float32) * 0.5, SCALAR)
        assert types(graph) == ["AddV2"]
        value = only(graph, "AddV2").inputs[1].op.attrs["value"]
        assert value == 1.5
        assert value.dtype == np.float32

    def test_takes_known_shapes_for_constants(self):
        assert types(after(fold, lambda x: tf.shape(x)[0] * 2, VECTOR)) == []

    def test_leaves_unknown_shapes(self):
        spec = tf.TensorSpec([None], tf.float32)
        assert "Shape" in types(after(fold, lambda x: tf.shape(x), spec))

    def test_leaves_what_fails(self):
        def f(x):
            return x + tf.cast(tf.constant(1) // tf.constant(0), tf.float32)

        assert "FloorDiv" in types(after(fold, f, SCALAR))

    def test_leaves_what_would_become_large(self):
        assert "Fill" in types(after(fold, lambda: tf.fill(tf.constant([1000, 1000]), 1.0)))

    def test_leaves_random_numbers_and_output(self):
        def f():
            tf.print(tf.constant(1))
            return tf.random.uniform([2])

        assert len(types(after(fold, f))) >= 2
