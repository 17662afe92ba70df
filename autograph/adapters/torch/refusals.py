"""What is refused of changes of tensors in staged statements, in words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import torch
from torch.fx.experimental.symbolic_shapes import free_unbacked_symbols

from autograph.adapters.refusals import Place, refusal
from autograph.errors import StagingError


def refuse_unknown_shape(name: str, result: object) -> None:
    """Raise StagingError for a tensor in a branch or loop whose shape depends on values."""
    if not isinstance(result, torch.Tensor) or not any(map(free_unbacked_symbols, result.shape)):
        return
    what = "a boolean mask" if name == "__getitem__" else f"`{name}`"
    raise _unknown_shape(
        what, "Choose elements by torch.where, with a value that does not count for the others."
    )


def refuse_unknown_slice(index: object, compiled: bool) -> None:
    """Raise StagingError for an index with a slice between unknown tensors.

    Args:
      index: of a branch or loop, or of an assignment in a compiled program.
      compiled: whether it is that.
    """
    for part in index if isinstance(index, tuple) else (index,):
        if isinstance(part, slice) and not all(map(_is_known, (part.start, part.stop, part.step))):
            if compiled:
                raise refusal(
                    "a slice between tensors is assigned, which PyTorch does not compile.",
                    "Choose by torch.where, for instance `torch.where(torch.arange(4) < n, 0, x)`.",
                    RuntimeError,
                )
            raise _unknown_shape(
                "a slice between tensors",
                "Index by `i + torch.arange(n)`, or choose by torch.where, for instance "
                "`torch.where(torch.arange(4) < n, 0, x)`.",
            )


def _is_known(bound: object) -> bool:
    """Return whether a bound is no tensor, or one of a constant."""
    if not isinstance(bound, torch.Tensor):
        return True
    symbols = getattr(getattr(bound, "fake_mode", None), "shape_env", None)
    ignored = nullcontext() if symbols is None else symbols.ignore_fresh_unbacked_symbols()
    try:
        with ignored:  # PyTorch fails in the next trace if one remains
            return isinstance(bound.item(), int)
    except RuntimeError:  # where a trace has no symbols
        return False


def _unknown_shape(what: str, remedy: str) -> StagingError:
    return refusal(
        f"{what} in a staged statement makes a tensor whose shape depends on values.", remedy
    )


def refuse_unknown_size(test: object) -> None:
    """Raise StagingError for a test of a size that depends on values."""
    if is_unknown_size(test):
        raise refusal(
            "a size that depends on values, such as that of a boolean mask, decides what runs.",
            "Test a tensor, for instance `mask.sum() > 2` in place of `x[mask].numel() > 2`.",
            RuntimeError,
        )


def is_unknown_size(value: object) -> bool:
    """Return whether a value is the outcome of a test of sizes that depend on values."""
    return isinstance(value, torch.SymBool) and bool(free_unbacked_symbols(value))


def refuse_histories(tensors: Iterable[Any], outside: Container[int]) -> None:
    """Raise StagingError for gradients of tensors that are computed before a staged statement.

    Args:
      tensors: those that a statement differentiates.
      outside: the identities of those that are not computed in it.
    """
    if any(id(each) in outside for each in tensors):
        raise refusal(
            "a staged statement takes the gradient of a tensor that is computed before it, which "
            "has no history there.",
            "Compute the tensor in the same statement, or take the gradient before the statement.",
            RuntimeError,
        )


def changed_in_place(what: str) -> StagingError:
    """Return the error for a change that another name would see."""
    return refusal(
        f"{what}, and is changed in place.",
        "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
    )


def changed_in_vmap() -> StagingError:
    """Return the error for a change in place that PyTorch does not count."""
    return refusal(
        "a staged statement inside of torch.func.vmap changes a tensor in place.",
        "Make a new tensor and assign it to the variable, for instance by `x = x + y`.",
        RuntimeError,
    )


def changed_start() -> StagingError:
    """Return the error for a change of what a loop starts with."""
    return changed_in_place(
        "a tensor that a staged loop starts with is another one in later iterations"
    )


def two_names() -> StagingError:
    """Return the error for a number with two names, one of which changes it."""
    return refusal(
        "a tensor has two names, and is changed by one of them (as by `x += y`), where a Python "
        "number would not be; it starts as a Python number.",
        "Write `x = x + y`, or start with a tensor.",
    )


def other_tensor() -> StagingError:
    """Return the error for a change of more than the elements."""
    return refusal(
        "a staged statement changes what a tensor made outside of it is, not only its elements.",
        "Make a new tensor and assign it to the variable.",
    )


def own_backward() -> StagingError:
    """Return the error for a gradient that a class of the program computes."""
    return refusal(
        "a staged program applies a torch.autograd.Function, whose `backward` no graph records.",
        "Register the gradient of an operator by torch.library.custom_op.",
        RuntimeError,
    )


def transformed_inside(transformation: str | None, place: Place | None = None) -> StagingError:
    """Return the error for a transformation in a staged statement, here or at another place."""
    return refusal(
        "a staged statement calls a transformation of `torch.func`, the operations of which "
        "PyTorch does not trace there.",
        "Take the gradient of `x.detach().requires_grad_()` by torch.autograd.grad."
        if transformation == "Grad"
        else "Call it outside of the statement, or write the operations out.",
        RuntimeError,
        place,
    )


def transformed() -> StagingError:
    """Return the error for a transformation in an exported program."""
    return refusal(
        "an exported program calls a transformation of `torch.func`, the operations of which "
        "PyTorch does not export.",
        "Compile the program by torch.compile, or write the derivative out.",
        RuntimeError,
    )


def left_out(
    func: object, args: Sequence[Any], kwargs: Mapping[str, Any], made: Container[Any]
) -> StagingError | None:
    """Return the error for what a call does and no graph repeats; None for other calls.

    Args:
      func, args, kwargs: the call.
      made: the tensors that were made in the program.
    """
    if isinstance(kwargs.get("generator"), torch.Generator):
        what = "draws from a torch.Generator, the seed and the state of which are no part of it."
        remedy = "Draw the numbers outside, and pass them as an argument."
    elif func in _BACKWARD:
        what = "calls `backward`, but assigns no `.grad` when it runs."
        remedy = "Take gradients by torch.autograd.grad, and return them."
    elif func in _OF_GRAD and args[0] not in made:
        what = "uses `.grad` of a tensor that is made outside, which is no part of it."
        remedy = "Pass the gradient as an argument, and return the new one."
    else:
        return None
    return refusal(f"an exported or compiled program {what}", remedy, RuntimeError)


_GRAD: Any = torch.Tensor.grad
_OF_GRAD = (_GRAD.__get__, _GRAD.__set__)
_BACKWARD = (torch.Tensor.backward, torch.autograd.backward)
ASSIGNS_GRAD = (*_BACKWARD, _GRAD.__set__)
"""What changes `.grad` of tensors."""
