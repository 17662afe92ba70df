"""A fork while another thread traces: the child has that thread's work behind it, not its locks."""

from __future__ import annotations

import os
import signal
import threading
import time
import warnings

import pytest

import autograph
import runtime as tf
from autograph import forks, staging
from runtime.functions.cache import Turns

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")

LIMIT = 20.0


@tf.autograph.experimental.do_not_convert
def status_of_child(run):
    """What a forked child ends with: 0 where `run()` returns True, 9 where it never ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if not pid:
        status = 1
        try:
            status = 0 if run() else 2
        finally:
            os._exit(status)
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Elsewhere:
    """A thread that stays inside `work(pause)`, at `pause()`, while the block runs."""

    def __init__(self, work):
        self.inside, self.go = threading.Event(), threading.Event()
        self.thread = threading.Thread(target=work, args=(self.pause,))

    @tf.autograph.experimental.do_not_convert
    def pause(self):
        self.inside.set()
        assert self.go.wait(LIMIT * 2)

    def __enter__(self):
        self.thread.start()
        assert self.inside.wait(LIMIT)

    def __exit__(self, *error):
        self.go.set()
        self.thread.join()


def halved(x):
    while x > 10:
        x = x // 2
    return x


def staged():
    @tf.function
    def f(x):
        while x > 10:
            x = x // 2
        return x

    return [int(f(tf.constant(value))) for value in (80, 3)] == [10, 3]


def is_fresh():
    return not staging.active and not staging.ongoing and autograph.to_graph(halved)(80) == 10


def test_child_traces_while_another_thread_traces():
    @tf.function
    def slow(x, pause):
        pause()
        return x

    with Elsewhere(lambda pause: slow(1, pause)):
        assert status_of_child(lambda: is_fresh() and staged()) == 0
    assert not staging.active


def test_child_traces_the_function_that_another_thread_traces():
    pauses = []

    @tf.function
    def shared(x):
        for pause in pauses:
            pause()
        return x + 1

    def work(pause):
        pauses.append(pause)
        shared(tf.constant(1))

    def child():
        pauses.clear()
        found = []
        # A new thread may have the identifier of one that the parent alone has.
        threads = [
            threading.Thread(target=lambda: found.append(int(shared(tf.constant(1)))))
            for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return found == [2] * 4

    with Elsewhere(work):
        assert status_of_child(child) == 0


def test_child_traces_while_a_staged_block_of_another_thread_is_traced():
    @tf.function
    def slow(x, pause):
        if x > 0:
            pause()
            x = x + 1
        return x

    with Elsewhere(lambda pause: slow(tf.constant(1), pause)):
        assert status_of_child(lambda: is_fresh() and staged()) == 0


def test_child_of_the_tracing_thread_is_tracing():
    statuses = []

    @tf.function
    def f(x):
        statuses.append(status_of_child(lambda: staging.active == 1 and bool(staging.ongoing)))
        return x

    f(1)
    assert statuses == [0]


@pytest.mark.parametrize("program", ["variable", "random", "list", "threads"])
def test_no_lock_of_the_runtime_stays_held_in_the_child(program):
    variable = tf.Variable(1)
    locks = [each for each in forks._RENEWED if isinstance(each, forks.Lock)]
    assert len(locks) > 5

    def hold(pause):
        entered = []
        try:
            for lock in locks:
                lock.__enter__()
                entered.append(lock)
            pause()
        finally:
            for lock in entered:
                lock.__exit__(None, None, None)

    def child():
        if program == "variable":
            return int(variable.assign_add(1)) == 2
        if program == "random":
            tf.random.set_seed(1)
            return tf.random.uniform([2]).shape == [2]
        if program == "list":
            return int(tf.TensorArray(tf.int32, 1).write(0, 5).stack()[0]) == 5
        tf.config.threading.set_intra_op_parallelism_threads(2)
        return float(tf.reduce_sum(tf.ones([1 << 20]) + 1)) == 2.0 * (1 << 20) and staged()

    with Elsewhere(hold):
        assert status_of_child(child) == 0


def test_pool_of_threads_is_a_new_one_in_the_child():
    @tf.function
    def total(x):
        return tf.reduce_sum(tf.exp(x) + 1.0)

    tf.config.threading.set_intra_op_parallelism_threads(2)
    try:
        zeros = tf.zeros([1 << 20])
        expected = float(total(zeros))
        assert status_of_child(lambda: float(total(zeros)) == expected) == 0
    finally:
        tf.config.threading.set_intra_op_parallelism_threads(0)


def test_lock_that_the_forking_thread_holds_stays_held():
    lock = forks.Lock()
    with lock:
        assert status_of_child(lambda: lock.owner == threading.get_ident()) == 0
    assert lock.owner is None


def test_turn_of_the_forking_thread_stays_its_own():
    turns = Turns()

    def child():
        with turns.taken():
            return turns._holders == [threading.get_ident()] * 2

    with turns.taken():
        assert status_of_child(child) == 0
