"""Programs of the users of PyTorch: eager, exported and compiled, with gradients."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

import autograph
from tools.modes.verdicts import Differs, Verdict, judge

MODULES = (
    "tests.autograph.torch_programs",
    "tests.autograph.torch_programs_more",
    "tests.autograph.torch_programs_networks",
    "tests.autograph.torch_programs_simulations",
    "tests.autograph.torch_programs_algorithms",
)


class Holder(torch.nn.Module):
    """A module for a function: `torch.export` takes modules."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any) -> Any:
        return self.function(*args)


def converted(program: Any) -> Any:
    """Return the converted program; a module is copied before."""
    return autograph.convert()(copy.deepcopy(program.function))


def exported(program: Any) -> Any:
    """Return the program exported, with the parameters in the order of the module."""
    entity = converted(program)
    is_module = isinstance(entity, torch.nn.Module)
    held = entity if is_module else Holder(entity)
    made = torch.export.export(held, tuple(_arguments(program)), strict=False).module()
    if is_module:
        known = dict(made.named_parameters())
        made.parameters = lambda: [known[name] for name, _ in entity.named_parameters()]
    return made


def compiled(backend: str) -> Callable[[Any], Any]:
    """Return what compiles a program by a backend."""

    def compile_by(program: Any) -> Any:
        torch.compiler.reset()
        return torch.compile(converted(program), fullgraph=True, backend=backend)

    return compile_by


def _mode(stage: Callable[[Any], Any], gradient: bool) -> Callable[[Any], Verdict | None]:
    def judged(program: Any) -> Verdict | None:
        if gradient and not program.gradient:
            return None
        found: list[Any] = []
        file = inspect.getsourcefile(
            type(program.function)
            if isinstance(program.function, torch.nn.Module)
            else inspect.unwrap(program.function)
        )
        return judge(
            # A copy: a call may change buffers.
            lambda: found.append(outcome(copy.deepcopy(program.function), program, gradient)),
            lambda: compare(outcome(stage(program), program, gradient), found),
            file or "",
        )

    return judged


MODES = {
    "eager": _mode(converted, False),
    "export": _mode(exported, False),
    "compile-eager": _mode(compiled("eager"), False),
    "compile-aot_eager": _mode(compiled("aot_eager"), False),
    "compile-inductor": _mode(compiled("inductor"), False),
    "grad-eager": _mode(converted, True),
    "grad-export": _mode(exported, True),
    "grad-compile-eager": _mode(compiled("eager"), True),
    "grad-compile-aot_eager": _mode(compiled("aot_eager"), True),
    "grad-compile-inductor": _mode(compiled("inductor"), True),
}


def _arguments(program: Any, grad: bool = False) -> list[Any]:
    found = [each.clone() for each in program.args]
    for each in found:
        if grad and each.dtype.is_floating_point:
            each.requires_grad_()
    return found


def outcome(entity: Any, program: Any, grad: bool) -> tuple[list[Any], list[Any]]:
    """Return the leaves of the result with what the call left in its arguments, or gradients."""
    args = _arguments(program, grad)
    result = entity(*args)
    leaves = [torch.as_tensor(each).detach() for each in pytree.tree_leaves(result)]
    if not grad:
        return leaves, [each.detach() for each in args]
    parameters = list(entity.parameters()) if hasattr(entity, "parameters") else []
    if isinstance(program.function, Holder) or not isinstance(program.function, torch.nn.Module):
        parameters = []
    inputs = [*(each for each in args if each.requires_grad), *parameters]
    # A number of Python has no gradient. Where a graph computes it as a tensor, that is zero.
    first = torch.as_tensor(pytree.tree_leaves(result)[0]).sum()
    constant = not first.requires_grad
    found = (
        [None for _ in inputs]
        if constant
        else torch.autograd.grad(first, inputs, allow_unused=True)
    )
    zeros = [
        torch.zeros_like(each) if gradient is None else gradient
        for each, gradient in zip(inputs, found, strict=True)
    ]
    return leaves, zeros


def compare(mine: tuple[list[Any], list[Any]], expected: list[Any]) -> None:
    """Raise Differs unless results and states are the expected ones, if there are some."""
    for ours, theirs in zip(mine, expected[0] if expected else mine, strict=True):
        if len(ours) != len(theirs):
            raise Differs(f"{ours} in place of {theirs}")
        for one, other in zip(ours, theirs, strict=True):
            try:
                torch.testing.assert_close(
                    one.to(other.dtype), other, rtol=1e-5, atol=1e-5, equal_nan=True
                )
            except AssertionError:
                raise Differs(f"{one} in place of {other}") from None
