"""Compiled loops as functions of Python: signals, threads, memory."""

import ctypes
import gc
import sys
import threading
import time

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native import boundary
from tests.runtime.engines.native.loops import loop_of, total


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


def test_wrong_arguments_raise_as_in_python():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))
    with pytest.raises((TypeError, ValueError)):
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


def test_fields_of_arrays_are_where_the_code_reads_them():
    array = np.ones((2, 3))

    def field(kind, offset):
        return kind.from_address(id(array) + offset).value

    assert field(ctypes.c_void_p, boundary._CLASS) == id(np.ndarray)
    assert field(ctypes.c_void_p, boundary._DATA) == array.ctypes.data
    assert field(ctypes.c_int, boundary._RANK) == 2
    dimensions = field(ctypes.c_void_p, boundary._DIMENSIONS)
    assert list((ctypes.c_int64 * 2).from_address(dimensions)) == [2, 3]
    assert field(ctypes.c_int, boundary._FLAGS) == array.flags.num


def test_arrays_of_another_shape_order_or_class_are_refused():
    call, inputs = loop_of(total, np.zeros(3), np.int32(3))

    def called(x):
        values = {"x": x, "n": 3}
        return call(
            *[values.get(t.op.name, 0.0 if t.spec.dtype.is_floating else 0) for t in inputs]
        )

    class Own(np.ndarray):
        pass

    found = called(np.ones(3))
    assert found
    for x in (np.ones(4), np.ones((3, 1)), np.ones(6)[::2], np.ones(3).view(Own), b"123", 3.0):
        with pytest.raises(ValueError):
            called(x)
    assert called(np.ones(3)) == found
