"""Functions that a program gives to JAX's transformations and loops are converted."""

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax")
jnp = jax.numpy


def bent(x):
    if x > 0:
        return x * 2
    return -x


def carried(total, x):
    if x > 0:
        return total + x, total
    return total - x, total


def slope(x):
    return 2.0 if x > 0 else -1.0


CASES = [
    (lambda x: jax.vmap(bent)(x), lambda xs: [bent(x) for x in xs]),
    (lambda x: jax.grad(bent)(x[0]), lambda xs: slope(xs[0])),
    (lambda x: jax.vmap(jax.grad(bent))(x), lambda xs: [slope(x) for x in xs]),
    (lambda x: jax.lax.scan(carried, 0.0, x)[0], lambda xs: sum(map(abs, xs))),
    (lambda x: jax.lax.map(bent, x), lambda xs: [bent(x) for x in xs]),
    (lambda x: jax.lax.cond(x[0] > 0, bent, bent, x[1]), lambda xs: bent(xs[1])),
    (
        lambda x: jax.lax.fori_loop(0, 3, lambda i, a: bent(a), x[0]),
        lambda xs: bent(bent(bent(xs[0]))),
    ),
    (lambda x: jax.jit(bent)(x[0]), lambda xs: bent(xs[0])),
    (lambda x: jnp.stack(jax.tree.map(bent, [x[0], x[1]])), lambda xs: [bent(x) for x in xs[:2]]),
]


@pytest.mark.parametrize(("program", "plain"), CASES)
def test_functions_given_to_jax_are_converted(program, plain):
    for xs in ([1.0, -2.0, 3.0], [-1.0, 2.0, -3.0]):
        actual = jax.jit(autograph.to_graph(program))(jnp.array(xs))
        np.testing.assert_allclose(actual, plain(xs))
