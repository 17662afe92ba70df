"""Gradients of loops: backwards through bounded ones, forwards through all."""

import re

import numpy as np
import pytest

import autograph
from tests.autograph.adapters.jax_loops import bounded, doubled

jax = pytest.importorskip("jax")


jnp = jax.numpy


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
