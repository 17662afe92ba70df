"""Whether one iteration of a Python loop, traced for all, computes what Python would.

The item of such a loop is an integer in Python, and an int64 tensor in the trace. Both compute the
same as indices, in integer arithmetic, and as factors of tensors; everything else ends the attempt.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from autograph.adapters.torch.arrays import FORMS
from autograph.staging import CannotRoll

_INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "__rsub__": lambda a, b: b - a,
}
"""Operators on two integers, by the names that PyTorch has for them."""

_COMPARISONS = frozenset({"lt", "le", "gt", "ge", "eq", "ne"})
_WITH_TENSORS = _COMPARISONS | {"add", "sub", "mul", "div", "__rsub__", "__rdiv__"}
"""Operators that give the same for a tensor and a number as for two tensors."""

_OF_INDICES = frozenset({"index.Tensor", "index_put_"})
"""What indexing by a tensor calls: they take numbers as they take tensors."""

_COPIES = frozenset({"clone", "to"})
"""What a nested statement, and an index, copies a tensor with."""

_MOST = 2**24
"""Integers up to this one are exact in float32."""


class Integers(TorchFunctionMode):
    """Follows integers of Python in the trace of an iteration, with their values in all of them."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[int, tuple[Any, list[int]]] = {}

    def follow(self, tensor: object, values: Sequence[int]) -> None:
        """Follow a tensor that represents these integers, an iteration each."""
        if any(type(each) is not int or abs(each) > _MOST for each in values):
            raise CannotRoll
        self._known[id(tensor)] = tensor, list(values)

    def check(self, value: object, values: Sequence[int]) -> None:
        """Raise CannotRoll unless the value represents these integers."""
        if self._known.get(id(value), (None, None))[1] != list(values):
            raise CannotRoll

    def __torch_function__(
        self, func: Any, types: object, args: Any = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        leaves = FORMS.leaves((args, kwargs))
        followed = [leaf for leaf in leaves if id(leaf) in self._known]
        if not followed:
            return result
        name = getattr(func, "__name__", "")
        others = [leaf for leaf in leaves if id(leaf) not in self._known and leaf is not None]
        if name in _COPIES and result.dtype is torch.int64:
            self.follow(result, self._known[id(args[0])][1])
        elif not isinstance(result, torch.Tensor) and id(args[0]) in self._known:
            pass  # a question about the tensor, which a number of Python cannot be asked
        elif all(type(each) is int for each in others) and len(args) == 2:
            self._note(name, result, *map(self._values, args))
        elif name in ("__getitem__", "__setitem__"):
            if id(args[0]) in self._known:
                raise CannotRoll
        elif name not in _OF_INDICES and (
            name not in _WITH_TENSORS or not all(map(_takes_integer, others))
        ):
            raise CannotRoll
        return result

    def _values(self, operand: object) -> list[int] | int:
        return operand if type(operand) is int else self._known[id(operand)][1]

    def _note(self, name: str, result: object, a: list[int] | int, b: list[int] | int) -> None:
        if name in _COMPARISONS:
            return
        if name not in _INTEGER:
            raise CannotRoll
        count = max(len(each) for each in (a, b) if isinstance(each, list))
        columns = [each if isinstance(each, list) else [each] * count for each in (a, b)]
        self.follow(result, list(map(_INTEGER[name], *columns)))


def _takes_integer(operand: object) -> bool:
    """Return whether an operator gives the same dtype with an int and with an int64 tensor."""
    return isinstance(operand, torch.Tensor) and (
        operand.dtype.is_floating_point
        or operand.dtype.is_complex
        or operand.dtype is torch.int64
        or operand.dim() > 0
    )
