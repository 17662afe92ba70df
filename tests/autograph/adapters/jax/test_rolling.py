"""Python loops that become one loop under JAX, and those that must not."""

# The programs are written as users write them.
# ruff: noqa: B007, SIM108, SIM113

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


def over_floats(x, n):
    for w in [0.1 * (k % 7) for k in range(n)]:
        if x > 3:
            x = x - w
        else:
            x = x + 1.25
    return x


def over_integers(x, n):
    for k in [each % 5 for each in range(n)]:
        if k % 2 == 0:
            x = x * 0.5
        elif x > k:
            x = x + k - k // 3
    return x


def over_zip(x, n):
    numbers = [0.1 * (k % 7) for k in range(n)]
    for i, (w, k) in enumerate(zip(numbers, range(n), strict=True)):
        if x > 3:
            x = x - w * x
        else:
            x = x + (i + k) % 3
    return x


def over_items(x, n):
    for key, w in {k: 0.5 * (k % 3) for k in range(n)}.items():
        if x > key % 4:
            x = x - w
        else:
            x = x + 1.5
    return x


def over_rows(x, n):
    table = jnp.sin(jnp.arange(2.0 * n)).reshape(n, 2)
    for row in [table[k] for k in range(n)]:
        x = x * 0.5 + row[0] if x > 0 else x - row.sum()
    return x


def list_until(x, n):
    for w in [0.5 + 0.25 * (k % 3) for k in range(n)]:
        x = x + w
        if x > 60:
            break
    return x


def list_until_with_item(x, n):
    for i, w in enumerate([0.5 + 0.25 * (k % 3) for k in range(n)]):
        x = x + w
        if x > 60:
            break
    return x + w + i


def zip_first(x, n):
    for i, k in zip(range(n), [each % 3 for each in range(n)], strict=True):
        if x > 60:
            return x * 2 + i
        x = x + k
    return x - 1.0


def while_counter(x, n):
    i = 0
    while i < n:
        if x > i:
            x = x * 0.5
        else:
            x = x + i % 3
        i += 1
    return x + i


def while_two_counters(x, n):
    low, high = 0, 2 * n
    while low < high:
        if x > low:
            x = x - high % 5
        else:
            x = x + low % 7
        low, high = low + 1, high - 1
    return x + low - high


def counter_in_for(x, n):
    count = 0
    for _ in range(n):
        count += 2
        if x > count:
            x = x * 0.5
        else:
            x = x + count % 5
    return x + count


def while_checked(x, n):
    i = n
    while i > 0:
        assert x < 1000, "too large"
        x = x + (i % 5 - 1)
        if x > 100:
            x = x - 50
        i -= 1
    return x


def updated_at(x, n):
    table = jnp.full(n, x)
    for i in range(1, n):
        value = table[i - 1] * 1.01
        table = table.at[i].set(value)
        if value > 100:
            return table.sum()
    return table.sum() + x


ROLLED = [
    branch, by_number, backwards, until, first, skipping, several, written, read, last_item,
    checked, over_floats, over_integers, over_zip, over_items, list_until, list_until_with_item,
    zip_first, while_counter, while_two_counters, counter_in_for, while_checked, updated_at,
]  # fmt: skip


def unrolled(monkeypatch):
    monkeypatch.setattr(rolling.Rolling, "attempt", lambda *args, **named: False)


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


def test_arrays_of_a_list_become_the_rows_of_one(monkeypatch):
    jaxpr = str(jax.make_jaxpr(autograph.to_graph(over_rows), static_argnums=1)(2.0, MANY))
    assert jaxpr.count("cond[") == 2 + rolling._ATTEMPTS[0]
    found = results(over_rows, MANY)
    unrolled(monkeypatch)
    np.testing.assert_allclose(found, results(over_rows, MANY), rtol=1e-5)


@pytest.mark.parametrize("function", [branch, over_floats, over_zip, list_until, while_counter])
def test_thousands_of_iterations_are_traced_at_once(function):
    graph = autograph.to_graph(function)
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


def products_of_floats(x, n):
    for w in [0.1 * (k % 7) for k in range(n)]:
        if x > 0:
            x = x - w * 3
        else:
            x = x + 0.7
    return x


def floats_in_tests(x, n):
    for w in [0.1 * (k % 7) for k in range(n)]:
        if w > 0.30000000000000001:
            x = x + 1
        elif x > 5:
            x = x - 5
    return x


def integers_of_floats(x, n):
    for w in [2.9999999999] * n:
        if x > 5:
            x = x - 5
        x = x + int(w)
    return x


def unlike_items(x, n):
    for w in [0.5, 1] * (n // 2):
        if x > 5:
            x = x - 5
        x = x + w
    return x


def float_counter(x, n):
    t = 0.0
    while t < n * 0.1:
        if x > 5:
            x = x - 5
        x = x + t
        t += 0.1
    return x


def while_collatz(x, n):
    k = 27
    while k != 1:
        if x > 5:
            x = x - 5
        x = x + k % 3
        k = k // 2 if k % 2 == 0 else 3 * k + 1
    return x


def while_large(x, n):
    i = 2**31 - n // 2
    while i < 2**31 + n // 2:
        if x > 5:
            x = x - 5
        x = x + i % 3
        i += 1
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
    growing, static_shape, by_type, products_of_floats, floats_in_tests, integers_of_floats,
    unlike_items, float_counter, while_collatz, while_large, zero_division, too_large,
]  # fmt: skip


