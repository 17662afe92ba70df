"""The functions that a trace runs, and those that it only reaches."""

import cProfile
import functools

from autograph.adapters.torch.compiler.running import Running


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
