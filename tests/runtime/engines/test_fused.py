"""Groups of elementwise operations in cache blocks."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.engines.fused import BLOCK, FEWEST
from runtime.passes.pipeline import optimize
from tests.runtime.engines.graphs import agree, concrete_of


class TestLargeArrays:
    @staticmethod
    def chain(x, y):
        z = tf.exp(-x * y) + tf.sqrt(tf.abs(y))
        return tf.tanh(z) / (z + 1.0), tf.cast(z > 1.5, tf.float32), tf.reduce_sum(z, 0)

    @pytest.mark.parametrize("threads", [0, 2])
    @pytest.mark.parametrize(
        "shape", [(FEWEST + 7,), (2000, 300), (17, BLOCK), (2, FEWEST), (99, 30)]
    )
    def test_blocks_give_the_same_bits(self, shape, threads):
        random = np.random.default_rng(4)
        x, y = random.normal(size=(2, *shape)).astype(np.float32)
        spec = tf.TensorSpec(shape, tf.float32)
        unknown = tf.TensorSpec([None] * len(shape), tf.float32)
        tf.config.threading.set_intra_op_parallelism_threads(threads)
        try:
            for given in (spec, unknown):
                graph = optimize(concrete_of(self.chain, given, given).graph)
                agree(graph, x, y)
                agree(graph, x, np.asfortranarray(y))
        finally:
            tf.config.threading.set_intra_op_parallelism_threads(0)

    def test_rows_and_numbers_broadcast_into_blocks(self):
        def f(x, row, number):
            return tf.tanh(x * row + number) * x

        specs = [tf.TensorSpec(dims, tf.float32) for dims in ([3000, 200], [200], [])]
        graph = optimize(concrete_of(f, *specs).graph)
        random = np.random.default_rng(5)
        arrays = [random.normal(size=s.dims).astype(np.float32) for s in specs[:2]]
        agree(graph, *arrays, np.float32(0.5))

    def test_group_below_the_size_for_blocks_is_straight_line_code(self):
        def f(x, y):
            z = x * y + 1.0
            return z * x, tf.reduce_sum(z)

        def source(count):
            spec = tf.TensorSpec([count], tf.float32)
            return concrete_of(f, spec, spec).plan_source

        assert "block_rows" in source(FEWEST)
        assert "def fused" not in source(FEWEST - 1)
        graph = optimize(concrete_of(f, *[tf.TensorSpec([FEWEST - 1], tf.float32)] * 2).graph)
        x, y = np.random.default_rng(7).normal(size=(2, FEWEST - 1)).astype(np.float32)
        agree(graph, x, y)

    def test_names_of_an_array_that_a_group_wrote_over_are_deleted(self):
        def f(x, w):
            z = x * 2.0 + 1.0
            return (z @ w) @ w

        specs = [tf.TensorSpec(dims, tf.float32) for dims in ([700, 200], [200, 200])]
        lines = concrete_of(f, *specs).plan_source.splitlines()
        assert "    del add, mul" in lines

    def test_unknown_shapes_that_broadcast(self):
        unknown = tf.TensorSpec([None, None], tf.float32)
        graph = optimize(concrete_of(self.chain, unknown, unknown).graph)
        random = np.random.default_rng(6)
        for one, two in [
            ((3000, 200), (1, 200)),
            ((3000, 1), (3000, 200)),
            ((1, 1), (3000, 200)),
        ]:
            x, y = (random.normal(size=shape).astype(np.float32) for shape in (one, two))
            agree(graph, x, y)
