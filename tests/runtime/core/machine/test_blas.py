"""How many threads products of matrices take."""

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.core.machine import blas

MIDDLING = np.ones((200, 200), np.float32)


@pytest.fixture
def library():
    """The library, begun with two threads whatever the machine has."""
    found = blas._library()
    if found is None:
        pytest.skip("NumPy multiplies by another library")
    before = found.get_threads()
    found.set_threads(2)
    yield found
    blas.set_blas_threads(0)
    found.set_threads(before)


@pytest.fixture
def seen(library, monkeypatch):
    """The number of threads at each product."""
    numbers = []
    multiply = np.matmul

    def spy(*args, **kwargs):
        numbers.append(library.get_threads())
        return multiply(*args, **kwargs)

    monkeypatch.setattr(np, "matmul", spy)
    return numbers


def large(monkeypatch):
    monkeypatch.setattr(blas, "LARGE", MIDDLING.size * 200)


class TestDecompositions:
    @pytest.fixture(params=["cholesky", "qr", "det"])
    def name(self, request):
        return request.param

    def decomposed(self, library, monkeypatch, name, matrix):
        """How many threads NumPy's function of that name found."""
        found = []
        original = getattr(np.linalg, name)

        def watched(*args, **kwargs):
            found.append(library.get_threads())
            return original(*args, **kwargs)

        monkeypatch.setattr(np.linalg, name, watched)
        getattr(tf.linalg, name)(matrix)
        return found

    def test_one_thread_is_taken(self, library, monkeypatch, name):
        assert self.decomposed(library, monkeypatch, name, np.eye(20)) == [1]
        assert library.get_threads() == 2

    def test_a_huge_matrix_takes_all(self, library, monkeypatch, name):
        monkeypatch.setattr(blas, "HUGE", 20**3)
        assert self.decomposed(library, monkeypatch, name, np.eye(20)) == [2]


class TestEagerProducts:
    def test_middling_one_takes_one_thread(self, library, seen):
        tf.matmul(MIDDLING, MIDDLING)
        assert seen == [1]
        assert library.get_threads() == 2

    def test_large_one_is_divided(self, library, seen, monkeypatch):
        large(monkeypatch)
        tf.matmul(MIDDLING, MIDDLING)
        assert seen == [1, 1, 1, 1]
        assert library.get_threads() == 2

    @pytest.mark.parametrize("shape", [(200, 301), (301, 200), (200, 1000), (1000, 201)])
    @pytest.mark.parametrize("dtype", [np.float32, np.complex128])
    def test_pieces_make_up_the_whole(self, library, monkeypatch, shape, dtype):
        large(monkeypatch)
        random = np.random.default_rng(3)
        a, b = (random.normal(size=(size, 200)).astype(dtype) for size in shape)
        found = tf.matmul(a, b, transpose_b=True).numpy()
        assert found.dtype == dtype
        np.testing.assert_allclose(found, np.matmul(a, b.T), rtol=1e-4, atol=1e-4)

    def test_no_helper_is_needed(self, library, monkeypatch):
        large(monkeypatch)
        monkeypatch.setattr(blas, "_helped", lambda work, count: [])
        assert (tf.matmul(MIDDLING, MIDDLING).numpy() == 200).all()

    def test_huge_batch_takes_all(self, seen, monkeypatch):
        large(monkeypatch)
        monkeypatch.setattr(blas, "HUGE", MIDDLING.size * 200)
        tf.matmul(MIDDLING[np.newaxis], MIDDLING)
        assert seen == [2]

    def test_small_one_costs_no_change(self, seen):
        tf.matmul(MIDDLING[:10], MIDDLING[:, :10])
        assert seen == [2]

    def test_row_counts_as_middling_before_a_matrix_does(self, seen):
        tf.matmul(MIDDLING[:1], MIDDLING)
        tf.matmul(MIDDLING[:2, :10], MIDDLING[:10])
        assert seen == [1, 2]

    def test_those_of_einsum_and_convolutions_too(self, seen):
        tf.einsum("ij,jk->ki", MIDDLING, MIDDLING)
        tf.nn.conv2d(np.ones((1, 64, 64, 32), "f"), np.ones((1, 1, 32, 64), "f"), 1, "SAME")
        assert set(seen) == {1}


class TestProductsOfGraphs:
    def test_middling_one_takes_one_thread(self, library, seen):
        tf.function(tf.matmul)(tf.constant(MIDDLING), tf.constant(MIDDLING))
        assert seen == [1]
        assert library.get_threads() == 2

    def test_one_of_unknown_size_goes_by_its_size(self, seen):
        spec = tf.TensorSpec([None, None], tf.float32)
        multiply = tf.function(lambda a, b: a @ b, input_signature=[spec, spec])
        multiply(tf.constant(MIDDLING), tf.constant(MIDDLING))
        multiply(tf.constant(MIDDLING[:10]), tf.constant(MIDDLING[:, :10]))
        assert seen == [1, 2]

    def test_text_names_numpy_where_the_product_is_known_to_be_small(self):
        def source(*sizes):
            specs = [tf.TensorSpec(size, tf.float32) for size in sizes]
            return tf.function(lambda a, b: a @ b).get_concrete_function(*specs).plan_source

        assert "np.matmul(a, b)" in source([10, 10], [10, 40])
        assert " product(a, b)" in source([200, 200], [200, 200])
        assert " product(a, b)" in source([None, 10], [10, 40])


