"""Numbers, arrays and strings in the file of a model."""

import numpy as np
import pytest

import runtime as tf
from tests.runtime.saved_model.models import reloaded

DTYPES = [tf.float16, tf.float64, tf.int8, tf.uint64, tf.bool, tf.complex128]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.name)
def test_constants_and_variables_keep_their_dtype(tmp_path, dtype):
    net = tf.Module()
    net.v = tf.Variable(tf.cast([0, 1], dtype))
    net.f = tf.function(lambda: (net.v, tf.cast([1, 0], dtype), tf.cast([1] * 99, dtype)))
    before = net.f()
    for after, own in zip(reloaded(net, tmp_path).f(), before, strict=True):
        assert after.dtype is own.dtype
        assert after.numpy().tobytes() == own.numpy().tobytes()


def test_numbers_that_json_lacks_come_back(tmp_path):
    net = tf.Module()
    net.numbers = [float("inf"), float("-inf"), -0.0, 1e-300, 2**70, 1j, b"\xff"]
    net.odd = float("nan")
    net.f = tf.function(lambda x: x * float("inf"))
    net.f(tf.constant(1.0))
    loaded = reloaded(net, tmp_path)
    assert repr(loaded.numbers) == repr(net.numbers)
    assert loaded.odd != loaded.odd
    assert loaded.f(tf.constant(1.0)).numpy() == np.inf
