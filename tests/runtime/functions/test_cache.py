# ruff: noqa: B007 - the programs are as people write them
import threading

import runtime as tf


def together(count, work):
    """Runs `work(i)` in threads that start at the same moment; gives the results."""
    barrier = threading.Barrier(count)
    results = [None] * count

    def run(i):
        barrier.wait()
        results[i] = work(i)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    return results


def test_one_trace_for_concurrent_first_calls():
    @tf.function
    def f(x):
        total = x
        for i in tf.range(5):
            total += x
        return total

    results = together(8, lambda i: float(f(tf.constant(float(i)))))
    assert results == [6.0 * i for i in range(8)]
    assert f.experimental_get_tracing_count() == 1


def test_threads_trace_different_functions_at_once():
    def make(i):
        @tf.function
        def f(x):
            if x > i:
                return x * i
            return x

        return f

    functions = [make(i) for i in range(6)]
    results = together(6, lambda i: int(functions[i](tf.constant(10))))
    assert results == [10 * i for i in range(6)]


def test_another_thread_is_eager_while_one_traces():
    seen = []

    @tf.function(autograph=False)
    def f(x):
        thread = threading.Thread(target=lambda: seen.append(tf.executing_eagerly()))
        thread.start()
        thread.join()
        seen.append(tf.executing_eagerly())
        return x

    f(tf.constant(1))
    assert seen == [True, False]


def test_variables_are_updated_without_loss():
    v = tf.Variable(0)

    @tf.function
    def bump():
        v.assign_add(1)

    def work(i):
        for _ in range(200):
            bump()

    together(4, work)
    assert int(v) == 800
