"""Results that may be None: only code that tests for None by operators gets them."""

import sys

import autograph
import runtime as tf
from autograph.operators.results import has_operators, settled, takes_alternatives


def first_above(xs, limit):
    for x in xs:
        if x > limit:
            return x
    return None


def test_converted_code_has_operators_and_plain_code_has_not():
    assert has_operators(autograph.to_graph(first_above).__code__)
    assert not has_operators(first_above.__code__)


def test_plain_python_does_not_take_alternatives():
    assert not takes_alternatives(sys._getframe())
    assert settled(None) is None


def test_a_converted_caller_tests_what_it_is_given_for_none():
    @tf.function
    def found(xs, limit):
        x = first_above(xs, limit)
        return -1.0 if x is None else x

    xs = tf.constant([1.0, 5.0])
    assert [float(found(xs, tf.constant(limit))) for limit in (3.0, 7.0)] == [5.0, -1.0]
