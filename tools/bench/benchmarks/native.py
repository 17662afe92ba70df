"""Loops in machine code, beside the same loops in the default engine, and in numba where it is
installed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import runtime as tf
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.session import Session

REPEATS = 9


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def mandelbrot(a: Any, b: Any) -> Any:
    x, y, n = a * 0.0, b * 0.0, 0
    while n < 1000 and x * x + y * y < 4.0:
        x, y = x * x - y * y + a, 2.0 * x * y + b
        n += 1
    return n


def sieve(flags: Any, n: Any) -> Any:
    i = n * 0 + 2
    while i * i < n:
        if flags[i] > 0:
            j = i * i
            while j < n:
                flags[j] = 0
                j += i
        i += 1
    return flags


PROGRAMS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "collatz": (collatz, (np.int64(837_799),)),
    "mandelbrot": (mandelbrot, (np.float64(-0.1), np.float64(0.2))),
    "sieve": (sieve, (np.ones(10_000, np.int32), np.int32(10_000))),
}


def run(session: Session) -> Iterator[Figure]:
    for name, (program, values) in PROGRAMS.items():
        arguments = [tf.constant(value) for value in values]
        native = tf.function(program, jit_compile=True)
        plain = tf.function(program)
        np.testing.assert_array_equal(native(*arguments), plain(*arguments))
        ours = each(lambda call=native, given=arguments: call(*given))  # type: ignore[misc]
        theirs = each(lambda call=plain, given=arguments: call(*given))  # type: ignore[misc]
        yield paired(name, ours, "plan", theirs, repeats=REPEATS, goal=Goal(0.2))
        if session.peers and importlib.util.find_spec("numba") is not None:
            yield paired(name, ours, "numba", each(_by_numba(program, values)), repeats=REPEATS)


def _by_numba(program: Callable[..., Any], values: tuple[Any, ...]) -> Callable[[], Any]:
    import numba

    compiled = numba.njit(program)
    # Programs here return new arrays.
    arguments = [np.array(value) if np.ndim(value) else value for value in values]
    compiled(*arguments)
    return lambda: compiled(*(a.copy() if np.ndim(a) else a for a in arguments))
