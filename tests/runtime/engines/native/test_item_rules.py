"""Items and slices in machine code: those of the plan, or its error."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native import boundary
from tests.runtime.engines.native.loops import check, same

ROW = np.array([3.0, -1.0, 4.0, 1.0, -5.0])


@pytest.mark.parametrize(("one", "other"), [((2, 3), (2, 3)), ((3, 3), (1, 3)), ((3, 3), (3, 3))])
def test_slices_take_arrays_of_their_shape_only(one, other):
    def assigned(x, y):
        x[1:] = y * 2.0
        return x, x + 1.0

    def added(x, y):
        x[1:] += y * 2.0
        return x, x + 1.0

    for f in (assigned, added):
        fits = tf.function(f, input_signature=[tf.TensorSpec([None, None], tf.float64)] * 2)
        compiled = tf.function(f, input_signature=fits.input_signature, jit_compile=True)
        x, y = np.ones(one), np.ones(other)
        outcomes = []
        for function in (fits, compiled):
            try:
                outcomes.append([np.asarray(value) for value in function(x, y)])
            except tf.errors.OpError as error:
                outcomes.append(type(error).__name__)
        same(*outcomes)


def test_items_are_read_and_negative_indices_count_from_the_end():
    def f(x, n):
        total, i = 0.0, -n
        while i < n:
            total += x[i]
            i += 1
        return total

    check(f, ROW, np.int32(5))


def test_many_indices_are_those_of_their_axis():
    def columns(x, i):
        return x[:, i] * 2.0 + 1.0, x.T[:, i] - 1.0, np.take(x, i, axis=1) * x

    x = np.arange(9.0).reshape(3, 3)
    i = np.array([0, 2, -2])
    same(columns(x, i), tf.function(columns, numpy=True, jit_compile=True)(x, i))


def test_index_out_of_range_raises_the_error_of_the_plan():
    def f(x, n):
        total, i = 0.0, 0
        while i <= n:
            total += x[i]
            i += 1
        return total

    assert "index 5 is out of bounds" in check(f, ROW, np.int32(5))


def test_matrices_of_two_indices():
    def f(x, n):
        i = 0
        while i < n:
            j = 0
            while j < n:
                x[i, j] = x[j, i] + i
                j += 1
            i += 1
        return x

    check(f, np.arange(16.0).reshape(4, 4), np.int32(4))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint8", "int16", "int64", "float32"])
def test_arrays_of_other_dtypes(dtype):
    def f(x, n):
        i = 0
        while i < n:
            x[i] = x[n - 1 - i]
            i += 1
        return x

    check(f, np.array([1, 0, 0, 1, 1]).astype(dtype), np.int32(5))


def test_constant_tables():
    table = np.array([7, 1, 8, 2], np.int32)

    def f(n):
        total, i = 0, 0
        while i < n:
            total += tf.constant(table)[i % 4]
            i += 1
        return total

    check(f, np.int32(10))


def test_negative_index_is_a_branch_that_is_rarely_taken(monkeypatch):
    texts = []

    def keep(module, name):
        texts.append(str(module))
        return compiled(module, name)

    compiled = boundary.compiled
    monkeypatch.setattr(boundary, "compiled", keep)

    def f(x, i):
        total = tf.constant(0.0)
        while i < 3:
            total += x[i]
            i += 1
        return total

    check(f, np.arange(5, dtype=np.float32), np.int32(-5))
    check(f, np.arange(5, dtype=np.float32), np.int32(-6))
    assert any("!prof" in text and '"branch_weights", i32 1,' in text for text in texts)


@pytest.mark.parametrize("step", [1, 2, 3, 7, 2**62 - 1, 2**62, 2**63 - 1, 0, -1, -(2**63)])
@pytest.mark.parametrize("start", [0, 2, -3, 20])
def test_slices_of_a_computed_step(start, step):
    def f(x, start, step):
        total = tf.constant(0.0, tf.float64)
        while start < 10:
            x[start::step] = 2.0
            x[:start:step] += x[start]
            total += tf.reduce_sum(x[1::step])
            start += 4
        return x, total

    check(f, np.arange(30.0), np.int64(start), np.int64(step))


@pytest.mark.parametrize("k", [-1, 0, 2])
def test_diagonals_are_views(k):
    def f(m, n):
        i = 0
        while i < n:
            m = m + tf.reduce_sum(tf.linalg.diag_part(m[:, 1:], k=k))
            m[0] = m[0] * 0.5
            i += 1
        return m, tf.linalg.diag_part(m, k=k)

    check(f, np.arange(12.0).reshape(3, 4), np.int32(3))


@pytest.mark.parametrize(
    ("shape", "last"), [([-1], -1), ([-1, 2], (-1, 0)), ([2, -1, 1], (-1, -1, 0))]
)
def test_arrays_of_unknown_length_in_another_shape(shape, last):
    def f(x, n):
        total = tf.zeros([], tf.float64)
        while n > 0:
            y = tf.reshape(x[n::2], shape)
            total += y[last] + tf.cast(tf.size(y), tf.float64)
            n -= 1
        return total

    for n in (4, 5):
        check(f, np.arange(24.0).reshape(8, 3)[:, :2], np.int32(n))
