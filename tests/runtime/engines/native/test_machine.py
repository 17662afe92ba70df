"""Machine code lives as long as a function that runs it, and on disk for other processes."""

import gc
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite")

from tests.runtime.engines.native.loops import loop_of, total


def test_code_lives_as_long_as_the_function():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    gc.collect()
    values = {"x": np.ones(3), "n": 3}
    arguments = [values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
    assert 3.0 in call(*arguments)


PROGRAM = """
import numpy as np
import runtime as tf
from runtime.engines.native.machine import STORE

stored, found = [], []
load, store = STORE.load, STORE.store
STORE.store = lambda key, code: (stored.append(key), store(key, code))
STORE.load = lambda key: (found.append(load(key) is not None), load(key))[1]
compute = lambda x, y: (tf.exp(x) + y, tf.reduce_sum(x * y))
f = tf.function(compute, jit_compile=True, autograph=False)
print(*(float(np.sum(v)) for v in f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0]))))
print(len(stored), found)
"""


def run():
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


@pytest.mark.skipif(sys.platform == "win32", reason="files have no owners")
def test_another_process_loads_the_code(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first, second = run(), run()
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("1 [False]", "0 [True]")
