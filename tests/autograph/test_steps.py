"""Trampolines: functions that a generator yields are called outside of it."""

import inspect

import pytest

from autograph import steps
from autograph.staging import trace


def test_a_generator_gets_what_its_functions_return():
    def total():
        first = yield lambda: 1
        return first + (yield from steps.calling(lambda: 2)())

    assert steps.run(total) == 3


def test_functions_are_called_without_frames_of_the_generator():
    def outer():
        return (yield lambda: [frame.function for frame in inspect.stack()])

    names = steps.run(outer)
    assert "outer" not in names
    assert "run" in names


def test_an_error_of_a_function_may_be_handled_by_the_generator():
    def division():
        try:
            yield lambda: 1 // 0
        except ZeroDivisionError:
            return "caught"

    assert steps.run(division) == "caught"
    with pytest.raises(ZeroDivisionError):
        steps.run(steps.calling(lambda: 1 // 0))
    assert trace.stepping is None
