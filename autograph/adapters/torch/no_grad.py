"""Gradients that a program switches off: PyTorch's operators trace it in a mode of their own.

A graph forgets `no_grad` and `inference_mode`, so the results of its operations are detached.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode

from autograph.adapters.torch.arrays import map_tensors, tensors_in
from autograph.adapters.torch.gradients import detached

SET_GRAD_ENABLED = "_set_grad_enabled"
"""What `no_grad` and `enable_grad` call; PyTorch has no public name for it."""


class _Mode(threading.local):
    """The grad mode of the program where the trace is now, and the one around the program."""

    def __init__(self) -> None:
        self.around = False
        self.enabled = True


_mode = _Mode()


@contextmanager
def around_program() -> Iterator[None]:
    """Surround the trace of a program, which starts in the mode that is on."""
    around, _mode.around = _mode.around, torch.is_grad_enabled()
    try:
        with in_grad_mode(torch.is_grad_enabled()):
            yield
    finally:
        _mode.around = around


def switch(enabled: bool) -> None:
    """Note that the program switches gradients on or off."""
    _mode.enabled = enabled


def in_own_function() -> bool:
    """Return whether a torch.autograd.Function computes: that switches gradients off unseen."""
    return _mode.enabled and not torch.is_grad_enabled()


def is_on_anywhere() -> bool:
    """Return whether gradients are on here, or around the program."""
    return _mode.enabled or _mode.around


@contextmanager
def in_grad_mode(enabled: bool) -> Iterator[None]:
    """Surrounds code of the program: PyTorch's operators trace it in a mode of their own."""
    around, _mode.enabled = _mode.enabled, enabled
    differs = enabled is not torch.is_grad_enabled()
    try:
        with torch.set_grad_enabled(enabled) if differs else nullcontext():
            yield
    finally:
        _mode.enabled = around


@contextmanager
def without_inference() -> Iterator[None]:
    """Surround operations of a trace: `inference_mode` of the program is `no_grad` for them.

    The tensors of `inference_mode` have no version, by which changes in place are seen, and a graph
    forgets the mode.
    """
    if torch.is_inference_mode_enabled():
        with torch.inference_mode(False), in_grad_mode(False):
            yield
    else:
        yield


def drops_gradients() -> bool:
    """Return whether the program has switched gradients off where the trace is now."""
    return _mode.around and not _mode.enabled


def run(func: Any, args: Any, kwargs: Any) -> Any:
    """Call a function of PyTorch; under `no_grad`, which graphs forget, detach its result.

    What is changed in place keeps the gradient that it had before.
    """
    if not drops_gradients() or get_proxy_mode() is None:
        return func(*args, **kwargs)
    if is_in_place(name_of(func)):
        without, options = map_tensors(detached, (args, kwargs))
        result = func(*without, **options)
        return None if result is None else args[0]
    given = {id(tensor) for tensor in tensors_in((args, kwargs))}

    def detached_leaf(leaf: torch.Tensor) -> Any:
        return leaf if id(leaf) in given else detached(leaf)

    return map_tensors(detached_leaf, func(*args, **kwargs))


def name_of(func: object) -> str:
    """Return the name of a function, or an empty string."""
    return getattr(func, "__name__", "")


def is_in_place(name: str) -> bool:
    """Return whether a function of this name changes its first argument."""
    return name in _IN_PLACE or (name.endswith("_") and name[0] != "_" and name not in OTHER_TENSOR)


_IN_PLACE = frozenset(
    {"__setitem__", "__iadd__", "__isub__", "__imul__", "__itruediv__", "__ifloordiv__",
     "__imod__", "__ipow__", "__iand__", "__ior__", "__ixor__", "__ilshift__", "__irshift__"}
)  # fmt: skip
OTHER_TENSOR = frozenset(
    {"__set__", "detach_", "requires_grad_", "resize_", "resize_as_", "set_", "share_memory_"}
)
