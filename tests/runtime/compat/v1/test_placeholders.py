import numpy as np
import pytest

import runtime as tf

v1 = tf.compat.v1


def test_a_session_feeds_a_placeholder():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.float32, [None, 2], name="x")
        assert (x.op.type, x.op.name, x.shape.as_list()) == ("Placeholder", "x", [None, 2])
        assert session.run(2.0 * x, {x: [[1.0, 2.0]]}).tolist() == [[2.0, 4.0]]


def test_a_placeholder_that_is_not_fed_has_no_value():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder(tf.int32, name="x")
        with pytest.raises(tf.errors.InvalidArgumentError, match="x"):
            session.run(x + 1)


def test_a_placeholder_belongs_to_a_graph():
    with pytest.raises(RuntimeError, match=r"tf\.placeholder"):
        v1.placeholder(tf.float32)


def test_a_default_takes_the_place_of_a_value():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.placeholder_with_default([1.0, 2.0], [None])
        assert session.run(x + 1.0).tolist() == [2.0, 3.0]
        assert session.run(x + 1.0, {x: np.zeros(3)}).tolist() == [1.0, 1.0, 1.0]
        with pytest.raises(tf.errors.InvalidArgumentError, match="does not fit"):
            v1.placeholder_with_default([1.0, 2.0], [3])
