"""The programs of `tensor_programs` as one writes them for NumPy, JAX and numba.

Each takes the library and gives the function to be measured and its arguments. This file imports
none of them but NumPy.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Made = tuple[Callable[..., Any], list[Any]]


def waves(*shape: int, scale: float = 1.0) -> Any:
    """Numbers between -scale and scale, the same for every library."""
    count = int(np.prod(shape))
    return (np.sin(np.arange(count, dtype=np.float32)) * np.float32(scale)).reshape(shape)


def made(library: Any, function: Callable[..., Any], arguments: list[Any]) -> Made:
    """Compile a function if the library does, and let calls wait for their results."""
    if library is np:
        return function, arguments
    if library.__name__ == "numba":
        return library.njit(function), arguments
    jitted = library.jit(function)
    held = [library.numpy.asarray(each) for each in arguments]
    return lambda *args: library.block_until_ready(jitted(*args)), held


def names(library: Any) -> Any:
    """The module with the functions on arrays."""
    return library.numpy if library.__name__ == "jax" else np


def repeated(library: Any, count: int, body: Callable[[Any], Any], state: Any) -> Any:
    """Apply a function to a state several times."""
    if library.__name__ == "jax":
        return library.lax.fori_loop(0, count, lambda _, held: body(held), state)
    for _ in range(count):
        state = body(state)
    return state


def one_op(library: Any) -> Made:
    return made(library, lambda x: x + np.float32(1.0), [np.float32(1.0)])


def power(library: Any) -> Made:
    xp = names(library)

    def power_100(x: Any) -> Any:
        start = xp.eye(10, dtype=xp.int32)
        return repeated(library, 100, lambda result: xp.matmul(x, result), start)

    return made(library, power_100, [waves(10, 10, scale=2.0).astype(np.int32)])


def collatz(library: Any) -> Made:
    if library.__name__ == "jax":
        library.config.update("jax_enable_x64", True)

        def step(state: Any) -> Any:
            n, count = state
            return library.numpy.where(n % 2 == 0, n // 2, 3 * n + 1), count + 1

        def steps(n: Any) -> Any:
            return library.lax.while_loop(lambda state: state[0] != 1, step, (n, 0))[1]

        return made(library, steps, [np.int64(837799)])

    def plain(n: Any) -> Any:
        count = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            count += 1
        return count

    return made(library, plain, [837799])


def lstm_cell(library: Any) -> Made:
    xp = names(library)

    def sigmoid(x: Any) -> Any:
        return 1 / (1 + xp.exp(-x))

    def cell(x: Any, h: Any, c: Any, w: Any, u: Any, b: Any) -> Any:
        gates = x @ w + h @ u + b
        i, f, o, g = xp.split(gates, 4, axis=1)
        c = sigmoid(f) * c + sigmoid(i) * xp.tanh(g)
        return sigmoid(o) * xp.tanh(c), c

    state = [waves(10, 10) for _ in range(3)]
    return made(library, cell, [*state, waves(10, 40), waves(10, 40), waves(40)])


def black_scholes(library: Any) -> Made:
    xp = names(library)

    def price(spot: Any, strike: Any, time: Any) -> Any:
        root = np.float32(0.3) * xp.sqrt(time)
        first = (xp.log(spot / strike) + np.float32(0.065) * time) / root
        second = first - root
        half, one = np.float32(0.5), np.float32(1.0)
        a, b = np.float32(0.8), np.float32(0.0447)
        w1 = half * (one + xp.tanh(a * first * (one + b * first * first)))
        w2 = half * (one + xp.tanh(a * second * (one + b * second * second)))
        return spot * w1 - strike * xp.exp(np.float32(-0.02) * time) * w2

    wave = waves(1_000_000)
    arguments = [100 + 20 * wave, 100 - 10 * wave, 1.5 + wave]
    return made(library, price, [each.astype(np.float32) for each in arguments])


def recurrent(library: Any) -> Made:
    arguments = [
        waves(64, 32, 256),
        waves(32, 256),
        waves(256, 256, scale=0.1),
        waves(256, 256, scale=0.1),
        waves(256),
    ]
    if library.__name__ == "jax":

        def scanned(xs: Any, h: Any, w: Any, u: Any, b: Any) -> Any:
            def step(h: Any, x: Any) -> Any:
                h = library.numpy.tanh(x @ w + h @ u + b)
                return h, h

            return library.lax.scan(step, h, xs)

        return made(library, scanned, arguments)

    def layer(xs: Any, h: Any, w: Any, u: Any, b: Any) -> Any:
        outputs = np.empty_like(xs)
        for i in range(len(xs)):
            h = np.tanh(xs[i] @ w + h @ u + b)
            outputs[i] = h
        return h, outputs

    return made(library, layer, arguments)


def _weights() -> list[Any]:
    first = [waves(784, 128, scale=0.05), waves(128)]
    return [waves(32, 784), waves(32, 10), *first, waves(128, 10, scale=0.1), waves(10)]


def training(library: Any) -> Made:
    xp, rate = names(library), np.float32(0.0001)

    def descend(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        def step(state: Any) -> Any:
            w1, b1, w2, b2 = state
            h = xp.maximum(x @ w1 + b1, np.float32(0))
            g = (h @ w2 + b2 - t) * rate
            gh = (g @ w2.T) * (h > 0)
            return w1 - x.T @ gh, b1 - gh.sum(0), w2 - h.T @ g, b2 - g.sum(0)

        return repeated(library, 100, step, (w1, b1, w2, b2))

    return made(library, descend, _weights())


def taped(library: Any) -> Made:
    xp, rate = names(library), np.float32(0.01)

    def slopes(x: Any, t: Any, w1: Any, b1: Any, w2: Any, b2: Any) -> Any:
        """The gradients by hand, for a library without differentiation."""
        h = np.maximum(x @ w1 + b1, np.float32(0))
        g = (h @ w2 + b2 - t) * np.float32(2 / t.size)
        gh = (g @ w2.T) * (h > 0)
        return x.T @ gh, gh.sum(0), h.T @ g, g.sum(0)

    def loss(w1: Any, b1: Any, w2: Any, b2: Any, x: Any, t: Any) -> Any:
        h = xp.maximum(x @ w1 + b1, np.float32(0))
        return xp.mean(xp.square(h @ w2 + b2 - t))

    def descend(x: Any, t: Any, *weights: Any) -> Any:
        def step(state: Any) -> Any:
            if library.__name__ == "jax":
                found = library.grad(loss, (0, 1, 2, 3))(*state, x, t)
            else:
                found = slopes(x, t, *state)
            return tuple(w - rate * g for w, g in zip(state, found, strict=True))

        return repeated(library, 100, step, weights)

    return made(library, descend, _weights())


NATURAL_IN_NUMBA = frozenset({"one_op", "collatz"})
"""Programs without products of matrices, and without helpers that are closures."""
