"""The walk from outputs back to inputs, along which each op's own rule gives the gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.errors import UnimplementedError
from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.arithmetic import add
from runtime.ops.broadcasting import UNBROADCAST_TO
from runtime.ops.casting import cast
from runtime.ops.creation import ones_like, zeros_like
from runtime.ops.define import call
from runtime.ops.dimensions import shape
from runtime.ops.lists import LIST_SUM, list_zeros
from runtime.ops.shaping import reshape


def gradients(
    outputs: Sequence[SymbolicTensor],
    inputs: Sequence[SymbolicTensor],
    seeds: Sequence[Tensor] | None = None,
) -> list[Tensor | None]:
    """Adds to a graph what computes the gradients of `outputs` by `inputs`.

    Args:
      outputs: tensors of one graph.
      inputs: tensors of the same graph.
      seeds: the gradient of each output, of its shape and dtype; None: ones.

    Returns: for each input the sum over all outputs, or None where an output does not depend on it.
    Raises: UnimplementedError that names the op on the way that has no gradient rule.
    """
    graph = outputs[0].graph
    found: dict[int, Tensor] = {}
    with recording(graph):
        for index, output in enumerate(outputs):
            _accumulate(found, output, ones_like(output) if seeds is None else seeds[index])
        for op in reversed(_between(outputs, inputs)):
            _pass_on(op, found)
        return [found.get(id(tensor)) for tensor in inputs]


def _between(
    outputs: Sequence[SymbolicTensor], inputs: Sequence[SymbolicTensor]
) -> list[Operation]:
    """The operations on the ways from the inputs to the outputs, in the order of the graph."""
    reached = {id(tensor) for tensor in inputs}
    forward = []
    for op in outputs[0].graph.operations:
        if any(id(tensor) in reached for tensor in op.inputs):
            reached.update(id(tensor) for tensor in op.outputs if carries_gradient(tensor))
            forward.append(op)
    needed = {id(tensor) for tensor in outputs}
    result = []
    for op in reversed(forward):
        if any(id(tensor) in needed for tensor in op.outputs):
            needed.update(map(id, op.inputs))
            result.append(op)
    return result[::-1]


def _pass_on(op: Operation, found: dict[int, Tensor]) -> None:
    """Gives the gradients of an operation's outputs on to its inputs."""
    received = tuple(found.get(id(tensor)) for tensor in op.outputs)
    if all(gradient is None for gradient in received):
        return
    definition = op.definition
    if definition.grad is None:
        raise _no_rule(op)
    single = definition.outputs == 1
    full = [_or_zeros(each, tensor) for each, tensor in zip(received, op.outputs, strict=True)]
    made = definition.grad(
        full[0] if single else tuple(full),
        op.outputs[0] if single else op.outputs,
        *op.inputs,
        **op.attrs,
    )
    for tensor, gradient in zip(op.inputs, made, strict=True):
        if gradient is not None and carries_gradient(tensor):
            _accumulate(found, tensor, fitted(gradient, tensor))


def _or_zeros(gradient: Tensor | None, tensor: Tensor) -> Tensor | None:
    """The gradient of an output; zeros for one that nothing depends on."""
    if gradient is not None or not carries_gradient(tensor):
        return gradient
    return list_zeros(tensor) if tensor.dtype is dtypes.variant else zeros_like(tensor)


def carries_gradient(tensor: Tensor) -> bool:
    """Whether a gradient can flow through a tensor: its elements are not counted but measured.

    A list of tensors has the list of their gradients.
    """
    dtype = tensor.dtype
    return dtype.is_floating or dtype.is_complex or dtype is dtypes.variant


def _accumulate(found: dict[int, Tensor], tensor: Tensor, gradient: Tensor) -> None:
    if carries_gradient(tensor):
        known = found.get(id(tensor))
        plus = LIST_SUM if tensor.dtype is dtypes.variant else add
        found[id(tensor)] = gradient if known is None else plus(known, gradient)


def fitted(gradient: Tensor, tensor: Tensor) -> Tensor:
    """A gradient in the dtype and shape of the tensor that was broadcast on the way."""
    if tensor.dtype is dtypes.variant:
        return gradient
    if gradient.dtype is not tensor.dtype:
        gradient = cast(gradient, tensor.dtype)
    have, want = gradient.spec.dims, tensor.spec.dims
    if have == want and have is not None and None not in have:
        return gradient
    if _is_static(have) and _is_static(want):
        axes = _broadcast_axes(have, want)
        total = call("Sum", gradient, axis=axes, keepdims=False) if axes else gradient
        return total if total.spec.dims == want else reshape(total, list(want or ()))
    return UNBROADCAST_TO(gradient, shape(tensor))


def _is_static(dims: Dims) -> bool:
    return dims is not None and None not in dims


def _broadcast_axes(have: Any, want: Any) -> tuple[int, ...]:
    added = len(have) - len(want)
    stretched = (i for i, dim in enumerate(want) if dim == 1 and have[i + added] != 1)
    return (*range(added), *(i + added for i in stretched))


def _no_rule(op: Operation) -> UnimplementedError:
    where = f"\n  {op.place}" if op.place else ""
    return UnimplementedError(
        None, op, f"there is no rule for the gradient of {op.type} (operation {op.name}).{where}"
    )
