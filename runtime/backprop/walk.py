"""The backward walk from outputs to inputs, applying the gradient rule of each op."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from runtime.core import dtypes
from runtime.core.context import recording
from runtime.core.errors import UnimplementedError
from runtime.core.opdef import PASSED_ON, OpDef
from runtime.core.places import Place, user_name
from runtime.core.shapes import Dims
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE, temporarily
from runtime.ops.array.creation import ones_like, zeros_like
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.lists import LIST_SUM, list_zeros
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.unbroadcasting import UNBROADCAST_TO
from runtime.ops.items.indexed_slices import IndexedSlices
from runtime.ops.math.arithmetic import add
from runtime.ops.math.casting import cast
from runtime.ops.reduce.reduction import reduce_sum

Gradient = Tensor | IndexedSlices
"""The gradient of a tensor; sparse (IndexedSlices) if only rows of the tensor were read."""


class Step(Protocol):
    """A computation step: an operation of a graph, or an eager op recorded on a tape."""

    @property
    def definition(self) -> OpDef:
        """The op type."""

    @property
    def inputs(self) -> tuple[Tensor, ...]:
        """The input tensors."""

    @property
    def attrs(self) -> Mapping[str, Any]:
        """The static parameters."""

    @property
    def outputs(self) -> tuple[Tensor, ...]:
        """The output tensors."""

    @property
    def place(self) -> Place | None:
        """The line of the user's program that created it."""


def gradients(
    outputs: Sequence[SymbolicTensor],
    inputs: Sequence[SymbolicTensor],
    seeds: Sequence[Tensor] | None = None,
) -> list[Tensor | None]:
    """Add operations for the gradients of `outputs` by `inputs` to their graph; see `walk_back`."""
    graph = outputs[0].graph
    with recording(graph):
        given = [ones_like(output) for output in outputs] if seeds is None else seeds
        found = walk_back(graph.operations, outputs, given, inputs)
        return [None if each is None else dense(each) for each in found]


def walk_back(
    steps: Sequence[Step],
    outputs: Sequence[Tensor],
    seeds: Sequence[Gradient],
    inputs: Sequence[Tensor],
    constant: Sequence[Tensor] = (),
) -> list[Gradient | None]:
    """Compute, or record, the gradients of `outputs` by `inputs`.

    Args:
      steps: the computation, in order.
      outputs: tensors that the steps produced.
      seeds: the gradient of each output, of its shape and dtype.
      inputs: tensors that the steps read.
      constant: tensors through which no gradient flows.

    Returns: For each input the sum over all outputs, or None if no output depends on it.
    Raises: UnimplementedError if an op on a path has no gradient rule; names the op.
    """
    reached = {id(tensor) for tensor in inputs}
    stops = {id(tensor) for tensor in constant}
    on_the_way = _between(steps, outputs, reached, stops)
    found: dict[int, Gradient] = {}
    for output, seed in zip(outputs, seeds, strict=True):
        _accumulate(found, output, seed)
    for step in reversed(on_the_way):
        with _at(step.place):
            _pass_on(step, found, reached, stops)
    return [found.get(id(tensor)) for tensor in inputs]


def _between(
    steps: Sequence[Step], outputs: Sequence[Tensor], reached: set[int], stops: set[int]
) -> list[Step]:
    """Return the steps on paths from `reached` tensors to the outputs; extends `reached`."""
    forward = []
    for step in steps:
        if any(id(tensor) in reached for tensor in step.inputs):
            made = {id(tensor) for tensor in step.outputs if carries_gradient(tensor)}
            reached.update(made - stops)
            forward.append(step)
    needed = {id(tensor) for tensor in outputs}
    result = []
    for step in reversed(forward):
        if any(id(tensor) in needed and id(tensor) not in stops for tensor in step.outputs):
            needed.update(map(id, step.inputs))
            result.append(step)
    return result[::-1]


def _pass_on(step: Step, found: dict[int, Gradient], reached: set[int], stops: set[int]) -> None:
    """Propagate the gradients of the outputs of a step to its inputs."""
    keys = map(id, step.outputs)
    received = tuple(None if key in stops else found.get(key) for key in keys)
    if all(gradient is None for gradient in received):
        return
    inputs = step.inputs  # the rule of a loop may add some
    wanted = [id(tensor) in reached and carries_gradient(tensor) for tensor in inputs]
    made = _applied(step, received, wanted)
    for tensor, gradient, asked in zip(inputs, made, wanted, strict=True):
        if gradient is not None and asked:
            _accumulate(found, tensor, fitted(gradient, tensor))


