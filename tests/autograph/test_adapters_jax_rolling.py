"""Python loops that become one loop under JAX, and those that must not."""

# The programs are written as users write them.
# ruff: noqa: SIM108, SIM113

import logging
import time

import numpy as np
import pytest

import autograph
from autograph.operators import rolling

jax = pytest.importorskip("jax")
jnp = jax.numpy

MANY = 140


def branch(x, n):
    for _ in range(n):
        if x > 0:
            x = x - 0.5
        else:
            x = x + 1.25
    return x


def by_number(x, n):
    for i in range(n):
        if i % 3 == 0:
            x = x + i
        elif x > 10:
            x = x - 2 * i // 3
    return x


def backwards(x, n):
    for i in range(n, -n, -2):
        x = x + i
        if x > 50:
            x = x * 0.5
    return x


def until(x, n):
    for _ in range(n):
        if x > 20:
            break
        x = x * 1.1
    return x


def first(x, n):
    for _ in range(n):
        if x > 20:
            return x * 2
        x = x * 1.1
    return x - 1


def skipping(x, n):
    for i in range(n):
        if x > i:
            continue
        x = x + 3
    return x


def several(x, n):
    low, high = x, x
    for _ in range(n):
        if x > 0:
            low, high = low - x, high + x
        x = -0.5 * x
    return low + 2 * high


def written(x, n):
    a = jnp.zeros(n)
    for i in range(n):
        a[i] = x * i
        if x > 2:
            x = x * 0.99
    return a.sum()


def read(x, n):
    a = jnp.cos(x * jnp.arange(n + 1))
    for i in range(n):
        if x > 0:
            x = x + a[i] - a[i + 1]
    return x


def last_item(x, n):
    last = x
    for i in range(n):
        last = i
        if x > 5:
            x = x - 5
    return x + last * 0.1


def checked(x, n):
    for i in range(n):
        assert x < 1000, "too large"
        x = x + (i % 5 - 1)
        if x > 100:
            x = x - 50
    return x


ROLLED = [
    branch, by_number, backwards, until, first, skipping, several, written, read, last_item,
    checked,
]  # fmt: skip


def unrolled(monkeypatch):
    monkeypatch.setattr(rolling.Rolling, "_attempt", lambda *args: False)


def size(function, n):
    return len(str(jax.make_jaxpr(autograph.to_graph(function), static_argnums=1)(2.0, n)))


def results(function, n):
    graph = autograph.to_graph(function)
    both = jax.jit(jax.value_and_grad(graph), static_argnums=1)
    return [tuple(map(float, both(x, n))) for x in (2.0, -3.0)]


@pytest.mark.parametrize("function", ROLLED)
def test_values_and_gradients_are_those_of_the_unrolled_loop(function, monkeypatch):
    found = results(function, MANY)
    unrolled(monkeypatch)
    np.testing.assert_allclose(found, results(function, MANY), rtol=1e-5)


@pytest.mark.parametrize("function", ROLLED)
def test_size_does_not_depend_on_the_number_of_iterations(function):
    assert abs(size(function, MANY) - size(function, 2 * MANY)) < 1000


def test_thousands_of_iterations_are_traced_at_once():
    graph = autograph.to_graph(branch)
    jax.make_jaxpr(graph, static_argnums=1)(1.0, MANY)
    start = time.perf_counter()
    jax.make_jaxpr(graph, static_argnums=1)(1.0, 2000)
    assert time.perf_counter() - start < 0.5


def test_a_log_line_says_so(caplog):
    autograph.set_verbosity(1)
    try:
        with caplog.at_level(logging.INFO):
            size(branch, MANY)
    finally:
        autograph.set_verbosity(0)
    assert "is one staged loop from iteration" in caplog.text


def test_a_check_fails_in_the_iteration_in_which_it_fails_in_python():
    graph = jax.jit(autograph.to_graph(checked), static_argnums=1)
    with pytest.raises(jax.errors.JaxRuntimeError, match="too large"):
        jax.block_until_ready(graph(1e6, MANY))


# ---- loops that stay Python ----


def double_precision(x, n):
    for i in range(n):
        if x > 0:
            x = x - 0.1 * i
        else:
            x = x + 0.7
    return x


def division(x, n):
    for i in range(n):
        if x > 0:
            x = x - i / 7
        else:
            x = x + 0.7
    return x


def table_of_numbers(x, n):
    steps = [0.1 * (k % 7) for k in range(n)]
    for i in range(n):
        x = x + steps[i] * 3
        if x > 5:
            x = x - 5
    return x


def table_of_numpy(x, n):
    steps = np.arange(n) * 0.1
    for i in range(n):
        x = x + steps[i] * 3
        if x > 5:
            x = x - 5
    return x


def numpy_factor(x, n):
    factor = np.float64(0.1)
    for i in range(n):
        x = x + factor * i
        if x > 5:
            x = x - 5
    return x


def python_counter(x, n):
    count = 0
    for _ in range(n):
        count += 1
        x = x + 0.1 * count
        if x > 5:
            x = x - 5
    return x


def growing(x, n):
    seen = []
    for _ in range(n):
        if x > 5:
            x = x - 5
        seen.append(x)
    return sum(seen)


def static_shape(x, n):
    for i in range(n):
        x = x + jnp.ones(i % 3 + 1).sum()
        if x > 5:
            x = x - 5
    return x


def by_type(x, n):
    for i in range(n):
        if isinstance(i, int):
            x = x + 1
        if x > 5:
            x = x - 5
    return x


def zero_division(x, n):
    for i in range(n):
        if x > 0:
            x = x + 10 // (131 - i)
    return x


def too_large(x, n):
    for i in range(n):
        if x > 0:
            x = x + i * 100_000_000
    return x


UNROLLED = [
    double_precision, division, table_of_numbers, table_of_numpy, numpy_factor, python_counter,
    growing, static_shape, by_type,
    zero_division, too_large,
]  # fmt: skip


@pytest.mark.parametrize("function", UNROLLED)
def test_what_python_computes_stays_pythons(function, monkeypatch):
    n, value = rolling.LONG + 8, 2 if function in (zero_division, too_large) else 2.0
    jaxpr = str(jax.make_jaxpr(autograph.to_graph(function), static_argnums=1)(value, n))
    unrolled(monkeypatch)
    again = str(jax.make_jaxpr(autograph.to_graph(function), static_argnums=1)(value, n))
    assert jaxpr == again


def printing(x, n):
    for i in range(n):
        if i in (0, 100):
            print("item", i)
        if x > 5:
            x = x - 5
    return x


def test_prints_stay_where_they_are(capsys):
    jax.make_jaxpr(autograph.to_graph(printing), static_argnums=1)(2.0, MANY)
    assert capsys.readouterr().out == "item 0\nitem 100\n"
