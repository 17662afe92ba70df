"""Checks in staged statements fail where they fail in Python."""

import threading

import pytest

import autograph
from fixtures.staging.lazy_arrays import run


def test_nested_structures_and_checks_in_loops():
    @autograph.convert()
    def program(x, n):
        state = {"values": (x, [x]), "name": "a"}
        for i in range(n):
            a, [b] = state["values"]
            assert a < 100, "large"
            state["values"] = (a * 2, [b + i])
        return state

    assert run(program, 1.0, 3) == {"values": (8.0, [4.0]), "name": "a"}
    with pytest.raises(AssertionError, match="large"):
        run(program, 1.0, 9)


def test_second_iteration_raises_whatever_the_data():
    @autograph.convert()
    def program(xs):
        seen = []
        for x in xs:
            seen.append(x)
            if len(seen) == 2:
                raise ValueError("again")
        return len(seen)

    assert run(program, [1.0]) == 1
    with pytest.raises(ValueError, match="again"):
        run(program, [1.0, 2.0, 3.0])


def test_checks_of_two_threads_stay_apart():
    @autograph.convert()
    def inner(x):
        if x > 0:
            assert x < 7, "inner"
        return x

    def other():
        run(inner, 1.0)

    def meanwhile():
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()

    @autograph.convert()
    def program(x):
        if x > 0:
            assert x < 5, "large"
            autograph.do_not_convert(meanwhile)()
        return x

    with pytest.raises(AssertionError, match="large"):
        run(program, 9.0)
