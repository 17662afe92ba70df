"""Modules of PyTorch: `convert(module)` converts the `forward` of each module in its tree.

Hooks, parameters, buffers and names of the state stay as they are: a module calls its `forward` as
before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import MethodType
from typing import Any

import torch

Decorate = Callable[[Any], Any]


def convert_module(module: torch.nn.Module | type[torch.nn.Module], decorate: Decorate) -> Any:
    """Convert a module with all modules in it, or the modules of a class; return it.

    Args:
      module: a module, or a class of modules.
      decorate: returns the converted form of a function.
    """
    if isinstance(module, type):
        _convert_class(module, decorate)
    else:
        _convert_tree(module, decorate)
    return module


def _convert_tree(module: torch.nn.Module, decorate: Decorate) -> None:
    for each in module.modules():
        forward = each.forward
        decorated = decorate(getattr(forward, "__func__", forward))
        if decorated is not getattr(forward, "__func__", forward):
            each.forward = MethodType(decorated, each)


def _convert_class(kind: Any, decorate: Decorate) -> None:
    kind.forward = decorate(kind.forward)
    make = kind.__init__

    @functools.wraps(make)
    def __init__(self: torch.nn.Module, *args: object, **kwargs: object) -> None:
        make(self, *args, **kwargs)
        for child in self.children():
            _convert_tree(child, decorate)

    kind.__init__ = __init__
