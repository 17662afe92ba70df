"""Steps of training, for this runtime and for TensorFlow; this file imports nothing.

Each takes the library as `tf` and returns the function to measure and its arguments. The function
returns the loss. The files beside this one have the same steps for JAX and PyTorch.
"""

from collections.abc import Callable
from typing import Any

Made = tuple[Callable[..., Any], list[Any]]

RATE = 0.01


def waves(tf: Any, *shape: int, scale: float = 1.0) -> Any:
    """Numbers between -scale and scale, the same for every library."""
    count = 1
    for dim in shape:
        count *= dim
    return tf.reshape(tf.sin(tf.cast(tf.range(count), tf.float32)) * scale, shape)


def variables(tf: Any, *values: Any) -> list[Any]:
    return [tf.Variable(value) for value in values]


def descend(tf: Any, weights: list[Any], gradients: list[Any]) -> None:
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.assign_sub(RATE * gradient)


def network(tf: Any) -> tuple[Callable[..., Any], list[Any], list[Any]]:
    """The loss of two layers, their weights, and a batch of 32 rows of 784 numbers."""
    w1, b1, w2, b2 = weights = variables(
        tf,
        waves(tf, 784, 128, scale=0.05),
        waves(tf, 128),
        waves(tf, 128, 10, scale=0.1),
        waves(tf, 10),
    )

    def loss_of(x: Any, target: Any) -> Any:
        h = tf.nn.relu(tf.matmul(x, w1) + b1)
        return tf.reduce_mean(tf.square(tf.matmul(h, w2) + b2 - target))

    return loss_of, weights, [waves(tf, 32, 784), waves(tf, 32, 10)]


def mlp_step(tf: Any) -> Made:
    """Two layers: the tape is in the function."""
    loss_of, weights, batch = network(tf)

    def step(x: Any, target: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = loss_of(x, target)
        descend(tf, weights, tape.gradient(loss, weights))
        return loss

    return tf.function(step), batch


def mlp_step_of_calls(tf: Any) -> Made:
    """Two layers: a tape around the call of one function, and a call of another to descend."""
    loss_of, weights, batch = network(tf)
    forward = tf.function(loss_of)
    update = tf.function(lambda *gradients: descend(tf, weights, list(gradients)))

    def step(x: Any, target: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = forward(x, target)
        update(*tape.gradient(loss, weights))
        return loss

    return step, batch


def rnn_step(tf: Any) -> Made:
    """A recurrent layer of 128 units over 64 steps of 32 rows."""
    w, u, b = weights = variables(
        tf, waves(tf, 128, 128, scale=0.1), waves(tf, 128, 128, scale=0.1), waves(tf, 128)
    )

    def step(xs: Any, target: Any) -> Any:
        with tf.GradientTape() as tape:
            h = tf.zeros_like(target)
            for i in tf.range(64):
                h = tf.tanh(tf.matmul(xs[i], w) + tf.matmul(h, u) + b)
            loss = tf.reduce_mean(tf.square(h - target))
        descend(tf, weights, tape.gradient(loss, weights))
        return loss

    return tf.function(step), [waves(tf, 64, 32, 128), waves(tf, 32, 128)]


def lookup_step(tf: Any) -> Made:
    """512 rows of a table of 50,000, whose gradient is `IndexedSlices`."""
    table = tf.Variable(waves(tf, 50_000, 64))

    def step(ids: Any, target: Any) -> Any:
        with tf.GradientTape() as tape:
            rows = tf.gather(table, ids)
            loss = tf.reduce_mean(tf.square(rows - target))
        slope = tape.gradient(loss, table)
        table.scatter_sub(tf.IndexedSlices(RATE * slope.values, slope.indices))
        return loss

    return tf.function(step), [tf.range(512) * 97, waves(tf, 512, 64)]


PROGRAMS = (mlp_step, mlp_step_of_calls, rnn_step, lookup_step)
