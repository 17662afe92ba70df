"""Calls of ops on tensors with values: few frames, and the results of the general path."""

import gc
import sys
from contextvars import Context

import numpy as np
import pytest

import runtime as tf
from runtime.core.thread import STATE

ROW = tf.constant(np.arange(10, dtype=np.float32))
MATRIX = tf.constant(np.arange(12, dtype=np.float32).reshape(3, 4))
VARIABLE = tf.Variable(3.0)
TRUTHS = tf.Variable([True, False])
MASK = MATRIX > 3.0
COLUMN = tf.constant([[1.0]] * 4)
ROWS = tf.constant([0, 2])

CALLS = {
    "x + y": lambda: ROW + ROW,
    "x + 2.0": lambda: ROW + 2.0,
    "x * 2.0": lambda: ROW * 2.0,
    "x / y": lambda: ROW / ROW,
    "2.0 / x": lambda: 2.0 / ROW,
    "-x": lambda: -ROW,
    "x > y": lambda: ROW > ROW,
    "x > 2": lambda: ROW > 2,
    "x == y": lambda: ROW == ROW,
    "x ** 2": lambda: ROW**2,
    "x @ y": lambda: MATRIX @ COLUMN,
    "exp": lambda: tf.exp(ROW),
    "sigmoid": lambda: tf.sigmoid(ROW),
    "relu": lambda: tf.nn.relu(ROW),
    "softmax": lambda: tf.nn.softmax(MATRIX),
    "maximum": lambda: tf.maximum(ROW, 0.5),
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
    "where": lambda: tf.where(MASK, MATRIX, 0.0),
    "where of an array": lambda: tf.where(MATRIX),
    "tile": lambda: tf.tile(ROW, [2]),
    "broadcast_to": lambda: tf.broadcast_to(ROW, [2, 10]),
    "gather by a list": lambda: tf.gather(ROW, [0, 2]),
    "gather_nd": lambda: tf.gather_nd(MATRIX, [[0, 1], [2, 2]]),
    "slice": lambda: tf.slice(MATRIX, [0, 1], [2, 2]),
    "pad": lambda: tf.pad(ROW, [[1, 1]]),
    "sort": lambda: tf.sort(ROW),
    "size": lambda: tf.size(MATRIX),
    "reduce_any": lambda: tf.reduce_any(MASK),
    "constant": lambda: tf.constant([1.0, 2.0]),
    "stop_gradient": lambda: tf.stop_gradient(ROW),
    "identity": lambda: tf.identity(ROW),
    "clip_by_value": lambda: tf.clip_by_value(ROW, 0.0, 5.0),
    "one_hot": lambda: tf.one_hot(ROWS, 3),
    "one_hot of ints": lambda: tf.one_hot(ROWS, 3, dtype=tf.int32),
    "unstack": lambda: tf.unstack(MATRIX, axis=1)[0],
    "split": lambda: tf.split(ROW, 2)[0],
    "split by lengths": lambda: tf.split(ROW, [4, -1])[1],
    "range": lambda: tf.range(5),
    "fill": lambda: tf.fill([2, 3], 7.0),
    "zeros": lambda: tf.zeros([2, 3]),
    "ones": lambda: tf.ones((2, 3)),
    "reverse": lambda: tf.reverse(ROW, [0]),
    "norm": lambda: tf.norm(ROW),
    "add_n": lambda: tf.add_n([ROW, ROW]),
    "linspace": lambda: tf.linspace(0.0, 1.0, 5),
    "diag": lambda: tf.linalg.diag(ROW),
    "diag_part": lambda: tf.linalg.diag_part(MATRIX),
    "roll": lambda: tf.roll(ROW, 1, 0),
    "scatter": lambda: tf.tensor_scatter_nd_add(ROW, [[0]], [1.0]),
    "top_k": lambda: tf.math.top_k(ROW, 2)[0],
    "unique": lambda: tf.unique(ROW)[0],
}


def frames_of_the_runtime(call):
    """Name the functions of this package that a call enters before its kernel."""
    names, kernel = [], []

    def profile(frame, event, argument):
        if event == "c_call" and argument.__name__ == Context.run.__name__:
            kernel.append(argument)
        elif event == "call" and not kernel:
            names.append(frame.f_code.co_name)

    call()
    gc.disable()  # a collection calls functions, too
    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
        gc.enable()
    return names[1:]


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_call_on_values_takes_at_most_five_frames(call):
    assert len(frames_of_the_runtime(call)) <= 5


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
    "an array of NumPy": lambda: ROW + np.ones(10, np.float32),
    "an array of another dtype": lambda: ROW + np.ones(10),
    "an array of NumPy alone": lambda: tf.exp(np.ones(2)),
    "an array of the other byte order": lambda: tf.negative(np.ones(2, ">f8")),
    "a number of NumPy": lambda: ROW * np.float32(0.1),
    "an array of texts": lambda: tf.shape(np.array([["a", "b"]])),
    "a variable": lambda: ROW * VARIABLE,
    "a variable and a number": lambda: 0.1 * VARIABLE,
    "a variable of truth values": lambda: tf.where(TRUTHS, 1.0, 0.5),
    "a matrix of floats": lambda: tf.concat([MATRIX, [[1.0, 2, 3, 4.5]]], 0),
    "rows of floats": lambda: tf.matmul([[0.5, 1.5]], COLUMN[:2]),
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


def test_a_result_does_not_change_with_the_array_of_the_program():
    array = np.arange(4)
    matrix, same = tf.reshape(array, [2, 2]), tf.identity(array)
    array[0] = 9
    assert matrix.numpy()[0, 0] == 0
    assert same.numpy()[0] == 0


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


TOO_MANY = {
    "decimals of round": lambda x: tf.round(x, 2),
    "slope of relu": lambda x: tf.keras.activations.relu(x, 0.1),
    "three to maximum": lambda x: tf.maximum(x, x, x),
    "three to add": lambda x: tf.add(x, x, x),
    "three to logical_and": lambda x: tf.logical_and(x > 0, x > 1, x > 2),
    "four to where": lambda x: tf.where(x > 0, x, x, x),
}


@pytest.mark.parametrize("call", TOO_MANY.values(), ids=TOO_MANY)
@pytest.mark.parametrize("compiled", [False, True])
def test_an_argument_too_many_is_no_name(call, compiled):
    call = tf.function(call) if compiled else call
    with pytest.raises(TypeError, match=r"^`name` of \w+ is a string, not .*: it takes \d tensor"):
        call(tf.constant([1.26, 2.0]))
