"""The single entry point of every op call: the specs of results, errors, and where kernels run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from runtime.core.aliases import Array
from runtime.core.dtypes import from_numpy
from runtime.core.errors import (
    KERNEL_FAILURES,
    DTypeMismatchError,
    IncompatibleShapesError,
    IndexOutOfBoundsError,
    OpError,
    Raised,
    ResourceExhaustedError,
)
from runtime.core.machine.accelerators import Accelerator
from runtime.core.opdef import Effect, OpDef
from runtime.core.places import Place
from runtime.core.shapes import Dims, bracketed, broadcast
from runtime.core.spec import TensorSpec, Weak, spec_of, spec_of_array
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

    Raises: InvalidArgumentError if shapes or values do not fit.
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
    except Raised as found:
        raise found.error from None
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
        if hasattr(tensor, "__tf_defer__"):
            specs = infer(op, inputs, attrs)

            def again(*inputs: Tensor) -> tuple[Tensor, ...]:
                return execute(op, inputs, attrs)

            outputs = tensor.__tf_defer__(op.name, again, inputs, specs)
            return tuple(outputs)
        if not isinstance(tensor, EagerTensor):
            raise tensor.left_over()
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


ARRAYS = (np.ndarray, np.number, np.bool_)
"""Types of results that tensors hold unchanged; other results of kernels are Python values."""


def as_array(value: object) -> Any:
    """Return a result of a kernel that is none of `ARRAYS` as an array; bytes are one element."""
    return np.asarray(value, dtype=object if isinstance(value, bytes) else None)


def wrap(value: object) -> EagerTensor:
    """Wrap the result of a kernel as a tensor."""
    return EagerTensor(value if isinstance(value, ARRAYS) else as_array(value))


class PlacedTensor(EagerTensor):
    """A tensor on an accelerator or a logical CPU; copied to the host on first use there."""

    __slots__ = ("_array", "_host", "_on")

    def __init__(self, array: Array, on: Accelerator) -> None:
        self._array = array
        self._on = on
        self._host: Any = None
        self._known: TensorSpec = spec_of(
            from_numpy(np.dtype(array.dtype)), tuple(map(int, array.shape))
        )

    @property
    def _a(self) -> Any:
        if self._host is None:
            self._host = np.asarray(self._on.fetch(self._array))
        return self._host

    @property
    def device(self) -> str:
        """The full name of the device that holds the value."""
        return self._on.name

    def array_on(self, accelerator: Accelerator) -> Any:
        """Return the value as an array of another accelerator."""
        return self._array if accelerator is self._on else accelerator.put(self._a)

    def cpu(self) -> EagerTensor:
        """Return the tensor on the CPU."""
        return EagerTensor(self._a, self._known)


# Python's own messages show the class name to users; it must not depend on the device.
PlacedTensor.__name__ = PlacedTensor.__qualname__ = "EagerTensor"


def accelerator_for(inputs: Sequence[Tensor]) -> Accelerator | None:
    """Return the device of an op: the selected one, else a GPU that holds an input, else None."""
    asked = STATE.device
    if asked is not None:
        return asked if isinstance(asked, Accelerator) else None
    for tensor in inputs:
        if isinstance(tensor, PlacedTensor) and tensor._on.kind == "GPU":
            return tensor._on
    return None


def placed(array: Array) -> EagerTensor:
    """Wrap a NumPy array as a tensor on the selected device."""
    asked = STATE.device
    if isinstance(asked, Accelerator) and array.dtype.kind != "O":
        return PlacedTensor(asked.put(array), asked)
    return EagerTensor(array)


def array_on(accelerator: Accelerator, tensor: EagerTensor) -> Any:
    """Return the value of a tensor as an array of the accelerator."""
    if isinstance(tensor, PlacedTensor):
        return tensor.array_on(accelerator)
    return accelerator.put(tensor._a)


def infer(op: OpDef, inputs: Sequence[Tensor], attrs: Mapping[str, Any]) -> tuple[TensorSpec, ...]:
    """Return the output specs. Raises InvalidArgumentError if the inputs do not fit."""
    try:
        specs = op.infer(*inputs, **attrs)
    except OpError as error:
        raise of_op(error, op) from error.__cause__
    except (ValueError, IndexError, ZeroDivisionError, MemoryError) as error:
        raise failure(op, inputs, error) from None
    return specs if isinstance(specs, tuple) else (specs,)


def failure(
    op: OpDef,
    inputs: Sequence[Tensor],
    error: Exception,
    arrays: Sequence[Any] = (),
    operation: object = None,
) -> OpError:
    """Build the error of a failed op: the op, its operands and the reason.

    Shapes are those of `arrays`, the values of the inputs, if there are any.
    """
    kinds = (
        (MemoryError, ResourceExhaustedError),
        (TypeError, DTypeMismatchError),
        (IndexError, IndexOutOfBoundsError),
    )
    found = (own for base, own in kinds if isinstance(error, base))
    kind = next(found, IncompatibleShapesError)
    return kind(None, operation, _description(op, inputs, error, arrays))


def _description(
    op: OpDef, inputs: Sequence[Tensor], error: Exception, arrays: Sequence[Any]
) -> str:
    values = arrays if all(hasattr(array, "dtype") for array in arrays) else ()
    specs = [spec_of_array(array) for array in values] or [tensor.spec for tensor in inputs]
    shown = ", ".join(f"{spec}" for spec in specs)
    if len(inputs) > 1 and isinstance(error, ValueError):
        words = _shape_conflict(op, [spec.dims for spec in specs], error)
        if words:
            return f"{words}\n{op.name}({shown})"
    reason = str(error) or "Out of memory"  # Python's MemoryError has no text
    return f"{reason} [Op:{op.name}]\n{op.name}({shown})"


def _shape_conflict(op: OpDef, shapes: Sequence[Dims], raised: Exception) -> str | None:
    """Describe shapes that do not broadcast; None if that is not the cause."""
    numpy_says_so = str(raised).startswith("operands could not be broadcast together with shapes")
    joint: Dims = ()
    for dims in shapes:
        try:
            joint = broadcast(joint, dims)
        except ValueError as error:
            if not (op.elementwise or numpy_says_so or str(error) == str(raised)):
                return None
            together = " vs. ".join(bracketed(shape) for shape in shapes)
            words = f"Incompatible shapes: {together} [Op:{op.name}]"
            return words if STATE.graph is None else f"{error} for '{op.name}'. {words}"
    return None


def of_op(error: OpError, op: OpDef) -> OpError:
    """Add the op type to an error."""
    if "[Op:" in error.message:
        return error
    return error.with_message(f"{error.message} [Op:{op.name}]")
