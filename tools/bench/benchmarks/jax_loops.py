"""Converted programs under `jax.jit`, beside the same programs written by hand with `jax.lax`."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from typing import Any

import autograph
from tools.bench.measure import Figure, Goal, each, paired
from tools.bench.session import Session

REPEATS = 15
GOAL = Goal(1.05)


def doubled(x: Any) -> Any:
    while x < 1e30:
        x = x * 1.0001
    return x


def doubled_lax(x: Any) -> Any:
    from jax import lax

    return lax.while_loop(lambda x: x < 1e30, lambda x: x * 1.0001, x)


def collatz(n: Any) -> Any:
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def collatz_lax(n: Any) -> Any:
    from jax import lax

    def body(state: Any) -> Any:
        n, steps = state
        n = lax.cond(n % 2 == 0, lambda: n // 2, lambda: 3 * n + 1)
        return n, steps + 1

    return lax.while_loop(lambda state: state[0] != 1, body, (n, 0))[1]


def root(x: Any) -> Any:
    guess = x
    while abs(guess * guess - x) > 0.1:
        guess = guess - (guess * guess - x) * 1e-5
    return guess


def root_lax(x: Any) -> Any:
    from jax import lax

    return lax.while_loop(
        lambda guess: abs(guess * guess - x) > 0.1,
        lambda guess: guess - (guess * guess - x) * 1e-5,
        x,
    )


def until_large(x: Any) -> Any:
    for _ in range(100_000):
        x = x + 0.5
        if x > 20_000:
            break
    return x


def until_large_lax(x: Any) -> Any:
    from jax import lax

    def body(state: Any) -> Any:
        i, x, _ = state
        x = x + 0.5
        return i + 1, x, x > 20_000

    return lax.while_loop(lambda state: (state[0] < 100_000) & ~state[2], body, (0, x, x > 20_000))[
        1
    ]


def total(xs: Any) -> Any:
    result = 0.0
    for x in xs:
        if x > 0:
            result = result + x
    return result


def total_lax(xs: Any) -> Any:
    from jax import lax

    def step(result: Any, x: Any) -> Any:
        return lax.cond(x > 0, lambda: result + x, lambda: result), None

    return lax.scan(step, 0.0, xs)[0]


def counted_sum(xs: Any, n: Any) -> Any:
    result = 0.0
    for i in range(n):
        result = result + xs[i % 100]
    return result


def counted_sum_lax(xs: Any, n: Any) -> Any:
    from jax import lax

    return lax.fori_loop(0, n, lambda i, result: result + xs[i % 100], 0.0)


def recurrent(xs: Any, weight: Any) -> Any:
    import jax.numpy as jnp

    state = jnp.zeros(weight.shape[0])
    for x in xs:
        state = jnp.tanh(weight @ state + x)
    return state


def recurrent_lax(xs: Any, weight: Any) -> Any:
    import jax.numpy as jnp
    from jax import lax

    def step(state: Any, x: Any) -> Any:
        return jnp.tanh(weight @ state + x), None

    return lax.scan(step, jnp.zeros(weight.shape[0]), xs)[0]


def power_iteration(matrix: Any) -> Any:
    import jax.numpy as jnp

    vector = jnp.ones(matrix.shape[0])
    change = jnp.inf
    while change > 1e-6:
        new = matrix @ vector
        new = new / jnp.sqrt(new @ new)
        change = jnp.abs(new - vector).max()
        vector = new
    return vector


def power_iteration_lax(matrix: Any) -> Any:
    import jax.numpy as jnp
    from jax import lax

    def body(state: Any) -> Any:
        vector, _ = state
        new = matrix @ vector
        new = new / jnp.sqrt(new @ new)
        return new, jnp.abs(new - vector).max()

    start = jnp.ones(matrix.shape[0]), jnp.inf
    return lax.while_loop(lambda state: state[1] > 1e-6, body, start)[0]


def maximum(xs: Any) -> Any:
    best, where = xs[0], 0
    for i, x in enumerate(xs):
        if x > best:
            best, where = x, i
    return best, where


def maximum_lax(xs: Any) -> Any:
    from jax import lax

    def step(state: Any, x: Any) -> Any:
        i, best, where = state
        best, where = lax.cond(x > best, lambda: (x, i), lambda: (best, where))
        return (i + 1, best, where), None

    return lax.scan(step, (0, xs[0], 0), xs)[0][1:]


def adaptive(y: Any) -> Any:
    t, h = 0.0, 0.001
    while t < 10:
        full = y - 2 * h * y
        half = y - h * y
        half = half - h * half
        if abs(full - half) < 1e-6:
            y = half
            t = t + h
            h = h * 1.1
        else:
            h = h / 2
    return y


def adaptive_lax(y: Any) -> Any:
    from jax import lax

    def body(state: Any) -> Any:
        t, h, y = state
        full = y - 2 * h * y
        half = y - h * y
        half = half - h * half
        return lax.cond(
            abs(full - half) < 1e-6,
            lambda: (t + h, h * 1.1, half),
            lambda: (t, h / 2, y),
        )

    return lax.while_loop(lambda state: state[0] < 10, body, (0.0, 0.001, y))[2]


def absolute(x: Any) -> Any:
    return x if x.sum() > 0 else -x


def absolute_lax(x: Any) -> Any:
    from jax import lax

    return lax.cond(x.sum() > 0, lambda: x, lambda: -x)


def stopped_table(table: Any) -> Any:
    for i in range(1, 20_000):
        value = table[i - 1] * 1.001
        table = table.at[i].set(value)
        if value > 1e6:
            return table
    return table


def stopped_table_lax(table: Any) -> Any:
    from jax import lax

    def body(state: Any) -> Any:
        i, table, _ = state
        value = table[i - 1] * 1.001
        return i + 1, table.at[i].set(value), value > 1e6

    return lax.while_loop(lambda s: (s[0] < 20_000) & ~s[2], body, (1, table, False))[1]


def programs() -> dict[str, tuple[Callable[..., Any], Callable[..., Any], tuple[Any, ...]]]:
    """Return pairs of programs, with arguments."""
    import jax.numpy as jnp

    xs = jnp.sin(jnp.arange(20_000.0))
    rows = jnp.sin(jnp.arange(200 * 64.0)).reshape(200, 64)
    weight = jnp.cos(jnp.arange(64 * 64.0)).reshape(64, 64) / 64
    matrix = weight @ weight.T + jnp.diag(jnp.linspace(0.9, 1.0, 64))
    return {
        "while": (doubled, doubled_lax, (1.0,)),
        # The largest number on the way, 76,778,008, is an int32.
        "collatz": (collatz, collatz_lax, (230_631,)),
        "iterate until converged": (root, root_lax, (100.0,)),
        "range with break": (until_large, until_large_lax, (0.0,)),
        "rows with if": (total, total_lax, (xs,)),
        "traced range": (counted_sum, counted_sum_lax, (xs[:100], 20_000)),
        "recurrent cell": (recurrent, recurrent_lax, (rows, weight)),
        "power iteration": (power_iteration, power_iteration_lax, (matrix,)),
        "enumerate with if": (maximum, maximum_lax, (xs,)),
        "adaptive steps": (adaptive, adaptive_lax, (1.0,)),
        "branch": (absolute, absolute_lax, (xs,)),
        "table with return": (stopped_table, stopped_table_lax, (jnp.ones(20_000),)),
    }


def run(session: Session) -> Iterator[Figure]:
    if importlib.util.find_spec("jax") is None:
        return
    import jax

    for name, (program, by_hand, arguments) in programs().items():
        ours = jax.jit(autograph.convert()(program))
        theirs = jax.jit(by_hand)
        yield paired(
            name,
            each(lambda call=ours, given=arguments: jax.block_until_ready(call(*given))),  # type: ignore[misc]
            "jax.lax",
            each(lambda call=theirs, given=arguments: jax.block_until_ready(call(*given))),  # type: ignore[misc]
            repeats=REPEATS,
            goal=GOAL,
        )
