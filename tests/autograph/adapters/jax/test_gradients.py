"""Gradients of loops: backwards through bounded ones, forwards through all."""

import re

import numpy as np
import pytest

import autograph
from tests.autograph.adapters.jax.loops import bounded, doubled

jax = pytest.importorskip("jax")

jnp = jax.numpy

from autograph.adapters.jax import checkify  # noqa: E402


@autograph.convert()
def counted(x, n):
    for _ in range(n):
        x = x * 2
    return x


@autograph.convert()
def with_fixed_scale(x):
    scale = x
    while scale < 100:
        scale = scale * 2
    return x * jax.lax.stop_gradient(scale)


@pytest.mark.parametrize("program", [doubled, lambda x: counted(x, jnp.argmax(x) + 3)])
def test_a_gradient_backwards_through_an_unbounded_loop_names_it(program):
    with pytest.raises(ValueError, match="maximum_iterations") as caught:
        jax.jit(jax.grad(program))(1.0)
    assert re.search(r'File "\S+", line \d+, in (doubled|counted)', str(caught.value))


def test_an_unbounded_loop_has_derivatives_forwards():
    assert jax.jit(jax.jacfwd(doubled))(1.0) == 128
    np.testing.assert_array_equal(
        jax.vmap(jax.jacfwd(doubled))(jnp.array([1.0, 3.0])), [128.0, 64.0]
    )
    assert jax.jit(jax.jacfwd(jax.jacfwd(doubled)))(1.0) == 0


def test_a_bounded_loop_has_a_gradient():
    assert jax.jit(jax.grad(bounded))(1.0) == 128


def test_a_loop_without_a_gradient_is_not_in_the_way():
    assert jax.jit(jax.grad(with_fixed_scale))(1.0) == 128
    assert jax.jit(jax.grad(jax.checkpoint(with_fixed_scale)))(1.0) == 128


@autograph.convert()
def scaled_by_doublings(x):
    count, y = 0, x
    while y < 100:
        z = y
        while z < 300:
            z = z * 3
            assert z < 870, f"{z} is too large"
        y = y * 2
        print("at", y)
        count += 1
    return x * count


@pytest.mark.parametrize("inside", [lambda f: f, jax.jit, jax.checkpoint])
def test_a_loop_that_checks_and_prints_is_not_in_the_way_of_a_gradient(inside, capsys):
    assert jax.jit(jax.grad(inside(scaled_by_doublings)))(1.5) == 7
    jax.effects_barrier()
    assert capsys.readouterr().out.splitlines()[:2] == ["at 3.0", "at 6.0"]
    with pytest.raises(jax.errors.JaxRuntimeError, match=r"891\.0 is too large"):
        jax.block_until_ready(jax.jit(jax.grad(inside(scaled_by_doublings)))(99.0))


def test_a_loop_that_checks_has_derivatives_of_all_orders():
    assert jax.jit(jax.grad(jax.grad(scaled_by_doublings)))(1.5) == 0
    assert jax.jit(jax.jacfwd(scaled_by_doublings))(1.5) == 7
    each = jax.jit(jax.vmap(jax.grad(scaled_by_doublings)))(jnp.array([1.5, 2.0]))
    np.testing.assert_array_equal(each, [7, 6])


def test_a_gradient_of_a_loop_that_checks_has_functional_errors():
    error, gradient = jax.jit(checkify(jax.grad(scaled_by_doublings)))(1.5)
    assert (error.get(), gradient) == (None, 7)


def test_a_gradient_through_a_loop_that_checks_names_it():
    def program(x):
        while x < 100:
            x = x * 2
            assert x > 0
        return x

    with pytest.raises(ValueError, match=r"(?s)line \d+, in program.*maximum_iterations"):
        jax.jit(jax.grad(autograph.convert()(program)))(1.5)


def root_or_zero(x):
    y = 0.0
    if x > 0:
        y = jnp.sqrt(x)
    return y


def sum_of_roots(x):
    total = 0.0
    while x > 0:
        autograph.set_loop_options(maximum_iterations=8)
        total = total + jnp.sqrt(x)
        x = x - 1.0
    return total


def roots_until_negative(x):
    total = 0.0
    for i in range(5):
        if x - i <= 0:
            break
        total = total + jnp.sqrt(x - i)
    return total


@pytest.mark.parametrize("program", [root_or_zero, sum_of_roots, roots_until_negative])
def test_a_branch_that_guards_against_nan_guards_the_gradient(program):
    xs = jnp.array([-1.0, 0.0, 2.0, 3.5])
    expected = [jax.grad(program)(x) for x in xs]
    converted = autograph.convert()(program)
    for gradient in (jax.jit(jax.grad(converted)), jax.grad(jax.jit(converted))):
        np.testing.assert_allclose([gradient(x) for x in xs], expected, rtol=1e-6)
    np.testing.assert_allclose(jax.vmap(jax.grad(converted))(xs), expected, rtol=1e-6)
    summed = jax.grad(lambda xs: jax.vmap(converted)(xs).sum())
    np.testing.assert_allclose(summed(xs), expected, rtol=1e-6)
