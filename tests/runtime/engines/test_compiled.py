"""Errors of plans are those of the interpreter, with the line of the program."""

import numpy as np
import pytest

import runtime as tf
import runtime.saved_model.op_types
from runtime.engines import plan
from tests.runtime.engines.graphs import agree, agree_on_error, concrete_of


class TestErrors:
    VECTOR = tf.TensorSpec([None], tf.float32)

    def test_shapes_that_do_not_fit(self):
        graph = concrete_of(lambda x, y: tf.sin(x) + y, self.VECTOR, self.VECTOR).graph
        error = agree_on_error(graph, np.ones(2, np.float32), np.ones(3, np.float32))
        assert "test_compiled.py" in str(error)
        assert "could not be broadcast" in str(error) or "Incompatible shapes" in str(error)

    def test_division_by_zero_in_a_loop(self):
        def f(n):
            return tf.while_loop(lambda i, x: i < 5, lambda i, x: (i + 1, x // (i - n)), (0, 9))[1]

        graph = concrete_of(f, tf.TensorSpec([], tf.int32)).graph
        assert "zero" in str(agree_on_error(graph, np.int32(3)))

    def test_a_python_int_that_does_not_fit(self):
        def f(n):
            x = 1
            for _ in tf.range(n):
                x = x * 10
            return x

        graph = concrete_of(f, tf.TensorSpec([], tf.int32), autograph=True).graph
        assert "10000000000" in str(agree_on_error(graph, np.int32(11)))

    def test_a_position_out_of_range(self):
        def f(x, i):
            return tf.gather(x, i), x[i]

        graph = concrete_of(f, self.VECTOR, tf.TensorSpec([], tf.int32)).graph
        agree(graph, np.ones(3, np.float32), np.int32(2))
        agree_on_error(graph, np.ones(3, np.float32), np.int32(5))
        agree_on_error(graph, np.ones(3, np.float32), np.int32(-4))

    def test_assertions_and_printing_happen_once(self, capsys):
        def f(x):
            tf.print("seen")
            tf.debugging.assert_positive(x, message="must be positive")
            return x

        with pytest.raises(tf.errors.InvalidArgumentError, match="must be positive"):
            plan.executable(concrete_of(f, self.VECTOR).graph)(np.zeros(2, np.float32))
        assert capsys.readouterr().err == "seen\n"

    def test_an_error_in_a_branch_of_a_loop_that_is_nested_deep(self):
        def deep(level, x, k):
            if level == 0:
                return tf.gather(x, [k])
            return tf.cond(k < 100, lambda: deep(level - 1, x, k), lambda: x[:1])

        graph = concrete_of(lambda x, k: deep(40, x, k), self.VECTOR, tf.TensorSpec([], tf.int32))
        agree(graph.graph, np.ones(3, np.float32), np.int32(2))
        agree_on_error(graph.graph, np.ones(3, np.float32), np.int32(3))
