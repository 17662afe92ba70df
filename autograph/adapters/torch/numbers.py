"""Tensors of an exported program that represent Python numbers: `x += y` makes another one.

They have the precision of Python's numbers, and give way to the dtypes of tensors as these do.
"""

from __future__ import annotations

import operator
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from math import frexp, inf
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import disable_proxy_modes_tracing
from torch.utils.weak import WeakTensorKeyDictionary

from autograph.adapters.forms import NUMBERS
from autograph.adapters.refusals import refusal

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


def loosen(tensor: object, is_number: bool = True) -> None:
    """Record that the tensor represents a Python number, or a variable that started as one.

    `x += y` gives another one, as with numbers, which have no other way to change. Another name of
    the first is refused.
    """
    _loose.known[tensor] = is_number


def is_loose(value: object) -> bool:
    """Return whether the value is a number, or a tensor that represents one; see `loosen`."""
    return isinstance(value, NUMBERS) or value in _loose.known


def is_number(value: object) -> bool:
    """Return whether the value is a number, or a tensor that represents one now."""
    if isinstance(value, NUMBERS):
        return True
    return value in _loose.known and bool(_loose.known[value])


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
        loosen(result, all(map(is_number, args)))


# ---- dtypes ----

KINDS = (torch.bool, torch.int64, torch.float64, torch.complex128)
"""The dtypes that hold the numbers of Python: those of the classes in `NUMBERS`."""

SAMPLES = (False, 0, 0.0, 0j)
"""A number of each kind."""


def kind_of(dtype: torch.dtype) -> int:
    """Return the kind of a dtype, as a position in `KINDS`."""
    if dtype is torch.bool:
        return 0
    return 3 if dtype.is_complex else 2 if dtype.is_floating_point else 1


def exact(tensor: torch.Tensor) -> Any:
    """Return a copy that holds elements as the numbers of Python do."""
    return tensor.to(KINDS[kind_of(tensor.dtype)], copy=True)


def check_fits(number: Any, dtype: torch.dtype) -> None:
    """Raise StagingError for a number that takes the dtype of a tensor, beyond rounding a float."""
    if kind_of(dtype) not in (1, 2) or type(number) not in (int, float):
        return
    if dtype.is_floating_point:
        info: Any = torch.finfo(dtype)
        # Zeros at the end take no digit of the significand.
        digits = number // ((number & -number) or 1) if type(number) is int else 0
        fits = digits.bit_length() <= 2 - frexp(info.eps)[1]
        fits = fits and (not abs(number) > info.max or abs(number) == inf)
    else:
        info = torch.iinfo(dtype)
        fits = info.min <= number <= info.max
    if not fits:
        raise refusal(
            f"{number} takes the place of a tensor of {dtype}, which does not hold it.",
            "Use a tensor of another dtype on both ways.",
        )


MAKING = frozenset({"as_tensor", "asarray", "full", "new_tensor", "scalar_tensor", "tensor"})
"""Functions that make a tensor of PyTorch's own dtype of numbers, unless they are given one."""


_DIVISIONS = frozenset({"div", "truediv", "__rdiv__"})


def given_way(
    name: str, args: Sequence[Any], options: Mapping[str, Any], tensors: Sequence[Any]
) -> dict[int, torch.dtype]:
    """Return the dtypes that tensors in place of numbers take in a call, by their identities.

    Args:
      name: of the function.
      args, options: its arguments.
      tensors: those among them.
    """
    numbers = [each for each in tensors if is_number(each)]
    if not numbers:
        return {}
    others = [each for each in tensors if not is_number(each)]
    if name in MAKING:
        if name == "new_tensor" or options.get("dtype") is not None:
            return {}  # They take another dtype there.
        return {id(each): _promoted(_default(kind_of(each.dtype)), others) for each in numbers}
    if others:
        return _beside(numbers, others)
    # Python computes with floats as soon as one operand is one, PyTorch with its default dtype.
    plain = [NUMBERS.index(type(each)) for each in args if type(each) in NUMBERS]
    top = max(*plain, *(kind_of(each.dtype) for each in numbers), 2 * (name in _DIVISIONS))
    return {id(each): KINDS[top] for each in numbers} if top >= 2 else {}


def _beside(numbers: Sequence[Any], others: Sequence[Any]) -> dict[int, torch.dtype]:
    """Return the dtypes of tensors in place of numbers beside tensors."""
    top = max(kind_of(each.dtype) for each in others)
    deciding = [each for each in others if kind_of(each.dtype) == top]
    found = {}
    for each in numbers:
        kind = kind_of(each.dtype)
        if kind > top:
            found[id(each)] = _default(kind)
        elif kind == top and not any(other.dim() for other in deciding):
            # Among tensors with dimensions PyTorch lets a scalar give way by itself.
            found[id(each)] = _promoted(deciding[0].dtype, deciding)
    return found


def _promoted(dtype: torch.dtype, tensors: Sequence[Any]) -> torch.dtype:
    with disable_proxy_modes_tracing():
        return reduce(torch.promote_types, (each.dtype for each in tensors), dtype)


def _default(kind: int) -> torch.dtype:
    """Return the dtype that PyTorch gives numbers of a kind."""
    default = torch.get_default_dtype()
    return KINDS[kind] if kind < 2 else default if kind == 2 else default.to_complex()
