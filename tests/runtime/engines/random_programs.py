"""Random programs of tensor operations: numbers, branches, loops, lists, variables, output."""

from __future__ import annotations

import sys

import numpy as np
from hypothesis import strategies as st

import runtime as tf

FLOATS = ("float32", "float64")
INTS = ("int32", "int64")
DTYPES = (*FLOATS, *INTS, "bool")

UNARY = {
    "f": [tf.negative, tf.square, tf.sin, tf.tanh, tf.abs, tf.sign, tf.exp, tf.sqrt, tf.sigmoid],
    "i": [tf.negative, tf.square, tf.abs, tf.sign, tf.identity, tf.zeros_like],
    "b": [tf.logical_not, tf.identity],
}
BINARY = {
    "f": [tf.add, tf.subtract, tf.multiply, tf.divide, tf.maximum, tf.minimum, tf.math.floormod],
    "i": [
        tf.add, tf.subtract, tf.multiply, tf.maximum, tf.minimum, tf.math.floordiv,
        tf.math.floormod, tf.bitwise.bitwise_and, tf.bitwise.bitwise_xor,
    ],
    "b": [tf.logical_and, tf.logical_or, tf.equal, tf.math.logical_xor],
}  # fmt: skip
COMPARE = [tf.less, tf.less_equal, tf.greater, tf.greater_equal, tf.equal, tf.not_equal]
REDUCE = {"f": [tf.reduce_sum, tf.reduce_mean, tf.reduce_max], "i": [tf.reduce_sum, tf.reduce_min]}
REDUCE["b"] = [tf.reduce_any, tf.reduce_all]
SHAPES = {"scalar": (), "row": ("n",), "matrix": (2, "n"), "column": (2, 1)}
KINDS = (
    "unary", "binary", "binary", "compare", "select", "cast", "reduce", "reshape", "matmul", "cond",
    "loop", "nested", "array", "filled", "list", "assign", "print", "check", "neutral", "gather",
    "call", "choice",
)  # fmt: skip


class Program:
    """Steps that each make values from earlier ones; the values stay broadcastable."""

    def __init__(self, steps):
        self.steps = steps

    def __repr__(self):
        return f"Program({self.steps!r})"

    def run(self, variable, inputs):
        values = list(inputs)
        for kind, choice, i, j in self.steps:
            a = values[i % len(values)]
            b = _like(values, j, a.dtype)
            new = STEPS[kind](variable, choice, a, b)
            values += new if isinstance(new, list) else [new]
        return [*values, variable.read_value()]


def _like(values, j, dtype):
    same = [value for value in values if value.dtype == dtype]
    return same[j % len(same)]


def _kind(x):
    return {"f": "f", "i": "i", "b": "b"}[x.dtype.kind]


def _pick(table, choice):
    return table[choice % len(table)]


def _number(x):
    """A float32 scalar of a tensor, finite unless the tensor is not."""
    return tf.reduce_sum(tf.cast(x, tf.float32))


def unary(variable, choice, a, b):
    return _pick(UNARY[_kind(a)], choice)(a)


def binary(variable, choice, a, b):
    return _pick(BINARY[_kind(a)], choice)(a, b)


def compare(variable, choice, a, b):
    if _kind(a) == "b":
        return tf.not_equal(a, b)
    return _pick(COMPARE, choice)(a, b)


def select(variable, choice, a, b):
    return tf.where(tf.cast(a, tf.bool), a, b)


def cast(variable, choice, a, b):
    # What is no number has no agreed value as an integer.
    safe = tf.where(tf.abs(a) < 1e6, a, tf.ones_like(a)) if _kind(a) == "f" else a
    return tf.cast(safe, _pick(DTYPES, choice))


