"""Modules of PyTorch: `convert(module)` converts the `forward` of each module in its tree.

Hooks, parameters, buffers and names of the state stay as they are: a module calls its `forward` as
before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import MethodType
from typing import Any

import torch

# PyTorch has no public way to keep a hook of its own from a call.
from torch.nn.modules.module import _global_buffer_registration_hooks as hooks

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


@contextmanager
def noting_other_buffers(in_function: Callable[[], bool]) -> Iterator[None]:
    """Keep assignments of buffers from `torch.export` that it must not note.

    It copies what was assigned into the buffer at the end of the program. Where that is the buffer
    itself, as after `self.calls += 1`, PyTorch then refuses the gradients of what was computed with
    it. In the function of a staged statement export does not know the tensors; what it assigns is
    assigned once more by the program.

    Args:
      in_function: returns whether such a function is being traced.
    """
    noting = {key: hook for key, hook in hooks.items() if hook.__module__.startswith("torch.")}

    def filtered(note: Callable[..., Any]) -> Callable[..., Any]:
        def hook(module: torch.nn.Module, name: str, buffer: object) -> Any:
            if in_function() or getattr(module, name, None) is buffer:
                return None
            return note(module, name, buffer)

        return hook

    hooks.update({key: filtered(hook) for key, hook in noting.items()})
    try:
        yield
    finally:
        hooks.update(noting)
