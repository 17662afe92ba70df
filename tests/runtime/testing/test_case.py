"""`TestCase`: values, comparisons, exceptions and files, where they hold and where not."""

import io
import os
import random
import unittest
from collections import namedtuple

import numpy as np
import pytest

import runtime as tf

Point = namedtuple("Point", "x y")


@pytest.fixture
def case():
    class Case(tf.test.TestCase):
        def runTest(self):
            """Stands for a test."""

    one = Case()
    one.setUp()
    yield one
    one.tearDown()
    one.doCleanups()


def outcome(body):
    """What a class of one test ends with."""

    class Case(tf.test.TestCase):
        test = body

    tests = unittest.defaultTestLoader.loadTestsFromTestCase(Case)
    assert tests.countTestCases() == 1
    return unittest.TextTestRunner(io.StringIO()).run(tests)


def test_a_class_of_tests_runs():
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 2])).wasSuccessful()
    assert outcome(lambda self: self.assertAllEqual(tf.range(3), [0, 1, 3])).failures


def test_each_test_starts_from_the_same_seeds():
    drawn = []

    def draw(self):
        drawn.append((random.random(), np.random.rand(), float(tf.random.uniform([]))))

    outcome(draw)
    outcome(draw)
    assert drawn[0] == drawn[1]


def test_each_test_starts_with_an_empty_default_graph():
    names = []

    def build(self):
        with tf.compat.v1.get_default_graph().as_default():
            names.append(tf.constant(1.0, name="a").name)

    outcome(build)
    outcome(build)
    assert names == ["a:0", "a:0"]


class TestEvaluate:
    def test_structures_eagerly(self, case):
        value = case.evaluate(
            {"a": [tf.constant(1), tf.Variable(2.0)], "b": lambda: tf.constant(3)}
        )
        assert value == {"a": [1, 2.0], "b": 3}

    def test_none_stays(self, case):
        assert case.evaluate([None, tf.constant(1)]) == [None, 1]

    def test_what_has_no_value_is_refused(self, case):
        with pytest.raises(ValueError, match="Unsupported type <class 'int'>"):
            case.evaluate(3)

    def test_in_a_graph_by_the_sessions_of_blocks(self, case):
        with tf.Graph().as_default():
            v = tf.Variable(2.0, name="v")
            with case.session() as session:
                session.run(v.initializer)
                assert case.evaluate([v, {"twice": v * 2.0}]) == [2.0, {"twice": 4.0}]

    def test_in_a_graph_by_a_session_that_a_test_keeps(self, case):
        with tf.Graph().as_default():
            v = tf.Variable(2.0, name="v")
            case.evaluate(v.initializer)
            assert case.evaluate(v) == 2.0


class TestSessions:
    def test_blocks_of_cached_session_have_one(self, case):
        with tf.Graph().as_default():
            with case.cached_session() as first:
                pass
            with case.cached_session() as second:
                assert first is second

    def test_blocks_of_session_have_their_own(self, case):
        with tf.Graph().as_default():
            with case.session() as first:
                tf.constant(1.0)
            with case.session() as second:
                assert first is not second

    def test_another_graph_than_the_first_is_refused(self, case):
        with tf.Graph().as_default():
            with case.cached_session():
                pass
            with (
                pytest.raises(ValueError, match="graph used to get the cached session"),
                case.cached_session(graph=tf.Graph()),
            ):
                pass

    def test_eagerly_run_is_evaluate(self, case):
        with case.session() as session:
            assert session.run([tf.constant(1)]) == [1]
            with pytest.raises(RuntimeError, match="feed_dict is not supported"):
                session.run(tf.constant(1), feed_dict={"a": 1})
            with pytest.raises(RuntimeError, match="Optional args are not supported"):
                session.run(tf.constant(1), options=1)

    def test_the_earlier_name(self, case):
        with case.test_session() as session:
            assert session.run(tf.constant(1)) == 1
        with pytest.raises(AttributeError, match="has no attribute 'no_such'"):
            case.no_such  # noqa: B018 - reading is what is tested


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


@pytest.mark.parametrize(
    ("name", "holds", "fails"),
    [
        ("assertDictEqual", ({"a": tf.constant(1.0)}, {"a": 1.0}), ({"a": [1]}, {"a": [2]})),
        ("assertDictEqual", ({}, {}), ({"a": 1}, {"b": 1})),
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


class TestInFunctions:
    def test_checks_run_with_the_function(self, case):
        @tf.function
        def check(x):
            case.assertAllClose(x, [1.0, 2.0])
            return x

        check(tf.constant([1.0, 2.0]))
        with pytest.raises(AssertionError, match="not close"):
            check(tf.constant([1.0, 3.0]))

    def test_checks_of_known_values_run_at_once(self, case):
        @tf.function
        def check():
            case.assertAllEqual([1], [2])

        with pytest.raises(AssertionError, match="not equal"):
            check()


class TestFiles:
    def test_a_directory_for_one_test(self, case):
        assert case.get_temp_dir() == case.get_temp_dir()

    def test_it_is_gone_after_the_test(self):
        kept = []
        outcome(lambda self: kept.append(self.get_temp_dir()))
        assert not os.path.exists(kept[0])

    def test_what_is_written_to_a_stream(self, case, tmp_path):
        with open(tmp_path / "out", "w") as stream:
            with case.captureWritesToStream(stream) as captured:
                stream.write("inside")
            stream.write("after")
        assert captured.contents() == "inside"
        assert (tmp_path / "out").read_text() == "after"
