import numpy as np

import runtime as tf
from runtime.engines import interpreter
from runtime.passes.powers import raise_by_squaring
from tests.runtime.passes.graphs import after, types


class TestRaiseBySquaring:
    SQUARE = tf.TensorSpec([3, 3], tf.int32)

    @staticmethod
    def power(x):
        y = tf.eye(3, dtype=x.dtype)
        for _ in range(13):
            y = tf.matmul(x, y)
        return y

    def test_multiplies_squares(self):
        graph = after(raise_by_squaring, self.power, self.SQUARE)
        assert types(graph) == ["MatMul"] * 5
        matrix = np.random.default_rng(2).integers(-99, 99, (3, 3), np.int32)
        expected = np.linalg.matrix_power(matrix, 13)
        np.testing.assert_array_equal(interpreter.executable(graph)(matrix)[0], expected)

    def test_leaves_floats(self):
        spec = tf.TensorSpec([3, 3], tf.float32)
        assert types(after(raise_by_squaring, self.power, spec)) == ["MatMul"] * 13

    def test_leaves_powers_that_are_read_on_the_way(self):
        def f(x):
            squares = [x * x]
            for _ in range(5):
                squares.append(squares[-1] * x)
            return squares

        assert types(after(raise_by_squaring, f, self.SQUARE)) == ["Mul"] * 6