@pytest.mark.parametrize("function", UNROLLED)
def test_what_python_computes_stays_pythons(function, monkeypatch):
    n, value = rolling.LONG + 8, 2 if function in (zero_division, too_large) else 2.0
    jaxpr = str(jax.make_jaxpr(autograph.to_graph(function), static_argnums=1)(value, n))
    unrolled(monkeypatch)
    again = str(jax.make_jaxpr(autograph.to_graph(function), static_argnums=1)(value, n))
    assert jaxpr == again


def early_stop(x, n):
    for i in range(n):
        if x > 1e6:
            break
        x = x + 0.1 * i
    return x


def early_stop_over_array(x, n):
    for i in jnp.arange(n):
        if x > 1e6:
            break
        x = x + 0.1 * i
    return x


def test_thousands_of_iterations_that_stay_pythons_are_refused_at_once():
    start = time.perf_counter()
    with pytest.raises(TypeError, match=r"over range\(0, 10000\)(.|\n)*Loop over an array"):
        jax.jit(autograph.to_graph(early_stop), static_argnums=1)(1.0, 10_000)
    assert time.perf_counter() - start < 3
    graph = jax.jit(autograph.to_graph(early_stop_over_array), static_argnums=1)
    np.testing.assert_allclose(graph(1.0, 10_000), early_stop(1.0, 10_000), rtol=1e-3)


def test_hundreds_of_iterations_that_stay_pythons_are_recorded():
    graph = jax.jit(autograph.to_graph(early_stop), static_argnums=1)
    np.testing.assert_allclose(graph(1.0, 150), early_stop(1.0, 150), rtol=1e-5)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_floats_are_rounded_once(dtype, monkeypatch):
    weights = [1.0 + 2.0**-9 + 2.0**-30] * MANY

    def f(x):
        for w in weights:
            x = x * 0.5 + w if x > 0 else x
        return x

    x = jnp.asarray(1.0, dtype)
    found = jax.jit(autograph.to_graph(f))(x)
    unrolled(monkeypatch)
    assert found == jax.jit(autograph.to_graph(f))(x)


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


# ---- what XLA gets ----


def until_large(x):
    for _ in range(MANY):
        x = x + 0.5
        if x > 50:
            break
    return x


def largest(xs):
    best, where = xs[0], 0
    for i, x in enumerate(xs):
        if x > best:
            best, where = x, i
    return best, where


def test_the_flag_of_a_break_is_known_inside_of_the_loop():
    shown = str(jax.make_jaxpr(autograph.to_graph(until_large))(0.0))
    assert "True:bool[] False:bool[]" in shown[shown.index("while[") :]
    assert jax.jit(autograph.to_graph(until_large))(0.0) == until_large(0.0) == 50.5


def divisor(a, b):
    while b:
        a, b = b, a % b
    return a


def test_a_number_that_is_the_test_stays_a_number():
    assert jax.jit(autograph.to_graph(divisor))(48.0, 18.0) == 6


def test_numbers_are_chosen_by_a_branch():
    xs = jnp.array([1.0, 3.0, 2.0, 4.0])
    shown = str(jax.make_jaxpr(autograph.to_graph(largest))(xs))
    assert "cond[" in shown
    assert "select_n" not in shown
    assert jax.jit(autograph.to_graph(largest))(xs) == (4, 3)


def settled(a, rate):
    for _ in range(9):
        step = rate * (a / 3 - a * a)
        if jnp.abs(step) < 0.01:
            break
        for _ in range(5):
            if step * step < 0.01:
                break
            step = step / 2
        a = a + step
    return a


STARTS = (0.3, 2.5)


@pytest.mark.sample
@pytest.mark.parametrize(
    "transformed",
    [
        lambda f: jax.grad(lambda xs: jax.vmap(f, (0, None))(xs, 0.3).sum()),
        lambda f: jax.jit(jax.grad(lambda xs: jax.vmap(jax.jit(f), (0, None))(xs, 0.3).sum())),
        lambda f: jax.grad(lambda xs: jax.vmap(jax.checkpoint(f), (0, None))(xs, 0.3).sum()),
        lambda f: jax.vmap(jax.grad(lambda x: f(x, 0.3))),
        lambda f: jax.grad(lambda xs: jax.vmap(lambda x: f(x, 0.1 * xs[0]))(xs).sum()),
    ],
)
def test_gradients_of_a_batch_of_loops_that_end_early(transformed):
    """The gradient of a mapped loop, and a map of gradients; nested loops, too."""

    class OneByOne:
        vmap = staticmethod(
            lambda f, axes=0: lambda xs, *rest: jnp.stack([f(x, *rest) for x in xs])
        )

    actual = transformed(autograph.convert()(settled))(jnp.array(STARTS))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jax, "vmap", OneByOne.vmap)
        patch.setattr(jax, "jit", lambda f: f)
        patch.setattr(jax, "checkpoint", lambda f: f)
        expected = transformed(settled)(jnp.array(STARTS))
    np.testing.assert_allclose(actual, expected, rtol=1e-4, atol=1e-6)
