"""Memory that cannot be had is a ResourceExhaustedError with op and line, eagerly and traced."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import runtime as tf
from runtime.engines.engine import set_engine

HUGE = 1 << 44


def ranges(n):
    return tf.range(n)


def tiles(n):
    return tf.tile(tf.ones([2]), [n])


def pads(n):
    return tf.pad(tf.ones([2]), [[0, n]])


def fills(n):
    return tf.fill(tf.stack([n]), 1.0)


def broadcasts_and_adds(n):
    return tf.broadcast_to(1.0, tf.stack([n])) + 1.0


def branches(n):
    if n > 0:
        n = tf.reduce_sum(tf.range(n))
    return n


FUNCTIONS = [ranges, tiles, pads, fills, broadcasts_and_adds, branches]


@pytest.fixture(params=["plan", "interpreter"])
def engine(request):
    set_engine(request.param)
    yield
    set_engine("plan")


@pytest.mark.parametrize("function", FUNCTIONS)
def test_eager_op_names_itself(function):
    with pytest.raises(tf.errors.ResourceExhaustedError, match=r"\[Op:"):
        function(tf.constant(HUGE, tf.int64))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_graph_names_the_line(function, engine):
    with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
        tf.function(function)(tf.constant(HUGE, tf.int64))
    assert "test_memory.py" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).error_code == 8


@pytest.mark.parametrize(
    "make",
    [
        tf.ones,
        tf.zeros,
        tf.random.normal,
        tf.random.uniform,
        lambda dims: tf.constant(1.0, shape=dims),
        lambda dims: tf.eye(*dims, 1),
    ],
)
def test_constant_of_a_huge_shape_is_refused_at_its_line(make):
    with pytest.raises(tf.errors.ResourceExhaustedError):
        make([HUGE])
    with pytest.raises(tf.errors.ResourceExhaustedError):
        tf.function(lambda: make([HUGE]) + 1.0)()


@pytest.mark.parametrize("use", [tf.constant, tf.identity, tf.Variable, lambda x: x + tf.ones([])])
def test_array_that_cannot_be_copied_is_refused(use):
    with pytest.raises(tf.errors.ResourceExhaustedError):
        use(np.broadcast_to(np.float32(1), (HUGE,)))


def test_program_goes_on_after_the_error():
    for _ in range(3):
        with pytest.raises(tf.errors.ResourceExhaustedError):
            ranges(tf.constant(HUGE, tf.int64))
    assert ranges(tf.constant(3, tf.int64)).shape == (3,)
