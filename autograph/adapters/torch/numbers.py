"""Tensors of an exported program that represent Python numbers: `x += y` makes another one."""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils.weak import WeakTensorKeyDictionary

from autograph.adapters.torch.gradients import detached

OUT_OF_PLACE: dict[str, Callable[..., Any]] = {
    "add_": operator.add,
    "sub_": operator.sub,
    "mul_": operator.mul,
    "div_": operator.truediv,
    "floor_divide_": operator.floordiv,
    "remainder_": operator.mod,
    "pow_": operator.pow,
    "__iand__": operator.and_,
    "__ior__": operator.or_,
    "__ixor__": operator.xor,
    "__ilshift__": operator.lshift,
    "__irshift__": operator.rshift,
}
"""What PyTorch calls Python's augmented assignments, and what these do to numbers."""


class _Loose(threading.local):
    def __init__(self) -> None:
        self.known: Any = WeakTensorKeyDictionary()


_loose = _Loose()


def loosen(tensor: object) -> None:
    """Record that the tensor represents a Python number, or a value computed from one.

    `x += y` gives another one, as with numbers, which have no other way to change. Another name of
    the first is refused.
    """
    _loose.known[tensor] = True


def is_loose(value: object) -> bool:
    """Return whether the value is a number, or a tensor that represents one; see `loosen`."""
    return isinstance(value, (bool, int, float, complex)) or value in _loose.known


_OPERATORS = frozenset(
    {"add", "sub", "mul", "div", "__floordiv__", "remainder", "pow", "__rsub__", "__rdiv__",
     "__rfloordiv__", "__rmod__", "__rpow__", "neg", "positive", "abs", "__invert__", "__and__",
     "__or__", "__xor__", "__lshift__", "__rshift__", "bitwise_and", "bitwise_or", "bitwise_xor",
     "__rlshift__", "__rrshift__", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift",
     "rshift"}
)  # fmt: skip
"""What PyTorch and `operator` call Python's operators."""


def note_number(name: str, args: Sequence[Any], result: object) -> None:
    """Remember that what operators make of numbers is a number."""
    if name not in _OPERATORS or isinstance(result, (bool, int, float)):
        return
    if all(map(is_loose, args)):
        loosen(result)


# ---- functions of PyTorch that need the values of a tensor ----


def _item(tensor: Any) -> Any:
    if tensor.numel() != 1:
        raise RuntimeError(f"a Tensor with {tensor.numel()} elements cannot be converted to Scalar")
    return detached(tensor.reshape(())).clone()


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
