"""Modules of PyTorch: `convert(module)` converts the `forward` of each module in its tree.

So it does with functions that are hooks of a forward pass. Parameters, buffers and names of the
state stay as they are: a module calls its `forward` as before.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FunctionType, MethodType
from typing import Any, cast

import torch
from torch.nn.modules.module import register_module_buffer_registration_hook

from autograph.adapters.refusals import refusal
from autograph.adapters.torch.histories import as_assigned, overwrite
from autograph.adapters.torch.objects import HOOKS

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
        for hooks_of_kind in (getattr(each, kind) for kind in HOOKS):
            for key, hook in hooks_of_kind.items():
                if isinstance(hook, FunctionType):
                    hooks_of_kind[key] = decorate(hook)


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
def copying_buffers() -> Iterator[None]:
    """Copy what a program that is being exported assigns to buffers into these, at its end.

    `torch.export` notes assignments for that, but those to buffers of the outermost module only. It
    notes that `self.calls += 1` assigns a buffer to itself, for which PyTorch refuses the gradients
    of what was computed with it. It does not know what functions of staged statements assign.
    """
    hooks = _buffer_hooks()
    noting = {key: hook for key, hook in hooks.items() if hook.__module__.startswith("torch.")}
    first: dict[tuple[int, str], tuple[torch.nn.Module, Any]] = {}

    def keep(module: torch.nn.Module, name: str, value: object) -> None:
        if not hasattr(module, name):
            return  # a constant of a graph
        before = getattr(module, name)
        if value is not None and before is None:
            raise refusal(
                f"an exported program assigns a tensor to the buffer `{name}`, which is None.",
                "Register the buffer with a tensor of the same shape.",
            )
        first.setdefault((id(module), name), (module, before))

    hooks.update(dict.fromkeys(noting, keep))
    try:
        yield
        _copy_back([(module, name, before) for (_, name), (module, before) in first.items()])
    finally:
        hooks.update(noting)


def _buffer_hooks() -> dict[int, Any]:
    """Return the hooks that see assignments to buffers of all modules."""
    handle = register_module_buffer_registration_hook(lambda *_: None)
    handle.remove()
    return cast(dict[int, Any], handle.hooks_dict_ref())


def _copy_back(found: Sequence[tuple[torch.nn.Module, str, Any]]) -> None:
    """Copy what buffers hold now into the tensors that they held before."""
    now = [getattr(module, name, None) for module, name, _ in found]
    others = [each for module, *_ in found for each in module.buffers()]
    inputs = [each for each in others if not any(each is value for value in now)]
    inputs += [before for *_, before in found if torch.is_tensor(before)]
    constants = [each for each in inputs if not each.requires_grad]
    moved = [
        (each, as_assigned(value, constants).clone())  # One may be assigned to another one.
        for each, value in zip(found, now, strict=True)
        if torch.is_tensor(value) and value is not each[2]
    ]
    for (module, name, before), value in moved:
        overwrite(before, value)
        setattr(module, name, before)
