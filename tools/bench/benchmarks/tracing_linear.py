"""Tracing, optimizing and running a chain of 10,000 operations, and its time per operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import runtime as tf
from tools.bench.measure import Figure, Goal, alone, once, paired
from tools.bench.session import Session

FEWER, MANY = 2_500, 10_000


def run(session: Session) -> Iterator[Figure]:
    yield alone(
        f"{MANY} operations", lambda: _first_call(MANY), repeats=3, goal=Goal(3.0, "seconds")
    )
    figure = paired(
        f"an operation of {MANY}",
        lambda: _first_call(MANY) / MANY,
        f"an operation of {FEWER}",
        lambda: _first_call(FEWER) / FEWER,
        repeats=3,
    )
    yield replace(figure, goal=Goal(1.5))


def _first_call(operations: int) -> float:
    """Return the seconds of the first call of a function with a number of operations."""

    def chain(x: Any) -> Any:
        y = x
        for _ in range(operations // 4):
            y = tf.sin(y) * 1.01 + x - 0.5
        return y

    function = tf.function(chain, autograph=False)
    x = tf.constant([0.0, 0.5, 1.0])
    return once(lambda: function(x))()
