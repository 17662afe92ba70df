"""The functions that a trace runs, and those that it only reaches."""

import cProfile
import functools
import queue
import threading
from concurrent.futures import ThreadPoolExecutor

from autograph.adapters.torch.compiler.running import Running
from autograph.syntax.stack import on_own_stack


def called(x):
    return x


def reached(x):
    return x


def has_run(running):
    return [running.has_run(each) for each in (called, reached)]


def test_functions_that_ran_are_known_by_their_arguments_too():
    running = Running()
    with running.noted():
        sorted([2, 1], key=called)
    assert has_run(running) == [True, False]
    namespace = {}
    exec("def called(y): ...", namespace)
    assert not running.has_run(namespace["called"])


def test_all_traces_count():
    running = Running()
    for function in (called, reached):
        with running.noted():
            functools.partial(function, 1)()
    assert has_run(running) == [True, True]


def test_under_another_profiler_all_functions_count():
    running, profile = Running(), cProfile.Profile()
    profile.enable()
    try:
        with running.noted():
            called(1)
        reached(1)
    finally:
        profile.disable()
    assert has_run(running) == [True, True]
    assert "reached" in str(profile.getstats())


def in_a_thread():
    thread = threading.Thread(target=called, args=(1,))
    thread.start()
    thread.join()


def in_a_pool():
    with ThreadPoolExecutor(1) as pool:
        pool.submit(int).result()
        running = Running()
        with running.noted():
            pool.submit(called, 1).result()
    return running


def by_a_queue():
    tasks, results = queue.Queue(), queue.Queue()
    thread = threading.Thread(target=lambda: results.put(called(tasks.get())))
    thread.start()
    running = Running()
    with running.noted():
        tasks.put(1)
        results.get()
    thread.join()
    return running


def test_what_other_threads_run_may_be_any_function():
    running, before = Running(), threading.getprofile()
    with running.noted():
        in_a_thread()
    assert threading.getprofile() is before
    assert has_run(running) == [True, True]
    assert has_run(in_a_pool()) == [True, True]
    assert has_run(by_a_queue()) == [True, True]


def test_threads_of_the_converter_do_not_count():
    running = Running()
    with running.noted():
        on_own_stack(called, 1)
    # From Python 3.12 on, a profiler sees what all threads call; other functions do not count.
    assert not running.has_run(reached)
