"""`name = a if test else None`, of a variable that is tested for None later."""

import pytest

from tests.runtime.control_flow.agreement import check


def value_or_none(x):
    y = x if x > 0 else None
    return 0 if y is None else y + 1


def none_or_value(x):
    y = None if x > 0 else x * 2
    if y is not None:
        return y
    return 7


def several_times(x):
    y = (x if x > 1 else None)  # fmt: skip
    z = 3 if y is None else y
    y = z if z > 2 else None
    return [z, 0 if y is None else y]


def smallest_above(x):
    best = None
    for v in (3, 1, 2):
        best = v if v > x and (best is None or v < best) else best
    return best if best is not None else -1


def kept_or_replaced(x):
    best = None
    for v in (3, 1, 2):
        best = best if v <= x else v
    return best if best is not None else -1


def python_decides(x):
    y = None if x is None else x
    return 0 if y is None else y + 1


@pytest.mark.parametrize(
    "program",
    [
        value_or_none,
        none_or_value,
        several_times,
        smallest_above,
        kept_or_replaced,
        python_decides,
    ],
    ids=lambda each: each.__name__,
)
def test_the_variable_is_none_where_python_says_so(program):
    check(program, (1,), (2,), (-1,), (5,))
