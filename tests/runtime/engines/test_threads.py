"""Threads for blocks of rows: as many as a program asks for, and each row once."""

import threading

import pytest

from runtime.engines import threads


@pytest.fixture
def use_threads():
    yield threads.use_threads
    threads.use_threads(0)


@pytest.mark.parametrize(
    ("asked", "count", "shares"),
    [(0, 12, 1), (1, 12, 1), (3, 12, 3), (3, 11, 2), (3, 4, 1), (3, 0, 1)],
)
def test_rows_are_divided_among_threads_by_whole_blocks(use_threads, asked, count, shares):
    use_threads(asked)
    found = []
    threads.all_rows(lambda first, last: found.append((first, last)), count, rows=4)
    assert len(found) == shares
    assert sorted(row for first, last in found for row in range(first, last)) == [*range(count)]
    assert all(first % 4 == 0 for first, _ in found)


def test_blocks_run_on_threads_of_the_pool_only_if_asked_for(use_threads):
    names = set()

    def block(first, last):
        names.add(threading.current_thread().name)

    threads.all_rows(block, 8, 4)
    assert names == {threading.current_thread().name}
    names.clear()
    use_threads(2)
    threads.all_rows(block, 8, 4)
    assert all(name.startswith("runtime blocks") for name in names)


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
        threads.all_rows(block, 8, 4)
