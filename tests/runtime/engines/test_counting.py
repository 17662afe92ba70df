"""Loops that count: how they look, what they leave behind, and the lists that they fill."""

import numpy as np
import pytest

import runtime as tf
from runtime.engines import interpreter, plan

SCALAR = tf.TensorSpec([], tf.int32)
ROWS = tf.TensorSpec([5, 3], tf.float32)


def concrete_of(function, *specs):
    return tf.function(function).get_concrete_function(*specs)


def agree(concrete, *arrays):
    """The outputs, which are those of the interpreter before the passes."""
    wanted = interpreter.executable(concrete.graph)(*arrays)
    got = plan.executable(concrete.optimized_graph)(*arrays)
    for one, two in zip(wanted, got, strict=True):
        assert np.asarray(one).dtype == np.asarray(two).dtype
        np.testing.assert_array_equal(one, two)
    return got


class TestCounter:
    @pytest.mark.parametrize("n", [-3, 0, 1, 6])
    def test_is_the_larger_of_start_and_limit_afterwards(self, n):
        def f(n):
            return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + i), (2, 0))

        concrete = concrete_of(f, SCALAR)
        assert "in range(2, n_int):" in concrete.plan_source
        assert agree(concrete, np.int32(n)) == (max(2, n), sum(range(2, n)))

    def test_of_a_range_needs_no_look_into_it(self):
        def f(n):
            s = 0
            for i in tf.range(n):
                s += i
            return s

        concrete = concrete_of(f, SCALAR)
        (line,) = [line for line in concrete.plan_source.split("\n") if line.strip()[:4] == "for "]
        assert "[" not in concrete.plan_source.partition(line)[2]
        assert agree(concrete, np.int32(7)) == (21,)

    def test_whose_next_number_is_a_position_too(self):
        def f(x, n):
            for j in tf.range(n - 1):
                if x[j] > x[j + 1]:
                    x = tf.tensor_scatter_nd_update(x, [[j], [j + 1]], [x[j + 1], x[j]])
            return x

        concrete = concrete_of(f, tf.TensorSpec([4], tf.int32), SCALAR)
        (moved,) = agree(concrete, np.array([5, 3, 4, 1], np.int32), np.int32(4))
        assert moved.tolist() == [3, 4, 1, 5]

    @pytest.mark.parametrize(
        "numbers", [(4,), (2, 9), (2, 9, 3), (9, 2, -2)], ids=["to", "from", "by", "down"]
    )
    def test_of_constant_ranges(self, numbers):
        def f(x):
            for i in tf.range(*numbers):
                x = x * 10 + i
            return x

        concrete = concrete_of(f, SCALAR)
        assert " in range(" in concrete.plan_source
        agree(concrete, np.int32(1))

    def test_may_be_carried_on(self):
        def f(n):
            before = -1
            for i in tf.range(n):
                before = i
            return before

        assert agree(concrete_of(f, SCALAR), np.int32(5)) == (4,)

    def test_that_something_else_reads_after_the_step(self):
        def f(n):
            body = lambda i, s: (i + 1, s * (i + 1))  # noqa: E731
            return tf.while_loop(lambda i, s: i < n, body, (0, 1))

        assert agree(concrete_of(f, SCALAR), np.int32(5)) == (5, 120)

    @pytest.mark.parametrize(
        "function",
        [
            lambda n: tf.while_loop(lambda i: i < n, lambda i: i + 2, (0,)),
            lambda n: tf.while_loop(lambda i: i < 20 - i, lambda i: i + 1, (n,)),
            lambda n: tf.while_loop(lambda i: i <= n, lambda i: i + 1, (0,)),
            lambda n: tf.while_loop(lambda i, m: i < m, lambda i, m: (i + 1, m - 1), (0, n)),
            lambda n: tf.while_loop(lambda i, j: i < n, lambda i, j: (j + 1, i), (0, 0)),
        ],
        ids=["by two", "a limit that moves", "up to and with", "a carried limit", "two in turn"],
    )
    def test_of_another_kind_is_tested_in_each_round(self, function):
        concrete = concrete_of(function, SCALAR)
        assert "while " in concrete.plan_source
        agree(concrete, np.int32(7))

    def test_that_may_stop_early(self):
        def f(n):
            s = 0
            for i in tf.range(n):
                if s > 5:
                    break
                s += i
            return s

        concrete = concrete_of(f, SCALAR)
        assert agree(concrete, np.int32(100)) == (6,)

    def test_never_leaves_what_its_dtype_can_hold(self):
        start = np.iinfo(np.int32).max - 2

        def f(n):
            return tf.while_loop(lambda i, s: i < n, lambda i, s: (i + 1, s + 1), (start, 0))

        assert agree(concrete_of(f, SCALAR), np.int32(start + 2)) == (start + 2, 2)


