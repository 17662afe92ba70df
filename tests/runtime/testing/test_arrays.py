"""Arrays that are equal or close, and those that are not."""

from collections import namedtuple

import numpy as np
import pytest

import runtime as tf

Point = namedtuple("Point", "x y")


EQUAL = [
    (tf.constant([1, 2]), [1, 2]),
    (np.float32(1.0), 1),
    ([np.nan, 1.0], [np.nan, 1.0]),
    (tf.constant(["a"]), [b"a"]),
    ([tf.constant(1), 2], tf.constant([1, 2])),
    (tf.Variable([1.0]), [1.0]),
]


UNEQUAL = [
    (tf.constant([1, 2]), [1, 3], "not equal where = .*1"),
    ([1, 2], [1, 2, 3], "Shape mismatch: expected \\(2,\\), got \\(3,\\) with contents"),
    ([np.nan], [1.0], "not equal lhs"),
    (1, 2, "not equal rhs = .*2"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal(case, a, b):
    case.assertAllEqual(a, b)


@pytest.mark.parametrize(("a", "b", "text"), UNEQUAL)
def test_unequal(case, a, b, text):
    with pytest.raises(AssertionError, match=text):
        case.assertAllEqual(a, b, "why")
    with pytest.raises(AssertionError, match="why"):
        case.assertAllEqual(a, b, "why")


CLOSE = [
    (tf.constant(1.0), 1.0 + 1e-7),
    ({"a": [1.0, (2.0, 3.0)]}, {"a": [1.0, (2.0, 3.0 + 1e-7)]}),
    (Point(1.0, [2.0]), Point(1.0, [2.0])),
    (Point(1.0, 2.0), {"x": 1.0, "y": 2.0}),
    ([np.nan, np.inf], [np.nan, np.inf]),
    ([tf.constant([1.0]), tf.constant([1.0, 2.0])], [[1.0], [1.0, 2.0]]),
]


APART = [
    (1.0, 1.1, AssertionError, "not close dif = 0.1"),
    ({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]}, AssertionError, "a\\[a\\] is different from b\\[a\\]"),
    ([[1.0], [2.0, 3.0]], [[1.0], [2.0, 4.0]], AssertionError, "a\\[1\\] is different"),
    ({"a": 1.0}, [1.0], ValueError, "Can't compare dict to non-dict"),
    ({"a": 1.0}, {"b": 1.0}, AssertionError, "mismatched keys"),
    ([[1.0], [2.0, 3.0]], [[1.0]], ValueError, "Mismatched length: a has 2 items, but b has 1"),
    ([1.0], [1.0, 2.0], AssertionError, "Shape mismatch"),
    (np.inf, 1.0, AssertionError, "not close lhs = inf"),
]


@pytest.mark.parametrize(("a", "b"), CLOSE)
def test_close(case, a, b):
    case.assertAllClose(a, b)


@pytest.mark.parametrize(("a", "b", "kind", "text"), APART)
def test_apart(case, a, b, kind, text):
    with pytest.raises(kind, match=text):
        case.assertAllClose(a, b)


def test_limits_of_closeness(case):
    case.assertAllClose(1.0, 1.1, atol=0.11)
    case.assertAllClose(100.0, 101.0, rtol=0.01)
