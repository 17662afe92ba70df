import pytest

import runtime as tf
from runtime.passes.loops import move_out_of_loops
from tests.runtime.passes.graphs import COUNT, SCALAR, VECTOR, after, loop, only, types


class TestMoveOutOfLoops:
    def test_computes_once_what_stays_the_same(self):
        def f(x, y):
            return loop(lambda x: (x + tf.sin(y),), x)[1]

        graph = after(move_out_of_loops, f, SCALAR, SCALAR)
        assert types(graph) == ["Sin", "StatelessWhile"]
        assert "Sin" not in types(only(graph, "StatelessWhile").attrs["body"])

    def test_takes_a_variable_that_no_round_changes_for_the_same(self):
        def f(x, y):
            return loop(lambda x, y: (x + tf.sin(y), y), x, y)[1]

        assert types(after(move_out_of_loops, f, SCALAR, SCALAR))[0] == "Sin"

    def choosing(self, branch, number):
        """A loop that chooses between a branch and 1.0 in each round."""

        def f(i, x):
            def body(y):
                return (y + tf.switch_case(number(i, y), [lambda: branch(x, y), lambda: 1.0]),)

            return loop(body, x)[1]

        return types(after(move_out_of_loops, f, COUNT, SCALAR))

    def test_moves_a_choice_that_stays_the_same(self):
        found = self.choosing(lambda x, y: tf.sin(x), lambda i, y: i)
        assert found == ["StatelessCase", "StatelessWhile"]

    def test_leaves_a_choice_that_changes(self):
        changing = [
            self.choosing(lambda x, y: tf.sin(y), lambda i, y: i),
            self.choosing(lambda x, y: tf.sin(x), lambda i, y: tf.cast(y, tf.int32)),
        ]
        assert changing == [["StatelessWhile"]] * 2

    def test_leaves_a_choice_that_may_fail_where_the_loop_may_not_run(self):
        def f(i, n, x):
            branches = [lambda: tf.cast(n // i, tf.float32), lambda: 1.0]
            return tf.while_loop(
                lambda y: y < x, lambda y: (y + tf.switch_case(i, branches),), (x * x,)
            )

        assert "StatelessCase" not in types(after(move_out_of_loops, f, COUNT, COUNT, SCALAR))

    def test_leaves_what_changes(self):
        graph = after(move_out_of_loops, lambda x: loop(lambda x: (tf.sin(x),), x)[1], SCALAR)
        assert types(graph) == ["StatelessWhile"]

    def test_leaves_what_may_fail_where_the_loop_may_not_run(self):
        def f(x, n, k):
            return tf.while_loop(
                lambda i, x: i < n, lambda i, x: (i + 1, x + tf.gather(x, k)), (0, x)
            )[1]

        number = tf.TensorSpec([], tf.int32)
        assert types(after(move_out_of_loops, f, VECTOR, number, number)) == ["StatelessWhile"]
        run = tf.function(f, autograph=False)
        assert run(tf.ones([3]), 0, 7).numpy().tolist() == [1, 1, 1]

    def test_leaves_a_range_of_tensorflow_whose_limit_may_be_wrong(self):
        @tf.function
        def f(n, s):
            c = 1
            while c < s:
                for _ in tf.range(n):
                    s = s // 2
                c += 1
            return s

        assert f(tf.constant(-3), tf.constant(1)) == 1
        with pytest.raises(tf.errors.InvalidArgumentError, match="Requires start <= limit"):
            f(tf.constant(-3), tf.constant(2))

    def test_moves_what_may_fail_where_the_loop_runs(self):
        def f(x, k):
            return loop(lambda x: (tf.gather(x, [k, k, k]) + x,), x)[1]

        def g(x, y, k):
            return loop(lambda x: (x + tf.gather(y, [k, k, k]),), x)[1]

        number = tf.TensorSpec([], tf.int32)
        assert types(after(move_out_of_loops, f, VECTOR, number)) == ["Pack", "StatelessWhile"]
        assert "GatherV2" in types(after(move_out_of_loops, g, VECTOR, VECTOR, number))

    def test_leaves_indices_of_slices_where_plans_print_them(self):
        def f(x, n, k):
            return tf.while_loop(lambda i, y: i < n, lambda i, y: (i + 1, y + x[k]), (0, x))[1]

        number = tf.TensorSpec([], tf.int32)
        assert "Pack" not in types(after(move_out_of_loops, f, VECTOR, number, number))
        run = tf.function(f, autograph=False)
        assert run(tf.constant([1.0, 2.0, 3.0]), 2, 1).numpy().tolist() == [5, 6, 7]

    def test_leaves_effects(self):
        def body(x):
            tf.print("round")
            return (x + 1.0,)

        assert types(after(move_out_of_loops, lambda x: loop(body, x)[1], SCALAR)) == ["While"]

    def test_moves_through_nested_loops(self):
        def f(x, y):
            return loop(lambda x: (loop(lambda x: (x + tf.sin(y),), x)[1],), x)[1]

        assert types(after(move_out_of_loops, f, SCALAR, SCALAR)) == ["Sin", "StatelessWhile"]
