"""Programs of numbers, compiled by JAX and PyTorch where they are installed."""

import pytest


def in_jax(program, xs):
    jax = pytest.importorskip("jax")
    return jax.jit(program)(jax.numpy.asarray(xs))


def in_torch(program, xs):
    torch = pytest.importorskip("torch")
    torch.compiler.reset()
    return torch.compile(program, fullgraph=True, backend="eager")(torch.tensor(xs))
