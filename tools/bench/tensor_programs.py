"""Programs on tensors, for this runtime and for TensorFlow.

Each takes the library as `tf` and options of its `function`, and gives the function to be measured
and its arguments.
"""

import functools
from collections.abc import Callable
from typing import Any

Made = tuple[Callable[..., Any], list[Any]]


def waves(tf: Any, *shape: int, scale: float = 1.0) -> Any:
    """Numbers between -scale and scale, the same for every library."""
    count = 1
    for dim in shape:
        count *= dim
    return tf.reshape(tf.sin(tf.cast(tf.range(count), tf.float32)) * scale, shape)


def one_op(tf: Any, **options: bool) -> Made:
    """Next to nothing: what shows is the cost of a call."""

    def add_one(x: Any) -> Any:
        return x + 1.0

    return tf.function(add_one, **options), [tf.constant(1.0)]


def power(tf: Any, **options: bool) -> Made:
    """The hundredth power of an integer matrix."""

    def power_100(x: Any) -> Any:
        result = tf.eye(10, dtype=tf.int32)
        for _ in range(100):
            result = tf.matmul(x, result)
        return result

    return tf.function(power_100, **options), [tf.cast(waves(tf, 10, 10, scale=2.0), tf.int32)]


def collatz(tf: Any, **options: bool) -> Made:
    """A loop of 524 rounds on one integer."""

    def steps(n: Any) -> Any:
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    return tf.function(steps, **options), [tf.constant(837799, tf.int64)]


def lstm_cell(tf: Any, **options: bool) -> Made:
    """One step of an LSTM on ten rows of ten numbers."""

    def cell(x: Any, h: Any, c: Any, w: Any, u: Any, b: Any) -> Any:
        gates = tf.matmul(x, w) + tf.matmul(h, u) + b
        i, f, o, g = tf.split(gates, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), c

    state = [waves(tf, 10, 10) for _ in range(3)]
    return tf.function(cell, **options), [
        *state,
        waves(tf, 10, 40),
        waves(tf, 10, 40),
        waves(tf, 40),
    ]


def black_scholes(tf: Any, **options: bool) -> Made:
    """A formula on a million prices."""
    count = 1_000_000

    def price(spot: Any, strike: Any, time: Any) -> Any:
        root = 0.3 * tf.sqrt(time)
        first = (tf.math.log(spot / strike) + 0.065 * time) / root
        second = first - root
        weights = [0.5 * (1.0 + tf.tanh(0.8 * d * (1.0 + 0.0447 * d * d))) for d in (first, second)]
        return spot * weights[0] - strike * tf.exp(-0.02 * time) * weights[1]

    wave = waves(tf, count)
    return tf.function(price, **options), [100.0 + 20.0 * wave, 100.0 - 10.0 * wave, 1.5 + wave]


def recurrent(tf: Any, **options: bool) -> Made:
    """A recurrent layer of 256 units over 64 steps of 32 rows."""

    def layer(xs: Any, h: Any, w: Any, u: Any, b: Any) -> Any:
        outputs = tf.TensorArray(tf.float32, size=64)
        for i in tf.range(64):
            h = tf.tanh(tf.matmul(xs[i], w) + tf.matmul(h, u) + b)
            outputs = outputs.write(i, h)
        return h, outputs.stack()

    weights = [waves(tf, 256, 256, scale=0.1) for _ in range(2)]
    return tf.function(layer, **options), [
        waves(tf, 64, 32, 256),
        waves(tf, 32, 256),
        *weights,
        waves(tf, 256),
    ]


def training(tf: Any, **options: bool) -> Made:
    """A hundred steps of descent for two layers, the products of the way back written out."""

    def descend(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        for _ in tf.range(100):
            h = tf.nn.relu(tf.matmul(x, w1) + b1)
            g = (tf.matmul(h, w2) + b2 - t) * 0.0001
            gh = tf.matmul(g, w2, transpose_b=True) * tf.cast(h > 0.0, tf.float32)
            w2 -= tf.matmul(h, g, transpose_a=True)
            b2 -= tf.reduce_sum(g, 0)
            w1 -= tf.matmul(x, gh, transpose_a=True)
            b1 -= tf.reduce_sum(gh, 0)
        return w1, b1, w2, b2

    first = [waves(tf, 784, 128, scale=0.05), waves(tf, 128)]
    second = [waves(tf, 128, 10, scale=0.1), waves(tf, 10)]
    return tf.function(descend, **options), [waves(tf, 32, 784), waves(tf, 32, 10), *first, *second]


def taped(tf: Any, **options: bool) -> Made:
    """A hundred steps of descent for the same layers, with a tape in the loop."""

    def descend(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        for _ in tf.range(100):
            with tf.GradientTape() as tape:
                tape.watch([w1, b1, w2, b2])
                h = tf.nn.relu(tf.matmul(x, w1) + b1)
                loss = tf.reduce_mean(tf.square(tf.matmul(h, w2) + b2 - t))
            g = tape.gradient(loss, [w1, b1, w2, b2])
            w1, b1, w2, b2 = w1 - 0.01 * g[0], b1 - 0.01 * g[1], w2 - 0.01 * g[2], b2 - 0.01 * g[3]
        return w1, b1, w2, b2

    first = [waves(tf, 784, 128, scale=0.05), waves(tf, 128)]
    second = [waves(tf, 128, 10, scale=0.1), waves(tf, 10)]
    return tf.function(descend, **options), [waves(tf, 32, 784), waves(tf, 32, 10), *first, *second]


PROGRAMS = (one_op, power, collatz, lstm_cell, black_scholes, recurrent, training, taped)
COMPILED = {
    f"{make.__name__}_compiled": functools.partial(make, jit_compile=True) for make in PROGRAMS
}
"""The same programs, compiled: by XLA, or by the native engine."""
globals().update(COMPILED)
