"""Loops in machine code let other threads and signal handlers run."""

import signal
import subprocess
import sys
import textwrap
import time

import pytest

pytest.importorskip("llvmlite")


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
    "a loop over large arrays": """
        while i > 0:
            x = tf.exp(x * 0.5) - 1.0
            i = tf.maximum(i - 1, 1)
    """,
    "a loop over arrays of unknown length": """
        y = x[: tf.size(x) - i]
        while i > 0:
            y = tf.exp(y * 0.5) - 1.0
            i = tf.maximum(i - 1, 1)
        x = y
    """,
    "many short loops over large arrays": """
        while i > 0:
            for j in tf.range(i * 10000):
                x = tf.exp(x * 0.5) - 1.0
    """,
}


@pytest.mark.parametrize("loop", ENDLESS.values(), ids=ENDLESS)
def test_ctrl_c_stops_an_endless_loop(loop):
    program = textwrap.dedent("""
        import numpy as np
        import runtime as tf

        def endless(i, x):
            LOOP
            return i, tf.reduce_sum(x)

        run = tf.function(endless, jit_compile=True)
        x = tf.ones(1_000_000)
        run(tf.constant(0), x)
        print("ready", flush=True)
        try:
            run(tf.constant(5), x)
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
        sent = time.monotonic()
        assert child.stdout.read() == "stopped\n"
        assert time.monotonic() - sent < 5
