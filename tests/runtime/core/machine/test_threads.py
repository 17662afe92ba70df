"""Threads for blocks of rows: as many as a program asks for or long work needs, each row once."""

import threading

import pytest

from runtime.core.machine import threads


@pytest.fixture
def use_threads():
    yield threads.use_threads
    threads.use_threads(0)


@pytest.mark.parametrize("asked", [0, 1, 3])
@pytest.mark.parametrize("count", [0, 4, 11, 12, 400])
@pytest.mark.parametrize("computations", [400, 2 * threads.MANY])
def test_each_row_is_computed_once_in_whole_blocks(use_threads, asked, count, computations):
    use_threads(asked)
    found = []
    threads.all_rows(lambda first, last: found.append((first, last)), count, 4, computations)
    assert sorted(row for first, last in found for row in range(first, last)) == [*range(count)]
    assert all(first % 4 == 0 for first, _ in found)


@pytest.mark.parametrize(
    ("asked", "computations", "share"),
    [(0, 10, False), (0, threads.MANY, True), (1, threads.MANY, False), (2, 10, True)],
)
def test_threads_share_long_computations_or_those_of_a_program_that_asked(
    use_threads, monkeypatch, asked, computations, share
):
    monkeypatch.setattr(threads, "_cores", lambda: 2)
    use_threads(asked)
    both = threading.Barrier(2)
    names = set()

    def block(first, last):
        names.add(threading.current_thread().name)
        if share and first < 2:
            both.wait(timeout=60)

    threads.all_rows(block, 8, 1, computations)
    assert len(names) == 1 + share
    assert threading.current_thread().name in names


def test_loops_have_all_cores_unless_a_number_is_asked_for(use_threads):
    assert threads.threads_of_loops() >= 1
    use_threads(5)
    assert threads.threads_of_loops() == 5


def test_the_error_of_a_block_is_raised(use_threads):
    use_threads(2)

    def block(first, last):
        if first:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        threads.all_rows(block, 8, 4, 8)