class TestListThatIsFilled:
    @staticmethod
    def waves(xs):
        rows = tf.TensorArray(tf.float32, size=5)
        for i in tf.range(5):
            rows = rows.write(i, tf.sin(xs[i]))
        return rows.stack()

    def test_is_an_array_into_which_its_rows_are_computed(self):
        concrete = concrete_of(self.waves, ROWS)
        assert "rows = np.empty((5, 3), float32)" in concrete.plan_source
        assert "out=rows[loop_counter])" in concrete.plan_source
        assert "TensorList" not in concrete.plan_source
        agree(concrete, np.arange(15, dtype=np.float32).reshape(5, 3))

    def test_belongs_to_one_call(self):
        f = tf.function(self.waves)
        first = f(tf.ones([5, 3])).numpy()
        before = first.copy()
        f(tf.zeros([5, 3]))
        np.testing.assert_array_equal(first, before)

    @pytest.mark.parametrize("dtype", [tf.int32, tf.bool, tf.float64, tf.complex64])
    def test_holds_numbers_too(self, dtype):
        def f(x):
            numbers = tf.TensorArray(dtype, size=3)
            for i in tf.range(3):
                numbers = numbers.write(i, tf.cast(i, dtype))
            return numbers.stack()

        concrete = concrete_of(f, SCALAR)
        assert "TensorList" not in concrete.plan_source
        agree(concrete, np.int32(0))

    def test_what_is_written_is_carried_on_unharmed(self):
        def f(x):
            rows = tf.TensorArray(tf.float32, size=4)
            for i in tf.range(4):
                rows = rows.write(i, x)
                x = tf.tanh(x) + 1.0
            return x, rows.stack()

        concrete = concrete_of(f, tf.TensorSpec([3], tf.float32))
        assert "TensorList" not in concrete.plan_source
        agree(concrete, np.array([0.5, -1.0, 2.0], np.float32))

    def test_one_row_in_two_lists(self):
        def f(xs):
            one, two = tf.TensorArray(tf.float32, size=5), tf.TensorArray(tf.float32, size=5)
            for i in tf.range(5):
                row = tf.exp(xs[i])
                one, two = one.write(i, row), two.write(i, row)
            return one.stack(), two.stack() * 2.0

        agree(concrete_of(f, ROWS), np.arange(15, dtype=np.float32).reshape(5, 3))

    @staticmethod
    def too_few(xs):
        rows = tf.TensorArray(tf.float32, size=6, element_shape=[3])
        for i in tf.range(5):
            rows = rows.write(i, tf.sin(xs[i]))
        return rows.stack()

    @staticmethod
    def backwards(xs):
        rows = tf.TensorArray(tf.float32, size=5)
        for i in tf.range(5):
            rows = rows.write(4 - i, tf.sin(xs[i]))
        return rows.stack()

    @staticmethod
    def read_again(xs):
        rows = tf.TensorArray(tf.float32, size=5, clear_after_read=False)
        for i in tf.range(5):
            rows = rows.write(i, tf.sin(xs[i]))
        return rows.stack(), rows.read(2)

    @staticmethod
    def read_meanwhile(xs):
        rows = tf.TensorArray(tf.float32, size=5, clear_after_read=False, element_shape=[3])
        total = tf.zeros([3])
        for i in tf.range(5):
            rows = rows.write(i, tf.sin(xs[i]))
            total += rows.read(i)
        return rows.stack(), total

    @pytest.mark.parametrize("name", ["too_few", "backwards", "read_again", "read_meanwhile"])
    def test_stays_a_list_where_it_is_used_otherwise(self, name):
        concrete = concrete_of(getattr(self, name), ROWS)
        assert "TensorList" in concrete.plan_source
        agree(concrete, np.arange(15, dtype=np.float32).reshape(5, 3))

    def test_many_in_loops_that_are_nested(self):
        def f(xs):
            outer = tf.TensorArray(tf.float32, size=2)
            for i in tf.range(2):
                inner = tf.TensorArray(tf.float32, size=5)
                for j in tf.range(5):
                    inner = inner.write(j, xs[j] * tf.cast(i, tf.float32))
                outer = outer.write(i, inner.stack())
            return outer.stack()

        agree(concrete_of(f, ROWS), np.arange(15, dtype=np.float32).reshape(5, 3))
