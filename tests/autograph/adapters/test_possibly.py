"""Values that a variable may not have."""

import pytest

import autograph
from fixtures.staging.lazy_arrays import run


def test_loop_that_ends_by_itself_leaves_no_value():
    @autograph.convert()
    def program(x):
        while x < 10:
            x = x * 2
            found = x
        return found

    with pytest.raises(UnboundLocalError, match="`found` is read"):
        run(program, 3.0)


def reached_by_and(x):
    if x > 0 and (y := x * 2) > 1:
        return y
    return x


def reached_by_or(x):
    if x < 0 or (y := x * 2) < 1:
        return x
    return y


def reached_by_three(x):
    if not (x > 0 and (y := x * 2) > 1 and (z := y * x) < 10):
        return x
    return y + z


@pytest.mark.parametrize("program", [reached_by_and, reached_by_or, reached_by_three])
@pytest.mark.parametrize("x", [-1.0, 0.25, 1.0, 3.0])
def test_operand_that_decided_has_assigned_its_variable(program, x):
    assert run(autograph.convert()(program), x) == program(x)


def test_operand_that_may_not_have_run_leaves_no_value():
    @autograph.convert()
    def program(x):
        if x > 0 or (y := x * 2) > 1:
            return y
        return x

    with pytest.raises(UnboundLocalError):
        run(program, 3.0)
