"""Checks of containers and of errors."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize(
    ("name", "holds", "fails"),
    [
        ("assertEmpty", ([],), ([1],)),
        ("assertNotEmpty", ([1],), ([],)),
        ("assertLen", ([1], 1), ([1], 2)),
        ("assertStartsWith", ("abc", "a"), ("abc", "b")),
        ("assertEndsWith", ("abc", "c"), ("abc", "b")),
        ("assertItemsEqual", ([1, 2], [2, 1]), ([1, 1], [1])),
    ],
)  # fmt: skip
def test_checks(case, name, holds, fails):
    getattr(case, name)(*holds)
    with pytest.raises(AssertionError):
        getattr(case, name)(*fails)


class TestRaises:
    def test_errors_of_operations(self, case):
        with case.assertRaisesOpError("Inf"):
            tf.debugging.check_numerics(np.inf, "x")
        with (
            pytest.raises(AssertionError, match="other words"),
            case.assertRaisesOpError("other words"),
        ):
            tf.debugging.check_numerics(np.inf, "x")

    def test_predicates(self, case):
        with case.assertRaisesWithPredicateMatch(KeyError, lambda error: error.args == ("a",)):
            raise KeyError("a")
        with (
            pytest.raises(AssertionError, match="predicate does not hold"),
            case.assertRaisesWithPredicateMatch(KeyError, lambda error: False),
        ):
            raise KeyError("a")

    def test_nothing_is_raised(self, case):
        with (
            pytest.raises(AssertionError, match="ValueError not raised"),
            case.assertRaisesWithPredicateMatch(ValueError, "a"),
        ):
            pass

    def test_another_class(self, case):
        with (
            pytest.raises(AssertionError, match=r"Exception of type .*KeyError"),
            case.assertRaisesWithPredicateMatch(ValueError, "a"),
        ):
            raise KeyError("a")
