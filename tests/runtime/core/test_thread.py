"""The state of a thread."""

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.core.thread import STATE, session_for


def in_another_thread(function):
    found = []
    thread = threading.Thread(target=lambda: found.append(function()))
    thread.start()
    thread.join()
    return found[0]


def test_a_thread_runs_ops_at_once_unless_something_records_them():
    assert STATE.direct
    with tf.Graph().as_default():
        assert not STATE.direct
        assert in_another_thread(lambda: STATE.direct)
    with tf.GradientTape():
        assert not STATE.direct
    with tf.device("/cpu:0"):
        assert not STATE.direct


def test_the_context_of_a_thread_reports_no_floating_point_errors():
    assert set(STATE.quiet.run(np.geterr).values()) == {"ignore"}
    assert in_another_thread(lambda: STATE.quiet) is not STATE.quiet


def test_the_session_of_a_call_is_that_given_or_the_default_one():
    given = object()
    assert session_for(given, "evaluate", "eval") is given
    with pytest.raises(ValueError, match=r"Cannot evaluate: No default session .*`eval\(session="):
        session_for(None, "evaluate", "eval")
    with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        assert session_for(None, "evaluate", "eval") is session
