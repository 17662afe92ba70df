"""Calls of ops on tensors with values: few frames, and the results of the general path."""

import sys

import numpy as np
import pytest

import runtime as tf
from runtime.core.thread import STATE

ROW = tf.constant(np.arange(10, dtype=np.float32))
MATRIX = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
ROWS = tf.constant([0, 2])

CALLS = {
    "x + y": lambda: ROW + ROW,
    "x + 2.0": lambda: ROW + 2.0,
    "x / y": lambda: ROW / ROW,
    "2.0 / x": lambda: 2.0 / ROW,
    "matmul": lambda: tf.matmul(MATRIX, MATRIX, transpose_b=True),
    "reshape": lambda: tf.reshape(ROW, [2, 5]),
    "expand_dims": lambda: tf.expand_dims(ROW, 0),
    "squeeze": lambda: tf.squeeze(ROW),
    "transpose": lambda: tf.transpose(MATRIX, [1, 0]),
    "reduce_sum": lambda: tf.reduce_sum(MATRIX, axis=0),
    "reduce_mean": lambda: tf.reduce_mean(MATRIX, axis=[1], keepdims=True),
    "reduce_max": lambda: tf.reduce_max(MATRIX),
    "argmax": lambda: tf.argmax(MATRIX, 1),
    "cumsum": lambda: tf.cumsum(ROW),
    "concat": lambda: tf.concat([MATRIX, MATRIX], 0),
    "stack": lambda: tf.stack([ROW, ROW]),
    "gather": lambda: tf.gather(ROW, ROWS),
    "x[i]": lambda: ROW[3],
    "x[i, j]": lambda: MATRIX[0, -1],
    "x[:, i]": lambda: MATRIX[:, 1],
    "x[None, ..., ::2]": lambda: MATRIX[None, ..., ::2],
    "cast": lambda: tf.cast(ROW, tf.int32),
    "shape": lambda: tf.shape(MATRIX),
    "zeros_like": lambda: tf.zeros_like(MATRIX),
    "where": lambda: tf.where(MATRIX > 3.0, MATRIX, 0.0),
    "tile": lambda: tf.tile(ROW, [2]),
}


def deepest_frame_of_the_runtime(call):
    """Count the nested frames of this package; those of NumPy do not count."""
    depth, deepest = 0, 0

    def profile(frame, event, argument):
        nonlocal depth, deepest
        own = frame.f_globals.get("__name__", "").startswith("runtime.")
        if event == "call" and own:
            depth += 1
            deepest = max(deepest, depth)
        elif event == "return" and own:
            depth -= 1

    call()
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return deepest


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_on_values_is_at_most_five_frames_deep(call):
    assert deepest_frame_of_the_runtime(call) <= 5


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_on_values_gives_what_its_graph_gives(call):
    eager, traced = call(), tf.function(call, autograph=False)()
    assert eager.dtype is traced.dtype
    np.testing.assert_array_equal(eager.numpy(), traced.numpy())


NUMBERS = {
    "a list of ints and a float": lambda: tf.where(ROWS > 0, [1, 2], 0.5),
    "a list of ints and a tensor": lambda: tf.add(tf.constant([1, 2], tf.int64), [3, 4]),
    "ints alone": lambda: tf.where(ROWS > 0, 1, 0),
    "an int and a float": lambda: tf.where(ROWS > 0, 1, 2.5),
    "an int that needs 64 bits": lambda: tf.where(ROWS > 0, 2**40, 0),
    "an int beside int8": lambda: tf.constant([100], tf.int8) + 27,
    "a float beside float16": lambda: tf.constant([1.5], tf.float16) * 0.1,
    "positions of 64 bits": lambda: tf.gather(ROW, np.array([1], np.int64)),
    "an empty shape": lambda: tf.reshape(tf.constant([7]), []),
    "an unknown length": lambda: tf.reshape(MATRIX, [-1, 2]),
}


@pytest.mark.parametrize("call", NUMBERS.values(), ids=NUMBERS)
def test_numbers_take_the_dtype_that_they_have_in_a_graph(call):
    eager, traced = call(), tf.function(call, autograph=False)()
    assert eager.dtype is traced.dtype
    np.testing.assert_array_equal(eager.numpy(), traced.numpy())


FAILURES = {
    "an index out of bounds": (lambda: ROW[10], "10 is out of bounds"),
    "a step of 0": (lambda: ROW[::0], "step"),
    "too many indices": (lambda: ROW[0, 0], "indices"),
    "a position out of range": (lambda: tf.gather(ROW, [10]), r"\[0, 10\)"),
    "a position below 0": (lambda: tf.gather(ROW, [-1]), "-1 is not in"),
    "an axis out of range": (lambda: tf.reduce_sum(MATRIX, axis=2), "Invalid reduction dimension"),
    "an axis twice": (lambda: tf.reduce_sum(MATRIX, axis=[0, 0]), "duplicate"),
    "other elements": (lambda: tf.reshape(ROW, [3, 3]), "Cannot reshape a tensor with 10"),
    "an int that does not fit": (lambda: tf.constant([1], tf.int8) + 300, "int8"),
}


@pytest.mark.parametrize(("call", "words"), FAILURES.values(), ids=FAILURES)
def test_a_failing_call_names_what_does_not_fit(call, words):
    with pytest.raises((tf.errors.InvalidArgumentError, ValueError), match=words):
        call()


def test_an_op_may_be_called_while_another_runs():
    """A finalizer or signal handler runs in the context of the kernel that it interrupts."""
    assert STATE.quiet.run(lambda: int(tf.add(tf.constant(1), 2))) == 3
    assert STATE.quiet.run(lambda: tf.reduce_sum(ROWS).numpy()) == 2


def test_items_of_texts_are_tensors():
    words = tf.constant(["a", "b"])
    assert words[1].numpy() == b"b"
    assert words[1:].numpy().tolist() == [b"b"]
    assert words[0].dtype is tf.string


def test_watched_items_have_gradients():
    with tf.GradientTape() as tape:
        tape.watch(MATRIX)
        y = MATRIX[1, 2] * 3.0
    assert tape.gradient(y, MATRIX).numpy()[1, 2] == 3.0
