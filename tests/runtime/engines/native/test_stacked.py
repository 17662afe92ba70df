"""Products of rows move before loops over all rows, and only those."""

import numpy as np
import pytest

pytest.importorskip("llvmlite")

import runtime as tf
from runtime.engines import plan as python_plan
from runtime.engines.engine import optimized
from runtime.engines.native import plan
from runtime.engines.native.stacked import with_stacked_products
from tests.runtime.engines.graphs import graph_of

RANDOM = np.random.default_rng(8)
XS, H, W, U = (
    RANDOM.normal(size=dims).astype(np.float32) for dims in ([6, 4, 3], [4, 5], [3, 5], [5, 5])
)


def over_indices(xs, h, w, u):
    for i in tf.range(6):
        h = tf.tanh(xs[i] @ w + h @ u)
    return h


def over_rows(xs, h, w, u):
    for x in xs:
        h = tf.tanh(x @ w + h @ u)
    return h


def transposed(xs, h, w, u):
    w = tf.transpose(w)
    for x in xs:
        h = tf.tanh(tf.matmul(x, w, transpose_b=True) + h @ u)
    return h


def twice(xs, h, w, u):
    for x in xs:
        h = tf.tanh(x @ w + (x * 2.0) @ w) * (x @ (w + 1.0)) + h @ u
    return h


def in_another_loop(xs, h, w, u):
    for _ in tf.range(3):
        for x in xs:
            h = tf.tanh(x @ w + h @ u)
        w = w * 0.5
    return h


def with_gradient(xs, h, w, u):
    with tf.GradientTape() as tape:
        tape.watch([w, u])
        for x in xs:
            h = tf.tanh(x @ w + h @ u)
    return [h, *tape.gradient(h, [w, u])]


def over_some(xs, h, w, u):
    for i in tf.range(5):
        h = tf.tanh(xs[i] @ w + h @ u)
    return h


def from_one_on(xs, h, w, u):
    for i in tf.range(1, 6):
        h = tf.tanh(xs[i] @ w + h @ u)
    return h


def backwards(xs, h, w, u):
    for i in tf.range(6):
        h = tf.tanh(xs[5 - i] @ w + h @ u)
    return h


def of_changing_weights(xs, h, w, u):
    for x in xs:
        h = tf.tanh(x @ w + h @ u)
        w = w * 0.5
    return h


def of_changing_rows(xs, h, w, u):
    for i in tf.range(6):
        h = tf.tanh(xs[i] @ w + h @ u)
        xs = xs + 1.0
    return h


def of_columns(xs, h, w, u):
    for i in tf.range(6):
        h = tf.tanh(xs[i, :, :] @ w + xs[:4, 0] @ w + h @ u)
    return h


def until_done(xs, h, w, u):
    for x in xs:
        if tf.reduce_sum(h) > 4.0:
            break
        h = tf.tanh(x @ w + h @ u)
    return h


@pytest.mark.parametrize(
    ("function", "moves"),
    [
        (over_indices, True),
        (over_rows, True),
        (transposed, True),
        (twice, True),
        (in_another_loop, True),
        (with_gradient, True),
        (over_some, False),
        (from_one_on, False),
        (backwards, False),
        (of_changing_weights, False),
        (of_changing_rows, False),
        (until_done, False),
    ],
)
def test_products_of_all_rows_move_before_the_loop(function, moves):
    graph, captured = graph_of(function, XS, H, W, U)
    assert (with_stacked_products(graph) is not graph) == moves
    arrays = (XS, H, W, U, *captured)
    want = python_plan.executable(graph)(*arrays)
    for found in (
        python_plan.executable(with_stacked_products(graph))(*arrays),
        plan.executable(graph)(*arrays),
    ):
        for one, other in zip(found, want, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)


def test_integers_stay_in_the_loop():
    def f(xs, h, w):
        for x in xs:
            h = h + x @ w
        return h

    arrays = [array.astype(np.int32) for array in (XS, H, W)]
    graph, _ = graph_of(f, *arrays)
    assert with_stacked_products(graph) is graph


@pytest.mark.parametrize("dims", [[None, 4, 3], [6, None, 3]])
def test_rows_of_unknown_number_stay_in_the_loop(dims):
    spec = [tf.TensorSpec(dims), *(tf.TensorSpec(array.shape) for array in (H, W, U))]
    graph = optimized(tf.function(over_rows).get_concrete_function(*spec).graph)
    assert with_stacked_products(graph) is graph


def test_loop_over_no_rows_returns_its_start():
    graph, captured = graph_of(over_rows, XS[:0], H, W, U)
    (found,) = plan.executable(graph)(XS[:0], H, W, U, *captured)
    np.testing.assert_array_equal(found, H)
