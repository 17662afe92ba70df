"""What a tape follows: watched tensors, and variables from their first use."""

import pytest

import runtime as tf


def watched(value, **options):
    x = tf.constant(value)
    tape = tf.GradientTape(**options)
    return x, tape


def test_tensors_are_followed_if_they_are_watched():
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    assert tape.gradient(y, x) is None


def test_trainable_variables_are_followed_from_their_first_use():
    v, fixed = tf.Variable(3.0), tf.Variable(2.0, trainable=False)
    with tf.GradientTape() as tape:
        y = v * fixed
    assert [v.ref() for v in tape.watched_variables()] == [v.ref()]
    assert [each if each is None else float(each) for each in tape.gradient(y, [v, fixed])] == [
        2.0,
        None,
    ]


def test_variables_may_be_left_alone_and_watched_one_by_one():
    v, w = tf.Variable(3.0), tf.Variable(2.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = v * w
    assert tape.gradient(y, v) is None
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(w)
        y = v * w
    assert float(tape.gradient(y, w)) == 3.0


def test_variables_that_functions_read_are_followed_also_when_they_were_traced_before():
    v = tf.Variable(3.0)
    f = tf.function(lambda x: x * v)
    f(tf.constant(1.0))
    with tf.GradientTape() as tape:
        y = f(tf.constant(2.0))
    assert [each.ref() for each in tape.watched_variables()] == [v.ref()]
    assert float(tape.gradient(y, v)) == 2.0


def test_nothing_is_noted_while_recording_is_stopped():
    x, tape = watched(3.0)
    with tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            z = x * y
        w = y + z
    assert float(tape.gradient(w, x)) == 6.0
    with pytest.raises(ValueError, match="not recording"), tape.stop_recording():
        pass
