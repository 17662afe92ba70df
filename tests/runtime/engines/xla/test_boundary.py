"""Functions of XLA take and return arrays of NumPy, in 64 bits, for each shape."""

import threading
from unittest import mock

import numpy as np
import pytest

jax = pytest.importorskip("jax")

import runtime as tf  # noqa: E402
from runtime.engines.xla.boundary import XlaFunction  # noqa: E402
from tests.runtime.engines.graphs import graph_of  # noqa: E402
from tests.runtime.engines.xla.programs import check, newton  # noqa: E402

pytestmark = pytest.mark.sample

M = np.arange(12, dtype=np.float32).reshape(3, 4) / 7


def test_numbers_of_64_bits_keep_them_and_the_process_keeps_its_setting():
    before = jax.config.jax_enable_x64
    (result,) = check(lambda x: tf.cumsum(x) / 3.0, np.array([1.0, 1e-9]))
    assert result.dtype == np.float64
    assert jax.config.jax_enable_x64 is before


def test_the_plan_runs_where_xla_fails():
    graph, _ = graph_of(lambda x: tf.nn.softmax(x) * 2.0, M)
    function = XlaFunction(graph)
    (found,) = function.call(M)
    np.testing.assert_allclose(found.sum(axis=1), 2, rtol=1e-6)
    function._run = mock.Mock(side_effect=jax.errors.JaxRuntimeError("RESOURCE_EXHAUSTED"))
    assert function.call(M) is False


@pytest.fixture
def xla():
    tf.config.experimental.set_engine("xla")
    yield
    tf.config.experimental.set_engine("plan")


def test_unknown_dimensions_are_compiled_for_each_shape(xla):
    f = tf.function(lambda x: tf.nn.softmax(x) * 2.0, [tf.TensorSpec([None, 3], tf.float32)])
    for rows in (1, 4, 1):
        x = np.ones((rows, 3), np.float32)
        np.testing.assert_allclose(f(x).numpy(), np.full((rows, 3), 2 / 3), rtol=1e-6)


def test_unknown_shapes_that_xla_refuses_run_as_python(xla):
    @tf.function(input_signature=[tf.TensorSpec([None], tf.int32)])
    def f(dims):
        return tf.zeros(dims) + tf.ones(dims) * 2.0

    np.testing.assert_array_equal(f([2, 3]).numpy(), np.full((2, 3), 2.0))
    np.testing.assert_array_equal(f([1]).numpy(), [2.0])


def test_results_do_not_share_memory_with_arguments(xla):
    f = tf.function(lambda x: (x, tf.sin(x) * tf.cos(x)))
    x = np.ones(1024, np.float32)
    same, _ = f(x)
    x[:] = 5
    assert same.numpy().max() == 1


def test_variables_can_be_changed_in_place_after_they_took_a_result(xla):
    v = tf.Variable(tf.zeros([8]))

    @tf.function
    def f(x):
        v.assign(tf.sin(x) + tf.cos(x) * 2.0)

    f(tf.ones([8]))
    v.scatter_nd_update([[1]], [9.0])
    assert v.numpy()[1] == 9


def test_threads_share_a_function(xla):
    f = tf.function(newton)
    found = []
    threads = [
        threading.Thread(target=lambda n=n: found.append((n, float(f(tf.constant(float(n)))))))
        for n in range(1, 7)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(n for n, root in found if abs(root * root - n) < 1e-3) == list(range(1, 7))
