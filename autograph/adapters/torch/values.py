"""Functions of PyTorch that need the values of tensors: for their result, or for an error."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

import torch

from autograph.adapters.torch.arrays import leaves_in, tensors_in, untraced
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

UNCHECKED: dict[Any, Callable[..., Any]] = {
    torch.inverse: torch.linalg.inv_ex,
    torch.Tensor.inverse: torch.linalg.inv_ex,
    torch.linalg.inv: torch.linalg.inv_ex,
    torch.linalg.solve: torch.linalg.solve_ex,
    torch.linalg.cholesky: torch.linalg.cholesky_ex,
}
"""What raises LinAlgError gives the number of the error besides its result.

Up to PyTorch 2.15 the check of the others is lost in a branch or loop that `aot_eager` compiles;
Inductor, and a gradient, cannot compile it.
"""


def of_items(func: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call a function that makes a tensor of Python's numbers; NotImplemented without tensors.

    Args:
      func: the function.
      args, kwargs: its arguments; tensors may be among the numbers.
    """
    is_method = func is torch.Tensor.new_tensor
    if func not in _OF_ITEMS or len(args) <= is_method:
        return NotImplemented
    data = args[is_method]
    aliases = isinstance(data, torch.Tensor) and func in (torch.as_tensor, torch.asarray)
    if aliases or not tensors_in(data):
        return NotImplemented
    options = dict(kwargs)
    if is_method:
        options = {"dtype": args[0].dtype, "device": args[0].device, **options}
    with untraced():
        dtypes = [torch.as_tensor(each).dtype for each in leaves_in(data)]
        dtype = options.pop("dtype", None) or reduce(torch.promote_types, dtypes)
    return torch.asarray(_stacked(data, dtype), **{"copy": True, "requires_grad": False, **options})


_OF_ITEMS = (torch.as_tensor, torch.asarray, torch.tensor, torch.Tensor.new_tensor)


def _stacked(data: Any, dtype: torch.dtype) -> Any:
    """Return the items of lists in one tensor, without their gradients."""
    if isinstance(data, (list, tuple)):
        return torch.stack([_stacked(each, dtype) for each in data])
    if isinstance(data, torch.Tensor):
        return detached(data).to(dtype).reshape(())
    return torch.full((), data, dtype=dtype)