class TestLoops:
    @staticmethod
    def power(x, steps):
        for _ in tf.range(steps):
            x = x @ x * 0.005
        return x

    def test_threads_are_limited_once_around_the_loop(self, library, seen):
        power = tf.function(self.power)
        np.testing.assert_allclose(power(MIDDLING, 3), MIDDLING, rtol=1e-5)
        assert seen == [1, 1, 1]
        assert library.get_threads() == 2
        text = power.get_concrete_function(MIDDLING, tf.TensorSpec([], tf.int32)).plan_source
        assert "    with one_thread:\n" in text
        assert "np.matmul(x_2, x_2)" in text

    def test_error_in_the_loop_restores_the_threads(self, library):
        @tf.function
        def fail(x, steps):
            for _ in tf.range(steps):
                x = x @ x
                tf.debugging.assert_less(tf.reduce_sum(x), 0.0)
            return x

        with pytest.raises(tf.errors.InvalidArgumentError, match="did not hold"):
            fail(MIDDLING, tf.constant(3))
        assert library.get_threads() == 2

    def test_large_product_in_it_is_divided(self, library, monkeypatch):
        large(monkeypatch)
        with blas.ONE_THREAD:
            assert blas.ONE_THREAD.to_divide() == 2
        blas.set_blas_threads(1)
        assert blas.ONE_THREAD.to_divide() == 1

    @pytest.mark.parametrize("size", [10, 500, None])
    def test_other_loops_limit_none(self, size):
        spec = tf.TensorSpec([size, size], tf.float32)
        concrete = tf.function(self.power).get_concrete_function(spec, tf.constant(3))
        assert "one_thread" not in concrete.plan_source

    def test_loop_that_calls_python_functions_limits_none(self, seen):
        @tf.function
        def f(x, steps):
            for _ in tf.range(steps):
                x = tf.numpy_function(lambda x: np.matmul(x, x), [x], tf.float32)
                x = tf.ensure_shape(x, [200, 200]) @ MIDDLING
            return x

        f(MIDDLING, tf.constant(1))
        assert seen == [2, 1]


class TestNumberOfTheProgram:
    def test_holds_for_every_product(self, seen, monkeypatch):
        blas.set_blas_threads(2)
        tf.matmul(MIDDLING, MIDDLING)
        monkeypatch.setattr(blas, "LARGE", MIDDLING.size * 200)
        blas.set_blas_threads(1)
        tf.matmul(MIDDLING, MIDDLING)
        tf.matmul(MIDDLING[:10], MIDDLING[:, :10])
        assert seen == [2, 1, 1]

    def test_set_meanwhile_is_not_undone(self, library):
        with blas.ONE_THREAD:
            blas.set_blas_threads(2)
            assert library.get_threads() == 2
        assert library.get_threads() == 2


class TestOneThread:
    def test_last_that_leaves_restores(self, library):
        with blas.ONE_THREAD:
            with blas.ONE_THREAD:
                assert library.get_threads() == 1
            assert library.get_threads() == 1
        assert library.get_threads() == 2

    def test_failure_restores(self, library):
        with pytest.raises(ValueError, match="meanwhile"), blas.ONE_THREAD:
            raise ValueError("meanwhile")
        assert library.get_threads() == 2

    def test_many_threads_leave_the_number_as_it_was(self, library):
        def multiply():
            for _ in range(50):
                tf.matmul(MIDDLING, MIDDLING)

        threads = [threading.Thread(target=multiply) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert library.get_threads() == 2

    def test_number_set_by_another_library_is_restored(self, library):
        library.set_threads(1)
        tf.matmul(MIDDLING, MIDDLING)
        assert library.get_threads() == 1

    def test_child_of_a_process_that_was_inside_restores(self, library):
        blas.ONE_THREAD.__enter__()
        blas.ONE_THREAD._begin()
        tf.matmul(MIDDLING, MIDDLING)
        assert library.get_threads() == 2


def test_small_pieces_run_in_order_without_a_look_at_the_threads(library, monkeypatch):
    monkeypatch.setattr(blas, "_share_out", None)
    found = []
    blas.in_pieces(found.append, range(4), 8, 8, 8)
    assert found == [0, 1, 2, 3]


def test_other_pieces_multiply_on_one_thread_each(seen):
    size = blas.MANY
    blas.in_pieces(lambda i: np.matmul(MIDDLING, MIDDLING), range(3), size, 8, 8)
    assert seen == [1, 1, 1]
