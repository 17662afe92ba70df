"""Programs of JAX's users under jit, vmap and grad: each agrees with plain Python."""

import importlib

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax")
jnp = jax.numpy

from tools.modes.with_jax import MODULES  # noqa: E402

PROGRAMS = {name: importlib.import_module(name).PROGRAMS for name in MODULES}
OF_LIBRARIES = PROGRAMS.pop("tests.autograph.jax_programs_libraries", [])


def each_of(programs):
    cases = [
        pytest.param(
            each, id=each.function.__name__, marks=[pytest.mark.sample] * (number % 40 == 7)
        )
        for number, each in enumerate(programs)
    ]
    return pytest.mark.parametrize("program", cases)


programs = each_of([each for found in PROGRAMS.values() for each in found])


def assert_same(actual, expected):
    mine, others = jax.tree.leaves(actual), jax.tree.leaves(expected)
    assert len(mine) == len(others)
    for one, other in zip(mine, others, strict=True):
        assert np.shape(one) == np.shape(other)
        np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-5)


def variants(program):
    first, *rest = program.args
    return [jnp.asarray(first) * scale for scale in (1.0, 0.8, 1.15)], rest


@programs
def test_jit(program):
    converted = jax.jit(autograph.convert()(program.function))
    assert_same(converted(*program.args), program.plain(*program.args))


@each_of(OF_LIBRARIES)
def test_jit_with_other_libraries(program):
    test_jit(program)


@programs
def test_vmap(program):
    firsts, rest = variants(program)
    axes = (0, *(None for _ in rest))
    converted = jax.vmap(autograph.convert()(program.function), in_axes=axes)
    batched = converted(jnp.stack(firsts), *rest)
    for number, first in enumerate(firsts):
        mine = jax.tree.map(lambda leaf, at=number: leaf[at], batched)
        assert_same(mine, program.plain(first, *rest))


@programs
def test_grad(program):
    def first_of(function):
        return lambda *args: jnp.sum(jax.tree.leaves(function(*args))[0])

    converted = jax.jit(jax.grad(first_of(autograph.convert()(program.function))))
    args = jnp.asarray(program.args[0]), *program.args[1:]
    if program.unbounded:
        with pytest.raises(ValueError, match="maximum_iterations"):
            converted(*args)
        return
    assert_same(converted(*args), jax.grad(first_of(program.plain))(*args))
