"""Tensors of an exported program that must not be changed in place, or not used any more.

What PyTorch would do depends on what runs there, or on a value being a number in Python.
"""

from __future__ import annotations

import gc
import operator
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._C import DisableTorchFunction

from autograph.adapters.refusals import refusal

# ---- what may be a number in Python ----

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


class _Loose(threading.local):
    def __init__(self) -> None:
        self.known: dict[int, weakref.ref[Any]] = {}


_loose = _Loose()


def loosen(tensor: object) -> None:
    """Record that the tensor represents a Python number, or a value computed from one.

    `x += y` gives another one, as with numbers, which have no other way to change. Another name of
    the first is refused.
    """
    key = id(tensor)
    _loose.known[key] = weakref.ref(tensor, lambda _: _loose.known.pop(key, None))


def is_loose(value: object) -> bool:
    """Return whether the value is a number, or a tensor that represents one; see `loosen`."""
    if isinstance(value, (bool, int, float, complex)):
        return True
    known = _loose.known.get(id(value))
    return known is not None and known() is value


_OPERATORS = frozenset(
    {"add", "sub", "mul", "div", "__floordiv__", "remainder", "pow", "__rsub__", "__rdiv__",
     "__rfloordiv__", "__rmod__", "__rpow__", "neg", "positive", "abs", "__invert__", "__and__",
     "__or__", "__xor__", "__lshift__", "__rshift__", "bitwise_and", "bitwise_or", "bitwise_xor",
     "__rlshift__", "__rrshift__", "truediv", "floordiv", "mod", "and_", "or_", "xor", "lshift",
     "rshift"}
)  # fmt: skip
"""What PyTorch and `operator` call Python's operators."""


def note_number(func: object, args: Sequence[Any], result: object) -> None:
    """Remembers that what operators make of numbers is a number."""
    if getattr(func, "__name__", "") not in _OPERATORS or isinstance(result, (bool, int, float)):
        return
    if all(map(is_loose, args)):
        loosen(result)


# ---- changes that are refused ----


@dataclass(frozen=True, eq=False)
class Watch:
    """A tensor that must not be changed in place.

    Attributes:
      tensor: leads to it.
      version: how often it has been changed so far.
      others: lead to what it may share its elements with; while none of these lives, it may be
        changed. None: it must not be changed anyhow.
      what: the beginning of the sentence that refuses the change.
    """

    tensor: weakref.ref[Any]
    version: int
    others: tuple[weakref.ref[Any], ...] | None
    what: str

    @property
    def lives(self) -> bool:
        """Return whether there is anything left to see."""
        return self.tensor() is not None and (
            self.others is None or any(other() is not None for other in self.others)
        )

    @property
    def is_changed(self) -> bool:
        """Return whether the tensor was changed."""
        tensor = self.tensor()
        return tensor is not None and tensor._version != self.version


class Watching:
    """What must not be changed in place where the trace is now."""

    def __init__(self) -> None:
        """Nothing as yet."""
        self._watches: list[Watch] = []
        self._retired: dict[int, Any] = {}

    def retire(self, tensor: object) -> None:
        """From now on any use of the tensor is refused: a variable that named it has another."""
        self._retired[id(tensor)] = tensor

    @property
    def retired(self) -> list[Any]:
        """What must not be used any more."""
        return list(self._retired.values())

    def check_use(self, value: object) -> None:
        """Raise StagingError if the value is a retired tensor."""
        if id(value) in self._retired:
            raise refusal(
                "a tensor has two names, and is changed by one of them (as by `x += y`), where a "
                "Python number would not be; it starts as a Python number.",
                "Write `x = x + y`, or start with a tensor.",
            )

    def watch(self, tensor: torch.Tensor, others: Sequence[Any] | None, what: str) -> None:
        """From now on changes are refused; see `Watch`."""
        with DisableTorchFunction():
            around = None if others is None else tuple(map(weakref.ref, others))
            self._watches.append(Watch(weakref.ref(tensor), tensor._version, around, what))

    def forget(self, tensor: object) -> None:
        """The tensor may be changed."""
        self._watches = [watch for watch in self._watches if watch.tensor() is not tensor]

    def check(self) -> None:
        """Raise StagingError if anything was changed since."""
        if self._changed() is None:
            return
        gc.collect()  # what traced a finished statement may still hold the other names, in cycles
        changed = self._changed()
        if changed is not None:
            raise refusal(
                f"{changed.what}, and is changed in place.",
                "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
            )

    def _changed(self) -> Watch | None:
        if not self._watches:
            return None
        with DisableTorchFunction():
            self._watches = [watch for watch in self._watches if watch.lives]
            return next((watch for watch in self._watches if watch.is_changed), None)
