"""Functions of `math`, computed by a library of arrays."""

import itertools
import math

import numpy as np
import pytest

from autograph.adapters.mathematics import FUNCTIONS, call

NUMBERS = (0.0, -0.0, 0.5, 1.0, -1.0, 3.0, 800.0, -800.0, math.inf, -math.inf, math.nan)
OF_TWO = ("atan2", "copysign", "fmod", "isclose", "log", "pow")


def in_numpy(name, *numbers):
    def check(fails, error):
        if fails:
            raise error

    with np.errstate(all="ignore"):
        return call(name, np, list(map(np.float64, numbers)), check)


def outcome(function, *numbers):
    try:
        return function(*numbers)
    except (ArithmeticError, ValueError) as error:
        return type(error)


CASES = [(name, (x,)) for name in FUNCTIONS - set(OF_TWO) | {"log"} for x in NUMBERS]
CASES += [(name, pair) for name in OF_TWO for pair in itertools.product(NUMBERS, NUMBERS)]


@pytest.mark.parametrize(("name", "numbers"), sorted(CASES, key=repr))
def test_results_and_errors_are_those_of_python(name, numbers):
    expected = outcome(getattr(math, name), *numbers)
    found = outcome(lambda *given: in_numpy(name, *given), *numbers)
    if isinstance(expected, type):
        assert found is expected
    else:
        assert np.isclose(found, expected, equal_nan=True)
