"""Around PyTorch's operators `cond` and `while_loop`: what keeps their gradients right.

In PyTorch 2.13

- the gradient of a loop is that of at least one iteration, also where none runs;
- no gradient reaches a variable of a loop that starts with a tensor that requires none;
- the gradient of a complex variable of a loop is dropped;
- the gradient of a branch fails if some of its outputs are numbers without gradients, if the
  gradients of both branches for one operand have strides of another order, or if the gradients of
  two outputs are one tensor, as those of `y.sum() + z.sum()`;
- a graph forgets that an operator stands under `no_grad`;
- `make_fx` records a loop on tensors that require gradients as an operator that has none.

From PyTorch 2.14 on, `make_fx` records `detach` as an operation that keeps the gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch.fx.experimental.proxy_tensor import get_proxy_mode

from autograph.adapters.refusals import refusal
from autograph.values import Array

Function = Callable[..., Sequence[Any]]


def _is_real(array: torch.Tensor) -> bool:
    return bool(array.dtype.is_floating_point)


# ---- numbers as floating-point numbers ----

_SAME_SIZE = {8: torch.float64, 4: torch.float32, 2: torch.float16}


def _as_float(array: torch.Tensor) -> Any:
    """An array with the same bits, or with numbers of the same value, that is a real float."""
    if _is_real(array):
        return array
    if array.dtype.is_complex:
        return torch.view_as_real(array.resolve_conj())
    if array.dtype is not torch.bool and array.dtype.itemsize in _SAME_SIZE:
        return array.view(_SAME_SIZE[array.dtype.itemsize])
    return array.to(torch.float32)


def _from_float(array: torch.Tensor, dtype: torch.dtype) -> Any:
    if dtype.is_floating_point:
        return array
    if dtype.is_complex:
        return torch.view_as_complex(array)
    if dtype is not torch.bool and dtype.itemsize in _SAME_SIZE:
        return array.detach().view(dtype)
    return array.detach().to(dtype)


_BITS = {8: torch.int64, 4: torch.int32, 2: torch.int16, 1: torch.uint8}


def detached(array: torch.Tensor) -> Any:
    """Return a view without the gradient, which a graph of `make_fx` keeps off, too."""
    mode = get_proxy_mode()
    if mode is None or mode.pre_dispatch or not (_is_real(array) or array.is_complex()):
        return array.detach()
    if array.is_complex():
        return torch.view_as_complex(detached(torch.view_as_real(array.resolve_conj())))
    return array.view(_BITS[array.dtype.itemsize]).view(array.dtype)


def of_branches(operator: Callable[..., Any], dtypes: Sequence[torch.dtype]) -> Callable[..., Any]:
    """Return the operator `cond` for functions with outputs of these dtypes."""
    if not any(dtype.is_floating_point or dtype.is_complex for dtype in dtypes):
        return operator

    def packed(function: Function) -> Function:
        def run(*arrays: Array) -> tuple[Any, ...]:
            outputs = function(*map(_with_contiguous_gradient, arrays))
            # An output must not be a view of another.
            return tuple(_as_float(output).clone() for output in outputs)

        return run

    def run(test: object, if_fn: Function, else_fn: Function, operands: Sequence[Any]) -> list[Any]:
        outputs = operator(test, packed(if_fn), packed(else_fn), operands)
        if len(outputs) > 1:
            # Two outputs may have one gradient, which the operator must not take twice.
            outputs = map(_with_contiguous_gradient, outputs)
        return [_from_float(output, dtype) for output, dtype in zip(outputs, dtypes, strict=True)]

    return run


def _with_contiguous_gradient(array: torch.Tensor) -> Any:
    """Return a view: the gradients of both branches need strides of one order, and no offset.

    The gradient of `select` is a new tensor. A copy of the array would not do: PyTorch changes the
    averages of a batch normalization in place, which a trace does not see.
    """
    return array.unsqueeze(0).select(0, 0) if _is_real(array) or array.is_complex() else array


# ---- loops ----


def run_loop(
    operator: Callable[..., Any],
    test: Callable[..., Any],
    body: Function,
    starts: Sequence[Any],
    operands: Sequence[Any],
    first_runs: bool,
) -> list[Any]:
    """Run the operator `while_loop`.

    Args:
      operator: PyTorch's.
      test, body: functions of the variables and the operands.
      starts: the variables at first.
      operands: what the loop only reads.
      first_runs: whether the test is known to hold at first.
    """
    dtypes = [each.dtype for each in (*starts, *operands)]
    entering = [_without_complex(each) for each in (*starts, *operands)]
    differentiable = list(filter(_is_real, entering))

    def on_floats(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *arrays: function(*map(_with_complex, arrays, dtypes))

    def float_body(*arrays: object) -> tuple[Any, ...]:
        return tuple(map(_without_complex, on_floats(body)(*arrays)))

    decided = first_runs or not differentiable
    gate = _Gate(None if decided else on_floats(test)(*entering), differentiable)
    count = len(starts)
    first, read = entering[:count], entering[count:]
    starts, operands = tuple(map(gate.start, first)), tuple(map(gate.operand, read))
    run = partial(operator, on_floats(test), float_body)
    if torch.is_grad_enabled() and _is_traced_below_gradients((*starts, *operands)):
        arrays = _Recorded.apply(run, count, *starts, *operands)
    else:
        arrays = run(starts, operands)
    return list(map(_with_complex, map(gate.leave, arrays, first), dtypes))


_OF_GRADIENTS = (
    "Trace the function without it, and take the gradient of the program by torch.autograd.grad."
)
_TRANSFORMATIONS = {
    "Grad": ("torch.func.grad or vjp", _OF_GRADIENTS),
    "Jvp": ("torch.func.jvp", _OF_GRADIENTS),
    "Vmap": ("torch.func.vmap", "Write the function for the whole batch."),
}
"""By the name of its interpreter: what PyTorch calls a transformation, and what to do instead."""


def transformation_inside() -> str:
    """Return the name of the interpreter of the innermost transformation, or an empty string."""
    # No public function tells: branches inside of `vmap`, and the lines of errors, would be lost.
    interpreter = torch._C._functorch.peek_interpreter_stack()
    return "" if interpreter is None else interpreter.key().name


def refuse_transformations(statement: str, *others: str) -> None:
    """Refuse a staged statement inside a transformation that PyTorch's operator does not have.

    Args:
      statement: what messages call it.
      others: the interpreters that its operator has a rule for.
    """
    name = transformation_inside()
    if name in _TRANSFORMATIONS and name not in others:
        transformation, remedy = _TRANSFORMATIONS[name]
        raise refusal(
            f"{statement} is traced inside of {transformation}, which PyTorch cannot apply to it.",
            remedy,
            RuntimeError,
        )


def _is_traced_below_gradients(arrays: Sequence[Any]) -> bool:
    """Whether gradients are computed before a trace sees the operations, and reach an array."""
    mode = get_proxy_mode()
    traced = mode is not None and not mode.pre_dispatch
    return traced and any(array.requires_grad for array in arrays)


class _Recorded(torch.autograd.Function):
    """A loop that `make_fx` records without its gradient, which the graph computes when it runs.

    Where the program itself takes a gradient, the loop is recorded anew, with its gradient.
    """

    @staticmethod
    def forward(ctx: Any, run: Callable[..., Any], count: int, *arrays: Any) -> tuple[Any, ...]:
        """Record the loop; the first `count` arrays are the variables."""
        ctx.run, ctx.count = run, count
        ctx.save_for_backward(*arrays)
        outputs = tuple(run(arrays[:count], arrays[count:]))
        ctx.mark_non_differentiable(*(each for each in outputs if not _is_real(each)))
        return outputs

    @staticmethod
    def backward(ctx: Any, *gradients: Array) -> tuple[Any, ...]:
        """Record the loop with its gradient."""
        with torch.enable_grad():
            arrays = [
                array.detach().requires_grad_(needed)
                for array, needed in zip(ctx.saved_tensors, ctx.needs_input_grad[2:], strict=True)
            ]
            outputs = ctx.run(tuple(arrays[: ctx.count]), tuple(arrays[ctx.count :]))
        pairs = [pair for pair in zip(outputs, gradients, strict=True) if pair[0].requires_grad]
        needed = [array for array in arrays if array.requires_grad]
        found = torch.autograd.grad(
            [output for output, _ in pairs], needed, [each for _, each in pairs], allow_unused=True
        )
        source = iter(found)
        own = (next(source) if array.requires_grad else None for array in arrays)
        return (None, None, *own)


def _without_complex(array: torch.Tensor) -> Any:
    return _as_float(array) if array.dtype.is_complex else array


def _with_complex(array: object, dtype: torch.dtype) -> Any:
    return _from_float(array, dtype) if dtype.is_complex else array


class _Gate:
    """What tensors pass on their way into a loop, so that gradients pass it backwards.

    Args:
      runs: whether the loop runs at all; None: it does.
      differentiable: all tensors that gradients may reach.
    """

    def __init__(self, runs: object, differentiable: Sequence[Any]) -> None:
        self._runs = runs
        self._anchor: Any = None
        if len(differentiable) > 1:
            self._never = torch.zeros((), dtype=torch.bool, device=differentiable[0].device)
            self._anchor = sum(map(self._nothing, differentiable))

    def _nothing(self, array: torch.Tensor) -> Any:
        """Zero, which requires a gradient if the array does."""
        first = array.reshape(-1)[:1]
        return torch.where(self._never, first, torch.zeros_like(first)).sum()

    def start(self, array: torch.Tensor) -> Any:
        """Return a variable: it requires a gradient if any tensor of the loop does."""
        if not _is_real(array):
            return array
        if self._anchor is not None:
            array = torch.where(self._never, self._anchor.to(array.dtype), array)
        return self.operand(array)

    def operand(self, array: torch.Tensor) -> Any:
        """Return a tensor that no gradient reaches where the loop does not run."""
        if self._runs is None or not _is_real(array):
            return array
        return torch.where(self._runs, array, detached(array))

    def leave(self, array: Any, start: object) -> Any:
        """Return a variable after the loop, which no longer shows a row of all iterations: an
        operator of PyTorch cannot take such a tensor as its operand.
        """
        if self._runs is None or not _is_real(array):
            return array.clone()
        return torch.where(self._runs, array, start)
