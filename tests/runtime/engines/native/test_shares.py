"""Loops whose iterations threads share."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native import shares

THREADS = 3


@pytest.fixture(autouse=True)
def always_shared(monkeypatch):
    """Share even short loops, in three parts."""
    monkeypatch.setattr(shares, "SHORTEST", 1)
    tf.config.threading.set_intra_op_parallelism_threads(THREADS)
    yield
    tf.config.threading.set_intra_op_parallelism_threads(0)


@pytest.fixture
def started(monkeypatch):
    """The number of threads of each shared loop."""
    counts = []
    original = shares._run

    def run(memory, numbers, function, record, count, threads):
        counts.append(threads)
        original(memory, numbers, function, record, count, threads)

    monkeypatch.setattr(shares, "_run", run)
    return counts


def same(function, *arguments):
    """Compare machine code with the plan, bit for bit."""
    expected = tf.function(function)(*arguments)
    found = tf.function(function, jit_compile=True)(*arguments)
    for one, other in zip(tf.nest.flatten(found), tf.nest.flatten(expected), strict=True):
        assert one.dtype == other.dtype
        assert one.numpy().tobytes() == other.numpy().tobytes()


def numbers(*dims):
    return tf.constant(np.random.default_rng(7).uniform(1, 2, dims).astype(np.float32))


@pytest.mark.parametrize("length", [3, 4, 5, 6, 100, 1001])
def test_every_element_belongs_to_one_share(length, started):
    same(lambda x: x * 3.0 - 1.0, numbers(length))
    assert started == [THREADS]


def test_values_from_outside_reach_every_share(started):
    def f(x, y, a):
        half = a / 2.0
        return x * half + y, x - half

    same(f, numbers(50), numbers(50), tf.constant(3.0))
    assert started


def test_rows_are_shared_where_an_operand_broadcasts(started):
    same(lambda x, bias: tf.maximum(x - bias, 0.0), numbers(40, 7), numbers(7))
    assert started == [THREADS]


def test_fewer_iterations_than_threads_are_not_shared(started):
    same(lambda x: x + 1.0, numbers(2))
    assert not started


def test_lengths_known_only_when_the_graph_runs_are_not_shared(started):
    f = tf.function(
        lambda x: x * 2.0 + 1.0, input_signature=[tf.TensorSpec([None])], jit_compile=True
    )
    assert f(tf.constant([1.0, 2.0, 3.0, 4.0])).numpy().tolist() == [3.0, 5.0, 7.0, 9.0]
    assert not started


@pytest.mark.parametrize("place", [0, 4, 9])
def test_failure_in_any_share_is_the_error_of_the_plan(place, started):
    f = tf.function(lambda x, y: (x * 3 + 1) // y - x, jit_compile=True)
    x, divisors = tf.range(10), np.ones(10, np.int32)
    assert f(x, tf.constant(divisors)).numpy().tolist() == [2 * i + 1 for i in range(10)]
    divisors[place] = 0
    with pytest.raises(tf.errors.InvalidArgumentError, match="zero"):
        f(x, tf.constant(divisors))
    assert started


def test_loop_in_a_staged_loop_starts_its_threads_at_each_iteration(started):
    def f(x, n):
        i = 0
        while i < n:
            x = x * 0.5 + tf.cast(i, tf.float32)
            i += 1
        return x

    same(f, numbers(33), tf.constant(20))
    assert started


def test_callers_on_several_threads_do_not_disturb_each_other():
    import concurrent.futures

    f = tf.function(lambda x: x * 2.0 + 1.0, jit_compile=True)
    inputs = [tf.constant(np.full(64, i, np.float32)) for i in range(20)]
    f(inputs[0])
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(f, inputs))
    assert [r.numpy().tolist() for r in results] == [[2.0 * i + 1.0] * 64 for i in range(20)]


def test_short_loops_have_one_thread(monkeypatch, started):
    monkeypatch.setattr(shares, "SHORTEST", 1 << 22)
    same(lambda x: x + 1.0, numbers(1000))
    assert not started


def test_one_thread_is_kept_if_the_program_asks_for_it(started):
    tf.config.threading.set_intra_op_parallelism_threads(1)
    same(lambda x: x + 1.0, numbers(1000))
    assert not started