def reduce(variable, choice, a, b):
    axis = None if a.shape.rank in (0, None) else _pick([None, 0, -1], choice // 7)
    reduced = _pick(REDUCE[_kind(a)], choice)(a, axis=axis, keepdims=axis == -1)
    return reduced if axis is None or axis == -1 else _scalar(reduced)


def _scalar(x):
    return (tf.reduce_any if x.dtype == tf.bool else tf.reduce_max)(x)


def reshape(variable, choice, a, b):
    flat = tf.reshape(a, [-1])
    back = tf.reshape(tf.reshape(flat, [1, -1]), tf.shape(a))
    return tf.transpose(tf.transpose(back)) if choice % 2 else back


def matmul(variable, choice, a, b):
    if _kind(a) == "b":
        return a
    row = tf.reshape(a, [1, -1])
    return tf.reduce_sum(tf.matmul(row, row, transpose_b=True))


def cond(variable, choice, a, b):
    def effect():
        variable.assign_add(1.0)
        tf.print("yes", choice, output_stream=sys.stdout)
        return a

    return tf.cond(_number(a) > choice - 50.0, effect, lambda: tf.identity(a))


def several(variable, choice, a, b):
    def effect():
        variable.assign_add(1.0)
        tf.print("second", choice, output_stream=sys.stdout)
        return b

    branches = [lambda: a, effect, lambda: _next(a, choice)]
    number = tf.where(_number(a) > choice - 50.0, choice % 5 - 1, choice % 3)
    return tf.switch_case(number, branches[: choice % 3 + 1])


def loop(variable, choice, a, b):
    def body(i, value):
        return i + 1, _next(value, i)

    return tf.while_loop(lambda i, value: i < choice % 5, body, (0, a))[1]


def _next(value, i):
    if _kind(value) == "f":
        return tf.tanh(value) + tf.cast(i, value.dtype)
    if _kind(value) == "i":
        return value * 48271 + tf.cast(i, value.dtype)
    return tf.logical_not(value)


def nested(variable, choice, a, b):
    def inner(j, value):
        return j + 2, tf.cond(j % 4 == 0, lambda: _next(value, j), lambda: value)

    def outer(i, value, total):
        last, value = tf.while_loop(lambda j, value: j < i + choice % 3, inner, (0, value))
        return i + 1, value, total + last

    end = tf.while_loop(lambda i, value, total: i < choice % 4, outer, (0, a, 0))
    return [end[1], end[2]]


def array(variable, choice, a, b):
    def body(i, ta, value):
        return i + 1, ta.write(i, value), _next(value, i)

    start = tf.TensorArray(a.dtype, size=0, dynamic_size=True)
    rounds = choice % 4 + 1
    _, ta, _ = tf.while_loop(lambda i, ta, value: i < rounds, body, (0, start, _scalar(a)))
    return _scalar(ta.stack())


def filled(variable, choice, a, b):
    rounds = choice % 4 + 1
    numbers = tf.range(choice % 3, choice % 3 + rounds)

    def body(i, ta, value):
        value = _next(value, numbers[i])
        return i + 1, ta.write(i, value), value

    start = tf.TensorArray(a.dtype, size=rounds)
    _, ta, last = tf.while_loop(lambda i, ta, value: i < rounds, body, (0, start, a))
    return [ta.stack()[choice % rounds], last]


def growing(variable, choice, a, b):
    start = tf.TensorArray(a.dtype, size=3)
    written = start.unstack([a, a, _pick([tf.identity, tf.zeros_like], choice)(a)])
    return written.read(tf.constant(choice % 3))


def assign(variable, choice, a, b):
    variable.assign(_number(a))
    read = variable.read_value()
    variable.assign_sub(0.5)
    return read


def show(variable, choice, a, b):
    tf.print("value", a, choice, output_stream=sys.stdout)
    return tf.identity(b)


def check(variable, choice, a, b):
    tf.debugging.Assert(_number(tf.shape(a)) >= choice % 3 - 1.0, ["too small", a])
    return tf.identity(a)


def neutral(variable, choice, a, b):
    """What identities of arithmetic could get wrong."""
    if _kind(a) == "b":
        return tf.logical_and(tf.logical_not(tf.logical_not(a)), True)
    zero, one = tf.cast(0, a.dtype), tf.cast(1, a.dtype)
    return _pick([lambda: a + zero, lambda: a * one, lambda: a - zero, lambda: tf.negative(-a),
                  lambda: a + (-b), lambda: a - (-b), lambda: a // one, lambda: zero + a,
                  lambda: tf.cast(tf.cast(a, _wide(a)), a.dtype),
                  lambda: a * a * a * a * a], choice)()  # fmt: skip


def _wide(x):
    return tf.float64 if _kind(x) == "f" else tf.int64


def gather(variable, choice, a, b):
    flat = tf.reshape(a, [-1])
    return tf.gather(flat, choice % 5)


@tf.function(autograph=False)
def _called(a, b):
    return a, tf.cond(tf.size(a) > 2, lambda: tf.identity(b), lambda: b)


def call(variable, choice, a, b):
    return list(_called(a, b))


STEPS = {
    "unary": unary, "binary": binary, "compare": compare, "select": select, "cast": cast,
    "reduce": reduce, "reshape": reshape, "matmul": matmul, "cond": cond, "loop": loop,
    "nested": nested, "array": array,
    "filled": filled, "list": growing, "assign": assign, "print": show,
    "check": check, "neutral": neutral, "gather": gather, "call": call,
    "choice": several,
}  # fmt: skip


@st.composite
def programs(draw):
    number = st.integers(0, 99)
    steps = st.tuples(st.sampled_from(KINDS), number, number, number)
    return Program(draw(st.lists(steps, min_size=1, max_size=12)))


@st.composite
def inputs(draw):
    """One array of each dtype, in shapes that broadcast; some are empty."""
    size = draw(st.sampled_from([0, 1, 2, 3]))
    arrays = []
    for dtype in DTYPES:
        wanted = SHAPES[draw(st.sampled_from(sorted(SHAPES)))]
        shape = tuple(size if dim == "n" else dim for dim in wanted)
        count = int(np.prod(shape))
        elements = draw(st.lists(ELEMENTS[dtype], min_size=count, max_size=count))
        arrays.append(np.array(elements, dtype).reshape(shape))
    return arrays


def _floats(width):
    usual = st.floats(-4, 4, width=width)
    return st.one_of(usual, usual, st.sampled_from([np.nan, np.inf, -np.inf, -0.0, 0.0]))


def _ints(bits):
    small = st.integers(-9, 9)
    return st.one_of(small, small, st.sampled_from([2 ** (bits - 1) - 1, -(2 ** (bits - 1))]))


ELEMENTS = {
    "float32": _floats(32),
    "float64": _floats(64),
    "int32": _ints(32),
    "int64": _ints(64),
    "bool": st.booleans(),
}
