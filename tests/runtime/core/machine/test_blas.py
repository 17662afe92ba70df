"""How many threads the products of decompositions and convolutions have."""

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.core.machine import blas

MATRIX = np.ones((200, 200), np.float32)


@pytest.fixture
def library():
    """The library, begun with two threads whatever the machine has."""
    found = blas._library()
    if found is None:
        pytest.skip("NumPy multiplies by another library")
    before = found.get_threads()
    found.set_threads(2)
    yield found
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


def test_a_product_alone_has_the_threads_of_numpy(seen):
    tf.matmul(MATRIX, MATRIX)
    tf.function(tf.matmul)(tf.constant(MATRIX), tf.constant(MATRIX))
    assert seen == [2, 2]


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
        def decompose():
            for _ in range(50):
                tf.linalg.qr(MATRIX[:50, :50])

        threads = [threading.Thread(target=decompose) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert library.get_threads() == 2

    def test_number_set_by_another_library_is_restored(self, library):
        library.set_threads(1)
        tf.linalg.qr(MATRIX)
        assert library.get_threads() == 1

    def test_child_of_a_process_that_was_inside_restores(self, library):
        blas.ONE_THREAD.__enter__()
        blas.ONE_THREAD.renew()
        tf.linalg.qr(MATRIX)
        assert library.get_threads() == 2


class TestPieces:
    def test_those_of_convolutions_multiply_on_one_thread_each(self, seen):
        tf.nn.conv2d(np.ones((1, 64, 64, 32), "f"), np.ones((1, 1, 32, 64), "f"), 1, "SAME")
        assert set(seen) == {1}

    def test_small_ones_run_in_order_without_a_look_at_the_threads(self, seen):
        blas.in_pieces(lambda i: np.matmul(MATRIX, MATRIX), range(3), 8, 8, 8)
        assert seen == [2, 2, 2]

    @pytest.mark.parametrize("columns", [8, blas.LARGE])
    def test_others_multiply_on_one_thread_each(self, seen, columns):
        found = []
        blas.in_pieces(
            lambda i: found.append(np.matmul(MATRIX, MATRIX).size + i), range(3), 200, 200, columns
        )
        assert sorted(found) == [MATRIX.size + i for i in range(3)]
        assert seen == [1, 1, 1]
