"""What a symbolic tensor says when Python or NumPy asks for its value: words people search for."""

from __future__ import annotations

import collections
import queue

import numpy as np
import pytest

import runtime as tf

ONE = tf.constant([1.0])


def recorded(use):
    return tf.function(use, autograph=False, input_signature=[tf.TensorSpec([None])])


@pytest.mark.parametrize(
    "use, words",
    [
        (lambda x: bool(x), "Using a symbolic `tf.Tensor` as a Python `bool` is not allowed"),
        (lambda x: list(x), "Iterating over a symbolic `tf.Tensor` is not allowed"),
        (lambda x: len(x), "len is not well defined for a symbolic Tensor"),
    ],
)
def test_python_asks_for_a_value(use, words):
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match=words):
        recorded(use)(ONE)


@pytest.mark.parametrize("kind", [NotImplementedError, tf.errors.OperatorNotAllowedInGraphError])
def test_numpy_asks_for_elements(kind):
    with pytest.raises(kind, match=r"Cannot convert a symbolic tf.Tensor \(x:0\) to a numpy array"):
        recorded(lambda x: np.sum(x))(ONE)


def test_a_known_length_is_told():
    assert tf.function(lambda x: len(x), autograph=False)(ONE).numpy() == 1


def kept_tensor():
    kept = queue.SimpleQueue()
    tf.function(lambda x: kept.put(x * 2.0))(ONE)
    return kept.get()


@pytest.mark.parametrize("kind", [list, collections.deque])
def test_a_list_that_keeps_a_tensor_has_its_value_after_the_call(kind):
    kept = kind()
    double = tf.function(lambda x: kept.append(x * 2.0))
    double(ONE)
    double(ONE + 1.0)
    assert [each.numpy().tolist() for each in kept] == [[2.0], [4.0]]


@pytest.mark.parametrize("kind", [TypeError, ValueError, tf.errors.InaccessibleTensorError])
def test_a_tensor_that_was_kept(kind):
    stale = kept_tensor()
    with pytest.raises(kind, match="is out of scope and cannot be used here"):
        stale + 1.0
    with pytest.raises(kind, match="is out of scope and cannot be used here"):
        tf.function(lambda x: x + stale)(ONE)


def test_dtypes_of_branches_and_rounds():
    def chosen(x):
        y = x
        if x <= 0:
            y = tf.cast(x, tf.float32)
        return y

    def repeated(x):
        for _ in tf.range(3):
            x = tf.cast(x, tf.float32)
        return x

    words = "'y' has dtype float32 in the main branch, but dtype int32 in the else branch"
    with pytest.raises(TypeError, match=words):
        tf.function(chosen)(tf.constant(1))
    words = "'x' has dtype int32 before the loop, but dtype float32 after one iteration"
    with pytest.raises(TypeError, match=words):
        tf.function(repeated)(tf.constant(1))
