"""Functions of PyTorch that need the values of a tensor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from autograph.adapters.torch.gradients import detached
from autograph.adapters.torch.numbers import exact


def _item(tensor: Any) -> Any:
    if tensor.numel() != 1:
        raise RuntimeError(f"a Tensor with {tensor.numel()} elements cannot be converted to Scalar")
    return exact(detached(tensor.reshape(())))


def _equal(a: Any, b: Any) -> Any:
    return (a == b).all() if a.shape == b.shape else False


def _all_close(*args: Any, **options: Any) -> Any:
    return torch.isclose(*args, **options).all()


STAGED: dict[Any, Callable[..., Any]] = {
    torch.Tensor.item: _item,
    torch.Tensor.equal: _equal,
    torch.equal: _equal,
    torch.Tensor.allclose: _all_close,
    torch.allclose: _all_close,
}
"""What gives a value of Python in PyTorch gives a tensor that represents it."""
