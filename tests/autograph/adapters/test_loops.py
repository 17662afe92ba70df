"""Loops of a library: their ends, and their bounds."""

import pytest

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


@autograph.convert()
def halves(xs):
    found = []
    for x in xs:
        assert x > 0, f"{len(found)} before"
        found.append(x / 2)
    return found


def test_a_list_grows_in_a_loop_with_a_check():
    assert run(halves, [1.0, 2.0, 3.0]) == [0.5, 1.0, 1.5]


def test_the_first_failed_check_of_a_loop_whose_list_grows_is_raised():
    with pytest.raises(AssertionError, match="1 before"):
        run(halves, [1.0, -2.0, -3.0])


def test_a_list_does_not_grow_in_a_loop_that_a_test_ends():
    @autograph.convert()
    def program(xs):
        found = []
        for x in xs:
            assert x > 0
            if x > 2:
                break
            found.append(x / 2)
        return found

    with pytest.raises(TypeError, match="`found` is a list of"):
        run(program, [1.0, 2.0, 3.0])


def test_list_that_grows_until_a_break_names_the_break():
    @autograph.convert()
    def program(x):
        losses = []
        for _ in range(5):
            x = x / 2
            losses.append(x)
            if x < 1:
                break
        return losses

    text = "that a staged `break` or `return` leaves out, so `losses` needs one length"
    with pytest.raises(TypeError, match=text):
        run(program, 3.0)


def test_array_that_is_filled_until_a_break_is_staged():
    @autograph.convert()
    def program(x):
        losses = [0.0, 0.0, 0.0]
        count = 0
        for i in range(3):
            x = x / 2
            losses[i] = x
            count += 1
            if x < 1:
                break
        return losses, count

    assert run(program, 3.0) == ([1.5, 0.75, 0.0], 2)
