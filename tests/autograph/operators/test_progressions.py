"""Progressions of three consecutive numbers, with the rounding of the program."""

from itertools import accumulate, islice, repeat
from operator import add, mul

import pytest

from autograph.operators.progressions import progression


@pytest.mark.parametrize(
    ("step", "start", "apply"),
    [
        (3, 1, add),
        (-2, 0, add),
        (0.1, 0.0, add),
        (1e-3, 7.0, add),
        (1.1, 0.3, mul),
        (0.5, 1e9, mul),
    ],
)
def test_a_progression_goes_on_as_the_program_does(step, start, apply):
    numbers = list(islice(accumulate(repeat(step), apply, initial=start), 50))
    assert list(islice(progression(*numbers[:3]), 48)) == numbers[2:]


@pytest.mark.parametrize(
    "numbers",
    [(1, 1, 1), (1, 2, 4), (1, 2, 3.0), (True, False, True), (1.0, 2.0, 5.0), ("a", "b", "c")],
)
def test_other_numbers_have_none(numbers):
    assert progression(*numbers) is None
