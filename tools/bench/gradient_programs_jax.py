"""The steps of `gradient_programs` for JAX: `jit` of `value_and_grad` and the update."""

from collections.abc import Callable
from typing import Any

import numpy as np

Made = tuple[Callable[..., Any], list[Any]]

RATE = 0.01


def waves(*shape: int, scale: float = 1.0) -> Any:
    count = int(np.prod(shape))
    return np.reshape(np.sin(np.arange(count, dtype=np.float32)) * np.float32(scale), shape)


def stepping(jax: Any, loss_of: Callable[..., Any], weights: list[Any], batch: list[Any]) -> Made:
    """Keep the weights between calls, as variables do; wait for the loss."""

    @jax.jit  # type: ignore[untyped-decorator, unused-ignore]
    def step(weights: list[Any], x: Any, target: Any) -> Any:
        loss, slopes = jax.value_and_grad(loss_of)(weights, x, target)
        return loss, [w - RATE * slope for w, slope in zip(weights, slopes, strict=True)]

    held = [jax.numpy.asarray(weight) for weight in weights]

    def call(x: Any, target: Any) -> Any:
        loss, held[:] = step(list(held), x, target)
        jax.block_until_ready(held)
        return loss

    return call, [jax.numpy.asarray(each) for each in batch]


def mlp_step(jax: Any) -> Made:
    np_ = jax.numpy

    def loss_of(weights: list[Any], x: Any, target: Any) -> Any:
        w1, b1, w2, b2 = weights
        h = np_.maximum(x @ w1 + b1, 0.0)
        return np_.mean((h @ w2 + b2 - target) ** 2)

    weights = [waves(784, 128, scale=0.05), waves(128), waves(128, 10, scale=0.1), waves(10)]
    return stepping(jax, loss_of, weights, [waves(32, 784), waves(32, 10)])


mlp_step_of_calls = mlp_step


def rnn_step(jax: Any) -> Made:
    np_ = jax.numpy

    def loss_of(weights: list[Any], xs: Any, target: Any) -> Any:
        w, u, b = weights

        def cell(h: Any, x: Any) -> Any:
            return np_.tanh(x @ w + h @ u + b), None

        h, _ = jax.lax.scan(cell, np_.zeros_like(target), xs)
        return np_.mean((h - target) ** 2)

    weights = [waves(128, 128, scale=0.1), waves(128, 128, scale=0.1), waves(128)]
    return stepping(jax, loss_of, weights, [waves(64, 32, 128), waves(32, 128)])


def lookup_step(jax: Any) -> Made:
    np_ = jax.numpy

    def loss_of(weights: list[Any], ids: Any, target: Any) -> Any:
        return np_.mean((weights[0][ids] - target) ** 2)

    ids = np.arange(512, dtype=np.int32) * 97
    return stepping(jax, loss_of, [waves(50_000, 64)], [ids, waves(512, 64)])
