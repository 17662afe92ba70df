"""Machine code for plans that run long."""

import contextlib
import itertools
import os
import threading
import time
from unittest import mock

import numpy as np
import pytest

import runtime as tf
from autograph import verbosity
from runtime.engines import hot_loops


@pytest.fixture
def compiled():
    """Make each run of a plan count as a second; give the names of the threads that compiled."""
    pytest.importorskip("llvmlite")
    names = []

    class Thread(threading.Thread):
        def start(self):
            names.append(self.name)
            super().start()
            self.join(60)

    with (
        mock.patch.object(hot_loops, "clock", itertools.count().__next__),
        mock.patch.object(hot_loops, "THRESHOLD", 2),
        mock.patch.object(hot_loops, "Thread", Thread),
    ):
        yield names


def total(n):
    result, i = 0, 0
    while i < n:
        result += i * i
        i += 1
    return result


def test_the_second_second_of_a_loop_compiles_it(compiled):
    f = tf.function(total)
    n = tf.constant(10)
    assert f(n).numpy() == 285
    assert compiled == []
    assert f(n).numpy() == 285
    assert compiled == ["compile total"]
    code = f.get_concrete_function(n).executable
    with mock.patch.object(hot_loops, "timed", side_effect=AssertionError):
        assert [f(n).numpy() for _ in range(3)] == [285] * 3
    assert f.get_concrete_function(n).executable is code
    assert compiled == ["compile total"]


@pytest.fixture
def few():
    """Make the native engine take over after three runs."""
    pytest.importorskip("llvmlite")
    with mock.patch.object(hot_loops, "FEW", 3):
        yield


def engines_of_runs(f, x, count=6):
    """For each run, whether machine code took it."""
    concrete = f.get_concrete_function(x)
    found = []
    for _ in range(count):
        found.append(concrete.executable)
        f(x)
    return [each is not found[0] for each in found]


def test_auto_hands_a_graph_to_the_native_engine_after_a_number_of_runs(few):
    f = tf.function(lambda x: tf.exp(x) @ x + 1.0, jit_compile="auto")
    x = tf.random.stateless_normal([3, 3], seed=[1, 2])
    assert engines_of_runs(f, x) == [False] * 3 + [True] * 3
    np.testing.assert_allclose(f(x), np.exp(x) @ x.numpy() + 1.0, rtol=1e-5)


def test_auto_counts_the_runs_of_each_graph(few):
    f = tf.function(lambda x: tf.exp(x) @ x, jit_compile="auto")
    assert engines_of_runs(f, tf.ones([2, 2])) == [False] * 3 + [True] * 3
    assert engines_of_runs(f, tf.ones([3, 3])) == [False] * 3 + [True] * 3


def test_a_run_that_raises_does_not_count(few):
    @tf.function(jit_compile="auto")
    def f(x):
        tf.debugging.assert_positive(x)
        return tf.exp(x)

    for _ in range(5):
        with pytest.raises(tf.errors.InvalidArgumentError):
            f(tf.constant([-1.0]))
    assert engines_of_runs(f, tf.constant([1.0])) == [False] * 3 + [True] * 3


@pytest.mark.parametrize("option", [None, False])
def test_without_auto_runs_are_not_counted(few, option):
    f = tf.function(lambda x: tf.exp(x) @ x, jit_compile=option)
    assert engines_of_runs(f, tf.ones([2, 2])) == [False] * 6


def test_auto_keeps_the_plan_where_machine_code_is_turned_off(few):
    tf.config.optimizer.set_jit(False)
    try:
        f = tf.function(lambda x: tf.exp(x) @ x, jit_compile="auto")
        assert engines_of_runs(f, tf.ones([2, 2])) == [False] * 6
    finally:
        tf.config.optimizer.set_jit(True)


def test_graphs_without_loops_are_not_timed(compiled):
    f = tf.function(lambda x: x * x)
    for _ in range(5):
        f(tf.constant(2))
    assert compiled == []


def test_elementwise_operations_on_large_arrays_are_compiled(compiled):
    @tf.function
    def step(w, g, m, v):
        m, v = m + (g - m) * 0.1, v + (tf.square(g) - v) * 0.001
        return w - m * 0.01 / (tf.sqrt(v) + 1e-7), m, v, tf.exp(w)

    rng = np.random.default_rng(0)
    arrays = [tf.constant(rng.random((300, 300)).astype(np.float32)) for _ in range(4)]
    found = {tuple(part.numpy().tobytes() for part in step(*arrays)) for _ in range(4)}
    assert len(found) == 1
    assert compiled == ["compile step"]


def test_elementwise_operations_on_small_arrays_are_not_timed(compiled):
    f = tf.function(lambda x: x * x + x)
    for _ in range(5):
        f(tf.ones([100]))
    assert compiled == []


def repeated(x, count):
    for number in range(count):
        x = (x + number) * 0.5
    return x, tf.exp(x)


