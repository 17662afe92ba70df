"""Values of tensors in tests, eagerly and in graphs."""

import random

import numpy as np
import pytest

import runtime as tf


def test_each_test_starts_from_the_same_seeds(outcome):
    drawn = []

    def draw(self):
        drawn.append((random.random(), np.random.rand(), float(tf.random.uniform([]))))

    outcome(draw)
    outcome(draw)
    assert drawn[0] == drawn[1]


def test_each_test_starts_with_an_empty_default_graph(outcome):
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
