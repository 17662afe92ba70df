"""The steps of `gradient_programs` for PyTorch: eager operations, autograd and SGD."""

from collections.abc import Callable
from typing import Any

import numpy as np

Made = tuple[Callable[..., Any], list[Any]]

RATE = 0.01


def waves(*shape: int, scale: float = 1.0) -> Any:
    count = int(np.prod(shape))
    return np.reshape(np.sin(np.arange(count, dtype=np.float32)) * np.float32(scale), shape)


def stepping(torch: Any, loss_of: Callable[..., Any], weights: list[Any], batch: list[Any]) -> Made:
    held = [torch.tensor(weight, requires_grad=True) for weight in weights]
    optimizer = torch.optim.SGD(held, lr=RATE)

    def call(x: Any, target: Any) -> Any:
        optimizer.zero_grad()
        loss = loss_of(held, x, target)
        loss.backward()
        optimizer.step()
        return loss

    return call, [torch.tensor(each) for each in batch]


def mlp_step(torch: Any) -> Made:
    def loss_of(weights: list[Any], x: Any, target: Any) -> Any:
        w1, b1, w2, b2 = weights
        h = torch.relu(x @ w1 + b1)
        return torch.mean((h @ w2 + b2 - target) ** 2)

    weights = [waves(784, 128, scale=0.05), waves(128), waves(128, 10, scale=0.1), waves(10)]
    return stepping(torch, loss_of, weights, [waves(32, 784), waves(32, 10)])


mlp_step_of_calls = mlp_step


def rnn_step(torch: Any) -> Made:
    def loss_of(weights: list[Any], xs: Any, target: Any) -> Any:
        w, u, b = weights
        h = torch.zeros_like(target)
        for x in xs:
            h = torch.tanh(x @ w + h @ u + b)
        return torch.mean((h - target) ** 2)

    weights = [waves(128, 128, scale=0.1), waves(128, 128, scale=0.1), waves(128)]
    return stepping(torch, loss_of, weights, [waves(64, 32, 128), waves(32, 128)])


def lookup_step(torch: Any) -> Made:
    def loss_of(weights: list[Any], ids: Any, target: Any) -> Any:
        rows = torch.nn.functional.embedding(ids, weights[0], sparse=True)
        return torch.mean((rows - target) ** 2)

    ids = np.arange(512, dtype=np.int64) * 97
    return stepping(torch, loss_of, [waves(50_000, 64)], [ids, waves(512, 64)])
