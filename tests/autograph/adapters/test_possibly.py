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
