"""Compiled loops as functions of Python: signals, threads, memory."""

import gc
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native.boundary import NativeFunction
from runtime.engines.parts import Part
from tests.runtime.engines.native.loops import graph_of


def loop_of(function, *arrays):
    graph, _ = graph_of(function, *map(np.asarray, arrays))
    (op,) = [op for op in graph.operations if "body" in op.attrs]
    part = Part([op]).graph
    function = NativeFunction(part)
    return function.call, [part.inputs[place] for place in function.places]


def total(x, n):
    result, i = 0.0, 0
    while i < n:
        result += x[i]
        i += 1
    return result


def endless(n):
    i = n
    while i > 0:
        i = i + 1 - 1
    return i


ENDLESS = {
    "a loop": """
        while i > 0:
            i = tf.maximum(i - 1, 1)
    """,
    "short loops in a loop": """
        while i > 0:
            for j in tf.range(3):
                i = tf.maximum(i - j, 1)
    """,
    "a loop that counts from far below": """
        j = i * -400000000
        while j < 10:
            i = i * 3 + j
            j += 1
    """,
}


@pytest.mark.parametrize("loop", ENDLESS.values(), ids=ENDLESS)
def test_ctrl_c_stops_an_endless_loop(loop):
    program = textwrap.dedent("""
        import numpy as np
        import runtime as tf

        def endless(i):
            LOOP
            return i

        run = tf.function(endless, jit_compile=True)
        run(tf.constant(0))
        print("ready", flush=True)
        try:
            run(tf.constant(5))
        except KeyboardInterrupt:
            print("stopped")
    """).replace("    LOOP\n", textwrap.indent(textwrap.dedent(loop), "    "))
    with subprocess.Popen(
        [sys.executable, "-c", "import sys, autograph; autograph.exec(sys.stdin.read(), {})"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as child:  # fmt: skip
        child.stdin.write(program)
        child.stdin.close()
        assert child.stdout.readline() == "ready\n"
        time.sleep(0.5)
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "stopped\n"


def test_other_threads_run_during_a_loop():
    def slow(n):
        i = n - n
        while i < n:
            i = i + 1
        return i

    call, inputs = loop_of(lambda n: slow(n), np.int64(1))
    turns = []
    done = threading.Event()

    def count():
        while not done.is_set():
            turns.append(time.perf_counter())
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    before = time.perf_counter()
    call(*[0 if t.op.name != "n" else 2_000_000_000 for t in inputs])
    after = time.perf_counter()
    done.set()
    thread.join()
    assert sum(before < turn < after for turn in turns) > 3 or after - before < 0.05


def test_arguments_are_released():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    row = np.ones(3)
    count = sys.getrefcount(row)
    values = {"x": row, "n": 3}
    arguments = [values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
    for _ in range(100):
        call(*arguments)
    del values, arguments
    gc.collect()
    assert sys.getrefcount(row) == count


def test_failure_is_false_and_not_an_exception():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    values = {"x": np.zeros(3), "n": 4}
    arguments = [values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
    assert call(*arguments) is False


def test_code_lives_as_long_as_the_function():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    gc.collect()
    values = {"x": np.ones(3), "n": 3}
    arguments = [values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
    assert 3.0 in call(*arguments)


def test_wrong_arguments_raise_as_in_python():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    with pytest.raises((TypeError, BufferError)):
        call(*["text" for _ in inputs])


def test_tensors_of_variables():
    variable = tf.Variable([1.0, 2.0, 3.0])

    @tf.function(jit_compile=True)
    def f(n):
        result, i = 0.0, 0
        while i < n:
            result += variable[i]
            i += 1
        return result

    assert f(tf.constant(3)).numpy() == 6.0
    variable.assign([4.0, 5.0, 6.0])
    assert f(tf.constant(3)).numpy() == 15.0
