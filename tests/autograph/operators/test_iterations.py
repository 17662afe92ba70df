"""Functions that tell the iterations of a loop apart."""

import logging
import math

import pytest

from autograph.operators.iterations import end_attempt, tells_apart


def asks_for_a_type(x):
    return isinstance(x, float)


def calls_one(x):
    return asks_for_a_type(x) or x


def logs(x):
    logging.info("at %s", x)


def in_a_closure(function):
    return lambda x: function(x)


class Named:
    def method(self, x):
        return type(x).__name__


def computes(x):
    return math.sqrt(abs(x)) + len([x])


@pytest.mark.parametrize(
    "function", [asks_for_a_type, calls_one, logs, in_a_closure(calls_one), Named().method]
)
def test_what_asks_for_a_type_or_logs_tells_them_apart(function):
    assert tells_apart(function)


@pytest.mark.parametrize("function", [computes, in_a_closure(computes), logging.info, len])
def test_what_computes_and_known_libraries_do_not(function):
    assert not tells_apart(function)


def test_outside_of_an_attempt_nothing_ends():
    end_attempt(asks_for_a_type)
