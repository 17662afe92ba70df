import pytest

import runtime as tf

v1 = tf.compat.v1


def test_variables_of_a_graph_are_listed_in_order():
    with tf.Graph().as_default():
        first = tf.Variable(1.0, name="first")
        step = tf.Variable(0, name="step", trainable=False)
        assert v1.global_variables() == [first, step]
        assert v1.trainable_variables() == [first]
    with tf.Graph().as_default():
        assert v1.global_variables() == []


def test_variables_have_values_after_their_initializer_ran():
    with tf.Graph().as_default(), v1.Session() as session:
        one, other = tf.Variable(1.0), tf.Variable(2.0)
        session.run(v1.variables_initializer([one]))
        assert session.run(one) == 1.0
        with pytest.raises(tf.errors.FailedPreconditionError):
            session.run(other)
        session.run(v1.global_variables_initializer())
        assert session.run([one, other]) == [1.0, 2.0]


def test_sessions_share_no_values():
    with tf.Graph().as_default():
        counter = tf.Variable(0)
        more = counter.assign_add(1)
        init = v1.global_variables_initializer()
        with v1.Session() as session, v1.Session() as another:
            session.run(init)
            another.run(init)
            session.run(more)
            assert (session.run(counter), another.run(counter)) == (1, 0)


def test_a_group_waits_for_its_members():
    with tf.Graph().as_default(), v1.Session() as session:
        v = tf.Variable(1.0)
        session.run(v1.global_variables_initializer())
        both = v1.group(v.assign_add(1.0), tf.constant(3), name="both")
        assert (both.type, both.name) == ("NoOp", "both")
        assert session.run(both) is None
        assert session.run(v) == 2.0