def _applied(
    step: Step, received: Sequence[Gradient | None], wanted: Sequence[bool]
) -> Sequence[Gradient | None]:
    """Return the result of the gradient rule of a step."""
    definition = step.definition
    if definition.grad is PASSED_ON:
        return PASSED_ON(received[0], None, *step.inputs)
    whole = [None if each is None else dense(each) for each in received]
    if definition.backward is not None:
        return definition.backward(step, whole, wanted)
    if definition.grad is None:
        raise _no_rule(step, wanted)
    full = whole
    if not definition.partial:
        full = [or_zeros(each, tensor) for each, tensor in zip(whole, step.outputs, strict=True)]
    single = definition.outputs == 1
    return definition.grad(
        full[0] if single else tuple(full),
        step.outputs[0] if single else step.outputs,
        *step.inputs,
        **step.attrs,
    )


def _at(place: Place | None) -> AbstractContextManager[None]:
    """Attribute errors in a gradient rule to the line of the forward operation."""
    return temporarily(place=place or STATE.place)


def or_zeros(gradient: Tensor | None, tensor: Tensor) -> Tensor | None:
    """Return the gradient of an output, or zeros if there is none."""
    if gradient is not None or not carries_gradient(tensor):
        return gradient
    return list_zeros(tensor) if tensor.dtype is dtypes.variant else zeros_like(tensor)


def carries_gradient(tensor: Tensor) -> bool:
    """Return whether a gradient can flow through a tensor: real, complex, variant or resource
    dtype.

    The gradient of a tensor list is the list of gradients; that of a variable handle is the
    gradient of the value.
    """
    dtype = tensor.dtype
    return dtype.is_floating or dtype.is_complex or dtype in (dtypes.variant, dtypes.resource)


def plus(a: Gradient, b: Gradient) -> Gradient:
    """Return the sum of two gradients of one tensor."""
    if isinstance(a, IndexedSlices) and isinstance(b, IndexedSlices):
        indices = [a.indices, b.indices]
        if a.indices.dtype is not b.indices.dtype:
            indices = [cast(each, dtypes.int64) for each in indices]
        return IndexedSlices(concat([a.values, b.values], 0), concat(indices, 0), a.dense_shape)
    whole, other = dense(a), dense(b)
    return (LIST_SUM if whole.dtype is dtypes.variant else add)(whole, other)


def dense(gradient: Gradient) -> Tensor:
    """Return a gradient as a dense tensor."""
    return convert_to_tensor(gradient) if isinstance(gradient, IndexedSlices) else gradient


def _accumulate(found: dict[int, Gradient], tensor: Tensor, gradient: Gradient) -> None:
    if carries_gradient(tensor):
        known = found.get(id(tensor))
        found[id(tensor)] = gradient if known is None else plus(known, gradient)


def fitted(gradient: Gradient, tensor: Tensor) -> Gradient:
    """Convert a gradient to the dtype and shape of its tensor; undoes broadcasting."""
    if tensor.dtype in (dtypes.variant, dtypes.resource) or isinstance(gradient, IndexedSlices):
        return gradient
    if gradient.dtype is not tensor.dtype:
        gradient = cast(gradient, tensor.dtype)
    have, want = gradient.spec.dims, tensor.spec.dims
    if have == want and have is not None and None not in have:
        return gradient
    if _is_static(have) and _is_static(want):
        axes = _broadcast_axes(have, want)
        total = reduce_sum.op(gradient, axis=axes, keepdims=False) if axes else gradient
        return total if total.spec.dims == want else reshape(total, list(want or ()))
    return UNBROADCAST_TO(gradient, shape(tensor))


def _is_static(dims: Dims) -> bool:
    return dims is not None and None not in dims


def _broadcast_axes(have: Any, want: Any) -> tuple[int, ...]:
    added = len(have) - len(want)
    stretched = (i for i, dim in enumerate(want) if dim == 1 and have[i + added] != 1)
    return (*range(added), *(i + added for i in stretched))


def _no_rule(step: Step, wanted: Sequence[bool]) -> UnimplementedError:
    asked = [tensor for tensor, flag in zip(step.inputs, wanted, strict=True) if flag]
    names = (user_name(tensor) or getattr(tensor, "name", None) for tensor in asked)
    called = ", ".join(f"`{name}`" for name in names if name)
    by = f" by {called}" if called else ""
    name = getattr(step, "name", None)
    operation = f" (operation {name})" if name else ""
    where = f"\n  {step.place}" if step.place else ""
    return UnimplementedError.of(
        f"there is no rule for the gradient of {step.definition.name}{by}{operation}.{where}\n"
        "Use runtime.stop_gradient on its output, or runtime.custom_gradient to define one.",
    )
