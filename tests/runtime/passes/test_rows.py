import numpy as np

import runtime as tf
from runtime.engines import interpreter
from runtime.passes.rows import multiply_rows_at_once
from tests.runtime.passes.graphs import after, graph_of, only, types


class TestMultiplyRowsAtOnce:
    ROWS = tf.TensorSpec([7, 2, 3], tf.float32)
    MATRIX = tf.TensorSpec([3, 4], tf.float32)
    STATE = tf.TensorSpec([2, 4], tf.float32)

    @staticmethod
    def rows(xs, w, h, last=7):
        def body(i, h):
            return i + 1, tf.tanh(h + tf.matmul(xs[i], w))

        return tf.while_loop(lambda i, h: i < last, body, (0, h))[1]

    def test_multiplies_before_the_loop(self):
        graph = after(multiply_rows_at_once, self.rows, self.ROWS, self.MATRIX, self.STATE)
        assert types(graph) == ["Reshape", "MatMul", "Reshape", "StatelessWhile"]
        assert "MatMul" not in types(only(graph, "StatelessWhile").attrs["body"])

    def test_agrees_within_rounding(self):
        random = np.random.default_rng(1)
        shapes = ([7, 2, 3], [3, 4], [2, 4])
        arrays = [random.normal(size=shape).astype(np.float32) for shape in shapes]
        graph = graph_of(self.rows, self.ROWS, self.MATRIX, self.STATE)
        (one,) = interpreter.executable(graph)(*arrays)
        (two,) = interpreter.executable(multiply_rows_at_once(graph))(*arrays)
        np.testing.assert_allclose(one, two, rtol=1e-5)

    def test_leaves_a_loop_that_may_stop_early(self):
        def f(xs, w, h):
            def test(i, h):
                return tf.logical_and(i < 7, tf.reduce_sum(h) < 3.0)

            return tf.while_loop(test, lambda i, h: (i + 1, h + tf.matmul(xs[i], w)), (0, h))[1]

        graph = after(multiply_rows_at_once, f, self.ROWS, self.MATRIX, self.STATE)
        assert types(graph) == ["StatelessWhile"]

    def test_leaves_a_matrix_that_changes(self):
        def f(xs, w):
            def body(i, w):
                return i + 1, tf.matmul(xs[i], w)[:, :1] + w

            return tf.while_loop(lambda i, w: i < 2, body, (0, w))[1]

        rows, column = tf.TensorSpec([2, 3, 3], tf.float32), tf.TensorSpec([3, 1], tf.float32)
        assert types(after(multiply_rows_at_once, f, rows, column)) == ["StatelessWhile"]
