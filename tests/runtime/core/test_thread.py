"""The state of a thread."""

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import runtime as tf
from runtime.core.thread import STATE, session_for, temporarily


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


def test_a_default_graph_records_the_operations_of_threads_that_exist():
    def total():
        with tf.GradientTape():
            pass
        return tf.constant(1) + 2

    with ThreadPoolExecutor(1) as thread:
        assert int(thread.submit(total).result()) == 3
        tf.compat.v1.disable_eager_execution()
        try:
            assert thread.submit(total).result().graph is tf.compat.v1.get_default_graph()
        finally:
            tf.compat.v1.enable_eager_execution()
            tf.compat.v1.reset_default_graph()
        assert int(thread.submit(total).result()) == 3


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


def test_attributes_are_those_of_before_after_an_error():
    before = STATE.place
    with pytest.raises(KeyError), temporarily(place="here", scope="layer/"):
        assert (STATE.place, STATE.scope) == ("here", "layer/")
        raise KeyError
    assert (STATE.place, STATE.scope) == (before, "")
