"""For each identity a program in which it holds, and one in which it must not fire."""

from __future__ import annotations

import numpy as np

import runtime as tf
from runtime.ops.base.define import call
from runtime.ops.items.indexing import with_item

F = tf.TensorSpec([2, 3], tf.float32)
F_ANY = tf.TensorSpec(None, tf.float32)
F_ROW = tf.TensorSpec([3], tf.float32)
I = tf.TensorSpec([2, 3], tf.int32)  # noqa: E741
C = tf.TensorSpec([2, 3], tf.complex64)
B = tf.TensorSpec([2, 3], tf.bool)
B_LARGER = tf.TensorSpec([4, 2, 3], tf.bool)
SQUARE = tf.TensorSpec([3, 3], tf.float32)
CUBE = tf.TensorSpec([2, 3, 4], tf.float32)

FIRES = {
    "RealDiv by a constant": (lambda x: call("CheckedRealDiv", x, 2.0), F),
    "FloorDiv by a constant": (lambda x: call("CheckedFloorDiv", x, 2), I),
    "FloorMod by a constant": (lambda x: call("CheckedFloorMod", x, 2.5), F),
    "times one": (lambda x: 1.0 * x + x, F),
    "over one": (lambda x: x / 1.0 + x, F),
    "whole quotient by one": (lambda x: x // 1 + x, I),
    "plus zero": (lambda x: (x + 0) * x, I),
    "minus zero": (lambda x: (x - 0.0) * x, F),
    "times minus one": (lambda x: x * -1, I),
    "plus a negative": (lambda x, y: -x + y, F, F),
    "length of a negative": (lambda x: tf.abs(-x), F),
    "second power": (lambda x: x**2, I),
    "not twice": (lambda x, y: tf.logical_and(tf.logical_not(tf.logical_not(x)), y), B, B),
    "and true": (lambda x, y: tf.logical_or(tf.logical_and(x, True), y), B, B),
    "or false": (lambda x, y: tf.logical_and(tf.logical_or(x, False), y), B, B),
    "and itself": (lambda x, y: tf.logical_or(tf.logical_and(x, x), y), B, B),
    "cast to its own dtype": (lambda x: call("Cast", x, dtype=tf.float32) + x, F),
    "transposed first factor": (lambda x, y: tf.matmul(tf.transpose(x), y), F, F),
    "transposed second factor": (lambda x, y: tf.matmul(x, tf.transpose(y)), F, F),
    "reshaped to its own shape": (lambda x: tf.reshape(x, [2, -1]) + x, F),
    "broadcast to its own shape": (lambda x: tf.broadcast_to(x, [2, 3]) + x, F),
    "ensured shape that is known": (lambda x: tf.ensure_shape(x, [None, 3]) + x, F),
    "assignment to every element": (lambda x: with_item(x, np.s_[..., :], x * 2.0), F),
    "plus a slice": (lambda x: tf.gradients(x[1], x)[0] + x, F),
}

STAYS = {
    "RealDiv by a constant": (lambda x: call("CheckedRealDiv", x, tf.constant([2.0, 0.0, 1.0])), F),
    "FloorDiv by a constant": (lambda x: call("CheckedFloorDiv", x, -1), I),
    "FloorMod by a constant": (lambda x: call("CheckedFloorMod", x, 0), I),
    "times one": (lambda x: x * tf.constant([[1.0], [1.0]]), F_ROW),
    "over one": (lambda x: x / 1.0, C),
    "whole quotient by one": (lambda x: x // 1.0, F),
    "plus zero": (lambda x: x + 0.0, F),
    "minus zero": (lambda x: x - tf.constant(-0.0), F),
    "times minus one": (lambda x: x * -1.0, F),
    "plus a negative": (lambda x, y: x + -y, C, C),
    "length of a negative": (lambda x: tf.abs(-x), tf.TensorSpec([2], tf.uint8)),
    "second power": (lambda x: x**2.0, F),
    "not twice": (lambda x: tf.logical_not(tf.logical_and(tf.logical_not(x), x)), B),
    "and true": (lambda x: tf.logical_and(x, tf.ones([4, 2, 3], tf.bool)), B),
    "or false": (lambda x: tf.logical_or(x, True), B),
    "and itself": (lambda x, y: tf.logical_and(x, y), B, B),
    "cast to its own dtype": (lambda x: tf.cast(x, tf.float64), F),
    "transposed first factor": (lambda x, y: tf.matmul(tf.transpose(x, [0, 2, 1]), y), CUBE, CUBE),
    "transposed second factor": (lambda x, y: tf.matmul(x, tf.sin(tf.transpose(y))), F, F),
    "reshaped to its own shape": (lambda x: tf.reshape(x, [3, 2]), F),
    "broadcast to its own shape": (lambda x: tf.broadcast_to(x, [2, 3]), F_ROW),
    "ensured shape that is known": (lambda x: tf.ensure_shape(x, [2, 3]), F_ANY),
    "assignment to every element": (lambda x: with_item(x, np.s_[:, ::-1], x * 2.0), F),
    "plus a slice": (lambda x: tf.gradients(x[1], x)[0] + tf.ones([5, 2, 3]), F),
}  # fmt: skip
