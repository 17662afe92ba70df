"""Groups of elementwise operations in cache blocks."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.engines.fused import BLOCK
from runtime.passes.pipeline import optimize
from tests.runtime.engines.graphs import agree, concrete_of


class TestLargeArrays:
    @staticmethod
    def chain(x, y):
        z = tf.exp(-x * y) + tf.sqrt(tf.abs(y))
        return tf.tanh(z) / (z + 1.0), tf.cast(z > 1.5, tf.float32), tf.reduce_sum(z, 0)

    @pytest.mark.parametrize("threads", [0, 2])
    @pytest.mark.parametrize("shape", [(5 * BLOCK + 7,), (1000, 300), (3, BLOCK), (2, 3 * BLOCK)])
    def test_blocks_give_the_same_bits(self, shape, threads):
        random = np.random.default_rng(4)
        x, y = random.normal(size=(2, *shape)).astype(np.float32)
        spec = tf.TensorSpec(shape, tf.float32)
        unknown = tf.TensorSpec([None] * len(shape), tf.float32)
        tf.config.threading.set_inter_op_parallelism_threads(threads)
        try:
            for given in (spec, unknown):
                graph = optimize(concrete_of(self.chain, given, given).graph)
                agree(graph, x, y)
                agree(graph, x, np.asfortranarray(y))
        finally:
            tf.config.threading.set_inter_op_parallelism_threads(0)

    def test_rows_and_numbers_broadcast_into_blocks(self):
        def f(x, row, number):
            return tf.tanh(x * row + number) * x

        specs = [tf.TensorSpec(dims, tf.float32) for dims in ([700, 200], [200], [])]
        graph = optimize(concrete_of(f, *specs).graph)
        random = np.random.default_rng(5)
        arrays = [random.normal(size=s.dims).astype(np.float32) for s in specs[:2]]
        agree(graph, *arrays, np.float32(0.5))

    def test_unknown_shapes_that_broadcast(self):
        unknown = tf.TensorSpec([None, None], tf.float32)
        graph = optimize(concrete_of(self.chain, unknown, unknown).graph)
        random = np.random.default_rng(6)
        for one, two in [((700, 200), (1, 200)), ((700, 1), (700, 200)), ((1, 1), (700, 200))]:
            x, y = (random.normal(size=shape).astype(np.float32) for shape in (one, two))
            agree(graph, x, y)
