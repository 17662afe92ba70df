"""Loops of a library: their ends, and their bounds."""

import autograph
from fixtures.staging.lazy_arrays import run


def test_while_true_that_only_returns_leave_has_a_value():
    @autograph.convert()
    def program(x):
        while True:
            x = x * 2
            if x > 10:
                return x
            if x < -10:
                return -x

    assert run(program, 3.0) == 12.0
    assert run(program, -3.0) == 12.0


def test_maximum_iterations_ends_a_loop():
    @autograph.convert()
    def program(x):
        while x > 0:
            autograph.set_loop_options(maximum_iterations=3)
            x = x + 1
        return x

    assert run(program, 1.0) == 4.0