def test_many_elementwise_operations_on_small_arrays_are_compiled(compiled):
    f = tf.function(lambda x: repeated(x, hot_loops.MANY // 2))
    x = tf.constant(np.random.default_rng(0).random(7).astype(np.float32))
    found = {tuple(part.numpy().tobytes() for part in f(x)) for _ in range(4)}
    assert len(found) == 1
    assert len(compiled) == 1


def test_many_operations_on_numbers_are_not_timed(compiled):
    f = tf.function(lambda x: repeated(x, hot_loops.MANY))
    for _ in range(5):
        f(tf.constant(2.0))
    assert compiled == []


def test_each_graph_is_timed_alone(compiled):
    f = tf.function(total)
    f(tf.constant(10))
    f(tf.constant(10, tf.int64))
    assert compiled == []
    f(tf.constant(10))
    assert len(compiled) == 1


def test_gradient_graphs_with_loops_are_compiled(compiled):
    @tf.function
    def f(x, n):
        for _ in tf.range(n):
            x = x * 1.5
        return x

    x, found = tf.constant(2.0), []
    for _ in range(4):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x, tf.constant(3))
        found.append(tape.gradient(y, x).numpy())
    assert found == [1.5**3] * 4
    assert len(compiled) == 2


def test_no_thread_where_it_is_switched_off(compiled):
    tf.config.optimizer.set_jit(False)
    try:
        assert tf.config.optimizer.get_jit() == ""
        f = tf.function(total)
        assert [int(f(tf.constant(10))) for _ in range(4)] == [285] * 4
        assert compiled == []
    finally:
        tf.config.optimizer.set_jit("autoclustering")
    assert tf.config.optimizer.get_jit() == "autoclustering"
    assert [int(f(tf.constant(10))) for _ in range(4)] == [285] * 4
    assert compiled == ["compile total"]


def test_other_settings_are_refused():
    with pytest.raises(ValueError, match="set_jit takes True, False or 'autoclustering', not 'on'"):
        tf.config.optimizer.set_jit("on")


def test_the_plan_stays_without_llvmlite(compiled):
    with mock.patch.object(hot_loops, "is_installed", lambda: False):
        assert tf.config.optimizer.get_jit() == ""
        f = tf.function(total)
        assert [int(f(tf.constant(10))) for _ in range(4)] == [285] * 4
    assert compiled == []


def test_a_failure_to_compile_is_logged_and_the_plan_stays(compiled, caplog):
    verbosity.set_verbosity(1)
    try:
        with mock.patch.object(
            hot_loops.native, "with_exact_parts", side_effect=OSError("no disk")
        ):
            f = tf.function(total)
            assert [int(f(tf.constant(10))) for _ in range(5)] == [285] * 5
    finally:
        verbosity.set_verbosity(0)
    assert compiled == ["compile total"]
    assert "total stays Python: OSError: no disk" in caplog.text


def test_the_plan_stays_where_no_thread_starts(compiled):
    with mock.patch.object(hot_loops.Thread, "start", side_effect=RuntimeError("no thread")):
        f = tf.function(total)
        assert [int(f(tf.constant(10))) for _ in range(4)] == [285] * 4
    assert compiled == []


def test_errors_stay_those_of_the_plan(compiled):
    @tf.function
    def f(x, n):
        for i in tf.range(n):
            x = x // (3 - i)
        return x

    texts = set()
    for _ in range(4):
        with contextlib.suppress(tf.errors.InvalidArgumentError):
            f(tf.constant(7), tf.constant(5))
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            f(tf.constant(7), tf.constant(5))
        texts.add(str(caught.value))
    assert len(texts) == 1
    assert compiled == ["compile f"]


def test_a_change_of_the_engine_wins_over_a_compilation_under_way(compiled):
    f = tf.function(total)
    n = tf.constant(10)
    f(n)
    before = hot_loops.native.with_exact_parts

    def slow(graph):
        tf.config.experimental.set_engine("interpreter")
        return before(graph)

    try:
        with mock.patch.object(hot_loops.native, "with_exact_parts", slow):
            f(n)
        assert compiled == ["compile total"]
        assert f(n).numpy() == 285
        assert f.get_concrete_function(n).executable.__module__.endswith("interpreter")
    finally:
        tf.config.experimental.set_engine("plan")


def test_last_bits_do_not_change(compiled):
    @tf.function
    def f(x, rows):
        for i in tf.range(20):
            x = tf.sin(x) * 1.25 + tf.reduce_sum(rows[i % 3]) - tf.exp(-x) + x**1.5
        return x, tf.linalg.matmul(rows, rows, transpose_a=True) + x

    rng = np.random.default_rng(0)
    rows = tf.constant(rng.normal(size=(3, 17)).astype(np.float32))
    found = {tuple(part.numpy().tobytes() for part in f(tf.constant(0.7), rows)) for _ in range(6)}
    assert len(found) == 1
    assert compiled == ["compile f"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_fork_waits_for_the_compilation():
    order, begun = [], threading.Event()

    def compiling():
        with hot_loops._ALONE:
            begun.set()
            time.sleep(0.1)
            order.append("compiled")

    thread = threading.Thread(target=compiling)
    thread.start()
    begun.wait()
    child = os.fork()
    if not child:
        os._exit(hot_loops._ALONE.locked())
    order.append("forked")
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert order == ["compiled", "forked"]
