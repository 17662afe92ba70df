"""The single entry point of every op call."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.errors import KERNEL_FAILURES, OpError
from runtime.core.inference import failure, infer, of_op
from runtime.core.machine.accelerators import Accelerator
from runtime.core.machine.devices import PlacedTensor, accelerator_for, array_on
from runtime.core.opdef import Effect, OpDef
from runtime.core.places import Place
from runtime.core.spec import Weak
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE


class Ran(NamedTuple):
    """An op that ran eagerly, as tapes record it: the counterpart of an `Operation`.

    Attributes:
      definition, inputs, attrs, outputs, place: as in `Operation`; `place` is None.
    """

    definition: OpDef
    inputs: tuple[Tensor, ...]
    attrs: Mapping[str, Any]
    outputs: tuple[Tensor, ...]
    place: Place | None = None


def execute(
    op: OpDef,
    inputs: Sequence[Tensor],
    attrs: Mapping[str, Any],
    name: str | None = None,
    weak: Weak = False,
) -> tuple[Tensor, ...]:
    """Execute an op eagerly or record it; every op call passes here.

    1. If this thread records a graph, the op becomes an operation of the innermost graph, and the
       outputs are symbolic. The graph captures inputs from outside.
    2. Otherwise the kernel runs now, and the outputs have values.
    3. Tapes record the call, for gradients.

    Args:
      op: the op type.
      inputs: tensors, already converted to dtypes that the op accepts.
      attrs: the attributes.
      name: the name of the operation in a graph.
      weak: whether the outputs represent Python numbers; None: on some ways to here.

    Raises:
      InvalidArgumentError: if shapes or values do not fit.
    """
    graph = STATE.graph
    if graph is not None:
        return graph.record(op, inputs, attrs, name, weak)  # type: ignore[no-any-return]
    return run(op, inputs, attrs) if not STATE.tapes else run_noted(op, inputs, attrs)


def run_noted(op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> tuple[Tensor, ...]:
    """Run the kernel and record the call on the tapes."""
    outputs = run(op, inputs, attrs)
    for tape in STATE.tapes:
        tape.note(None, Ran(op, tuple(inputs), attrs, outputs))
    return outputs


def run(op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> tuple[Tensor, ...]:
    """Run the kernel."""
    arrays = []
    for tensor in inputs:
        if type(tensor) is not EagerTensor:
            return _run_placed(op, inputs, attrs)
        arrays.append(tensor._a)
    if STATE.device is not None:
        return _run_placed(op, inputs, attrs)
    result = _computed(op, inputs, attrs, np, arrays)
    if op.outputs == 1 and not op.boxed:
        return (wrap(result),)
    return _tensors(op, inputs, attrs, result)


def _computed(
    op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any], xp: object, arrays: Sequence[Any]
) -> Any:
    try:
        with np.errstate(all="ignore"):
            return op.kernel(xp, *arrays, **attrs)
    except OpError as error:
        raise of_op(error, op) from error.__cause__
    except KERNEL_FAILURES as error:
        raise failure(op, inputs, error) from None


def _tensors(
    op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any], result: Any
) -> tuple[Tensor, ...]:
    results = (result,) if op.outputs == 1 else tuple(result)
    if op.boxed:
        specs = infer(op, inputs, attrs)
        return tuple(EagerTensor(value, spec) for value, spec in zip(results, specs, strict=True))
    return tuple(map(wrap, results))


def _run_placed(
    op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    """Run the kernel on the selected device, or on the device of the inputs.

    A tensor whose class has a method `__tf_defer__` has no value. The method receives the name of
    the op type, the kernel as a function of tensors, the inputs and the output specs. It returns
    the outputs.
    """
    tensors: list[EagerTensor] = []
    for tensor in inputs:
        if isinstance(tensor, SymbolicTensor):
            raise tensor.left_over()
        if hasattr(tensor, "__tf_defer__"):
            again = functools.partial(_execute_again, op, dict(attrs))
            outputs = tensor.__tf_defer__(op.name, again, inputs, infer(op, inputs, attrs))
            return tuple(outputs)
        assert isinstance(tensor, EagerTensor)
        tensors.append(tensor)
    accelerator = accelerator_for(tensors)
    if accelerator is not None and _runs_anywhere(op, tensors):
        try:
            return _run_on(accelerator, op, tensors, attrs)
        except OpError:
            raise
        except (ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError):
            pass  # The CPU runs every kernel, and its error describes a fault of the program.
    arrays = [tensor._a for tensor in tensors]
    return _tensors(op, inputs, attrs, _computed(op, inputs, attrs, np, arrays))


def _execute_again(op: OpDef, attrs: Mapping[str, Any], *inputs: Tensor) -> tuple[Tensor, ...]:
    """Execute a deferred op on tensors with values."""
    return execute(op, inputs, attrs)


def _run_on(
    accelerator: Accelerator, op: OpDef, inputs: Sequence[EagerTensor], attrs: Mapping[str, Any]
) -> tuple[Tensor, ...]:
    arrays = [array_on(accelerator, tensor) for tensor in inputs]
    with accelerator.scope():
        result = op.kernel(accelerator.xp, *arrays, **attrs)
        results = (result,) if op.outputs == 1 else tuple(result)
        return tuple(PlacedTensor(accelerator.xp.asarray(r), accelerator) for r in results)


def _runs_anywhere(op: OpDef, inputs: Sequence[EagerTensor]) -> bool:
    """Return whether an op only computes with numbers; the CPU runs all others."""
    texts = any(tensor.dtype.kind == "O" for tensor in inputs)
    return op.effect is Effect.NONE and not op.boxed and not texts


def wrap(value: object) -> EagerTensor:
    """Wrap the result of a kernel as a tensor."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind not in "US":
        return EagerTensor(value)
    return EagerTensor(np.asarray(value, dtype=object if isinstance(value, bytes) else None))
