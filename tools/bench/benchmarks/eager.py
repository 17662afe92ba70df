"""Eager operations on small tensors, beside the calls of NumPy that do the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

import runtime as tf
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.session import Session

GOAL = Goal(1.5e-6, "excess")

_ROW = np.arange(10, dtype=np.float32)
_MATRIX = np.arange(16, dtype=np.float32).reshape(4, 4)
_MASK = _MATRIX > 3
_PLACES = np.array([0, 2], np.int32)
_TWO = np.float32(2)
row, matrix, mask, places = map(tf.constant, (_ROW, _MATRIX, _MASK, _PLACES))


def _softmax() -> object:
    powers = np.exp(_MATRIX - np.max(_MATRIX, -1, keepdims=True))
    return powers / np.sum(powers, -1, keepdims=True)


CALLS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "x + y": (lambda: row + row, lambda: _ROW + _ROW),
    "x * 2.0": (lambda: row * 2.0, lambda: _ROW * _TWO),
    "x > y": (lambda: row > row, lambda: _ROW > _ROW),
    "exp": (lambda: tf.exp(row), lambda: np.exp(_ROW)),
    "matmul": (lambda: tf.matmul(matrix, matrix), lambda: np.matmul(_MATRIX, _MATRIX)),
    "reshape": (lambda: tf.reshape(row, [2, 5]), lambda: np.reshape(_ROW, [2, 5])),
    "expand_dims": (lambda: tf.expand_dims(row, 0), lambda: np.expand_dims(_ROW, 0)),
    "transpose": (lambda: tf.transpose(matrix), lambda: np.transpose(_MATRIX)),
    "where": (lambda: tf.where(mask, matrix, matrix), lambda: np.where(_MASK, _MATRIX, _MATRIX)),
    "gather": (lambda: tf.gather(row, places), lambda: np.take(_ROW, _PLACES, axis=0)),
    "argmax": (lambda: tf.argmax(matrix, 1), lambda: np.argmax(_MATRIX, 1)),
    "clip_by_value": (lambda: tf.clip_by_value(row, 0.0, 2.0), lambda: np.clip(_ROW, 0.0, _TWO)),
    "softmax": (lambda: tf.nn.softmax(matrix), _softmax),
    "cast": (lambda: tf.cast(row, tf.int32), lambda: _ROW.astype(np.int32)),
    "concat": (lambda: tf.concat([row, row], 0), lambda: np.concatenate([_ROW, _ROW], 0)),
    "stack": (lambda: tf.stack([row, row]), lambda: np.stack([_ROW, _ROW])),
    "reduce_sum": (lambda: tf.reduce_sum(matrix, axis=1), lambda: np.sum(_MATRIX, axis=1)),
    "reduce_mean": (lambda: tf.reduce_mean(row), lambda: np.mean(_ROW)),
    "x[1:3]": (lambda: row[1:3], lambda: _ROW[1:3]),
}


def run(session: Session) -> Iterator[Figure]:
    for name, (ours, plain) in CALLS.items():
        yield paired(name, each(ours), "numpy", each(plain), goal=GOAL)
