"""Branches and loops that JAX stages."""

import numpy as np
import pytest

import autograph
from tests.autograph.array_programs import collatz, newton, summed

jax = pytest.importorskip("jax")


jnp = jax.numpy


def test_vmap_runs_each_its_own_way():
    xs = jnp.arange(1, 30)
    counts = jax.vmap(autograph.to_graph(collatz))(xs)
    assert counts.tolist() == [collatz(int(x)) for x in xs]


def test_forward_mode_through_an_unbounded_loop():
    _, slope = jax.jit(lambda x: jax.jvp(autograph.to_graph(newton), (x,), (1.0,)))(2.0)
    np.testing.assert_allclose(slope, 0.5 / np.sqrt(2.0), rtol=1e-4)


def test_int_becomes_float_in_a_loop():
    assert jax.jit(autograph.to_graph(summed))(jnp.array([0.5, 0.25])).dtype == jnp.float32
