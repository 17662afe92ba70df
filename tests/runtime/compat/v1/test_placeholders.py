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
