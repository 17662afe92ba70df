"""Products of matrices in machine code: exact for integers, within the bound for floats."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.engines.native import products
from tests.runtime.engines.native.loops import check, compiled_parts, graph_of


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize("flags", [(False, False), (True, False), (False, True), (True, True)])
def test_products_of_integers(dtype, flags):
    def f(a, b):
        return tf.matmul(a, b, *flags) + 1

    rng = np.random.default_rng(6)
    a, b = rng.integers(-(2**20), 2**20, (2, 5, 5))
    check(f, a.astype(dtype), b.astype(dtype))
    a, b = rng.integers(-9, 9, (3, 7)).astype(dtype), rng.integers(-9, 9, (7, 2)).astype(dtype)
    check(f, a.T.copy() if flags[0] else a, b.T.copy() if flags[1] else b)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "shape", [(1, 1, 1), (10, 10, 40), (17, 31, 5), (3, 64, 33), (32, 32, 128)]
)
def test_products_are_within_the_bound(shape, dtype):
    m, n, k = shape
    rng = np.random.default_rng(7)
    a, b = rng.normal(size=(m, n)).astype(dtype), rng.normal(size=(n, k)).astype(dtype)
    graph, _ = graph_of(lambda a, b: tf.matmul(a, b) * 2.0, a, b)
    assert compiled_parts(graph)[0] == 1
    found = tf.function(lambda a, b: tf.matmul(a, b) * 2.0, jit_compile=True)(a, b).numpy() / 2
    exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
    bound = 2 * n * np.finfo(dtype).eps * (np.abs(a).astype(float) @ np.abs(b).astype(float))
    assert (np.abs(found - exact) <= bound).all()


def substituted(a, x):
    for i in tf.range(6):
        known = tf.matmul(a[i, :i][None], x[:i, None])
        x[i] = x[i] - known[0, 0]
    return x


@pytest.mark.parametrize("largest", [products.LARGE, 4])
def test_products_along_an_axis_of_unknown_length(monkeypatch, largest):
    monkeypatch.setattr(products, "LARGE", largest)
    rng = np.random.default_rng(8)
    a, x = rng.integers(-9, 9, (6, 6)), rng.integers(-9, 9, 6)
    check(substituted, a, x)
    check(substituted, a.astype(np.float64), x.astype(np.float64))


def test_product_of_unknown_lengths_that_differ_is_the_error_of_the_plan():
    def f(a, x, n):
        total = tf.zeros([], tf.float64)
        while n > 0:
            total += tf.matmul(a[:1, :n], x[: n - 1, None])[0, 0]
            n -= 1
        return total

    check(f, np.ones((3, 3)), np.ones(3), np.int32(3))
