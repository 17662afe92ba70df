"""The Python numbers that a recorded loop computes from constants and its counter.

A rolled loop stands for one that Python runs while it traces: where Python would compute with its
own numbers, the graph has to compute the same ones. `propagate` computes all of them for every
iteration in both ways.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograph.staging import CannotRoll
from runtime.core import dtypes
from runtime.core.errors import InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.opdef import Control, Emit
from runtime.core.operation import Operation
from runtime.core.shapes import element_count
from runtime.core.structural import CONST
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor
from runtime.ops.base.convert import CAST, PACK
from runtime.passes.safety import cannot_fail

Known = dict[int, Any]
"""For the `id` of a tensor that depends only on constants and the iteration: the Python number in
each iteration, or None if Python would have a tensor.
"""


def _constant(tensor: Tensor) -> Any:
    """Return the array of a constant or captured constant; None for other tensors."""
    if not isinstance(tensor, SymbolicTensor):
        return None if tensor.dtype in _BOXED else np.asarray(tensor)
    graph = tensor.graph
    arguments = len(graph.arguments)
    for own, outer in zip(graph.inputs[arguments:], graph.captures, strict=True):
        if own is tensor:
            return _constant(outer)
    return tensor.op.attrs["value"] if tensor.op.definition is CONST else None


def constants(pairs: Iterable[tuple[Tensor, Tensor]], count: int) -> Known:
    """Return what is known of inputs, given pairs of an input and the tensor that it captures."""
    arrays = ((own, _constant(tensor)) for own, tensor in pairs)
    return {id(own): _in_each(array, count) for own, array in arrays if array is not None}


def _in_each(value: Any, count: int) -> list[Any] | None:
    return None if value.ndim else [value.item()] * count


def propagate(graph: Graph, known: Known, count: int) -> None:
    """Add the outputs of the operations that depend on known tensors only.

    Args:
      graph: the graph of a loop, or one that it carries.
      known: the numbers that its inputs are; outputs are added.
      count: the number of iterations.

    Raises: CannotRoll if Python would have another number than the graph, or one that is not known.
    """
    positions = _positions(graph)
    for op in graph.operations:
        if op.definition.random:
            raise CannotRoll  # each random operation of an unrolled loop has a seed of its own
        if op.definition is CONST:
            known[id(op.outputs[0])] = _in_each(op.attrs["value"], count)
        elif op.subgraphs():
            _propagate_carried(op, known, count)
        elif op.definition.emit is Emit.POSITION and _are_numbers(op, known):
            known[id(op.outputs[0])] = _places(*(known[id(tensor)] for tensor in op.inputs))
        elif op.definition.emit is Emit.ROW and _is_within(op, known):
            known[id(op.outputs[0])] = _rows(op, known)
        elif op.definition is PACK and (id(op.outputs[0]) in positions or _is_table(op, known)):
            known[id(op.outputs[0])] = None
        elif op.definition.emit is Emit.SLICE and _takes_items(op, known):
            if id(op.inputs[0]) in known:
                known[id(op.outputs[0])] = None
        elif op.inputs and all(id(tensor) in known for tensor in op.inputs):
            values = _values(op, [known[id(tensor)] for tensor in op.inputs])
            if values is None and not cannot_fail(op):
                raise CannotRoll  # Python would know while it traces, and may catch the error
            known.update((id(tensor), None) for tensor in op.outputs)
            known[id(op.outputs[0])] = values


def _is_table(op: Operation, known: Known) -> bool:
    """Return whether it stacks the same numbers or strings of Python in each iteration."""
    columns = [known.get(id(tensor)) for tensor in op.inputs]
    return all(each is not None and each == each[:1] * len(each) for each in columns)


def _are_numbers(op: Operation, known: Known) -> bool:
    """Return whether the inputs are numbers of Python."""
    return all(known.get(id(tensor)) is not None for tensor in op.inputs)


def _places(indices: Any, lengths: Any) -> list[int]:
    """Return the places of a sequence at known indices. Raises CannotRoll if one is not in it."""
    if not all(-n <= index < n for index, n in zip(indices, lengths, strict=True)):
        raise CannotRoll  # Python would raise while it traces
    return [index % n for index, n in zip(indices, lengths, strict=True)]


def _is_within(op: Operation, known: Known) -> bool:
    """Return whether it gathers rows of a known table at known indices in range."""
    rows, numbers = op.inputs[0].spec.dims, known.get(id(op.inputs[1]))
    if op.attrs.get("axis") != 0 or not rows or rows[0] is None or numbers is None:
        return False
    if id(op.inputs[0]) not in known:
        return False
    return all(type(each) is int and 0 <= each < rows[0] for each in numbers)


def _positions(graph: Graph) -> set[int]:
    """Return the ids of tensors used only as bounds of a `StridedSlice`."""
    slices: set[int] = set()
    others = set(map(id, graph.outputs))
    for op in graph.operations:
        kept = op.definition.emit is Emit.SLICE
        others.update(map(id, op.inputs[:1] if kept else op.inputs))
        slices.update(map(id, op.inputs[1:] if kept else ()))
    return slices - others


def _takes_items(op: Operation, known: Known) -> bool:
    """Return whether known positions select single items.

    Raises: CannotRoll for slices between such positions, and if an item may be out of range.
    """
    packs = [tensor.op for tensor in op.inputs[1:]]
    if not any(id(pack.outputs[0]) in known for pack in packs):
        return False
    dims, masks = op.inputs[0].spec.dims, op.attrs
    if all(pack.definition is CONST for pack in packs) and element_count(dims) is not None:
        return True  # checked when it was recorded
    if dims is None or masks["ellipsis_mask"] or masks["new_axis_mask"]:
        raise CannotRoll
    if any(pack.definition is not PACK for pack in packs):
        raise CannotRoll
    for axis, tensors in enumerate(zip(*(pack.inputs for pack in packs), strict=True)):
        if masks["shrink_axis_mask"] & 1 << axis:
            if id(tensors[0]) in known and not _are_within(known[id(tensors[0])], dims[axis]):
                raise CannotRoll
        elif any(tensor.op.definition is not CONST for tensor in tensors):
            raise CannotRoll  # Python knows the length of the slice
    return True


def _are_within(numbers: list[Any] | None, size: int | None) -> bool:
    if numbers is None or size is None:
        return False
    return all(type(each) is int and -size <= each < size for each in numbers)


def _rows(op: Operation, known: Known) -> list[Any] | None:
    """Return the Python numbers gathered from a constant; None if the result is a tensor."""
    made, numbers = op.inputs[0].op, known[id(op.inputs[1])]
    if not op.outputs[0].weak:
        return None
    if made.definition is not CONST or made.attrs["value"].ndim != 1:
        raise CannotRoll
    values = made.attrs["value"].tolist()
    return [values[each] for each in numbers]


def _propagate_carried(op: Operation, known: Known, count: int) -> None:
    """Propagate through the graphs that an operation carries, to its outputs."""
    carried = op.attrs.get("count", 0)
    outputs = {}
    for part in op.subgraphs():
        pairs = list(zip(reversed(part.inputs), reversed(op.inputs), strict=False))
        fixed = pairs[: len(part.inputs) - carried]
        inner = {id(own): known[id(outer)] for own, outer in fixed if id(outer) in known}
        propagate(part, inner, count)
        outputs[id(part)] = [inner.get(id(tensor)) for tensor in part.outputs]
    if op.definition.control not in (Control.IF, Control.CASE) or id(op.inputs[0]) not in known:
        return
    tests = known[id(op.inputs[0])]
    for position, tensor in enumerate(op.outputs):
        if not tensor.weak:
            continue
        if tests is None or "then_branch" not in op.attrs:
            raise CannotRoll  # Python would choose one of several numbers
        one, other = (outputs[id(op.attrs[arm])][position] for arm in _ARMS)
        if one is None or other is None:
            raise CannotRoll
        known[id(tensor)] = [a if test else b for test, a, b in zip(tests, one, other, strict=True)]


def _values(op: Operation, operands: list[list[Any] | None]) -> list[Any] | None:
    """Return the Python number of the output in each iteration; None if Python has a tensor.

    Raises: CannotRoll if Python has a number that may differ.
    """
    weak = any(tensor.weak for tensor in op.outputs)
    numbers = [each for each in operands if each is not None]
    python = op.definition.python
    if len(numbers) < len(operands) or (python is None and op.definition is not CAST):
        if weak:
            raise CannotRoll
        return None
    if python is None:
        return _cast_values(op, numbers[0])
    try:
        expected = [python.apply(*each) for each in zip(*numbers, strict=True)]
        found = _computed(op, numbers)
    except (ArithmeticError, TypeError, ValueError, InvalidArgumentError):
        expected, found = [], None
    if found is not None and list(map(repr, found)) == list(map(repr, expected)):
        return expected
    if weak:
        raise CannotRoll
    return None


def _cast_values(op: Operation, numbers: list[Any]) -> list[Any] | None:
    """Return the numbers in another dtype, which must represent them exactly, as for constants."""
    target = op.outputs[0].spec.dtype
    if target.is_integer:
        if any(type(each) is not int or not target.min <= each <= target.max for each in numbers):
            raise CannotRoll
        return numbers
    return list(map(float, numbers)) if target is dtypes.float64 else None


def _computed(op: Operation, operands: list[list[Any]]) -> list[Any]:
    """Return the kernel's results in each iteration. Raises FloatingPointError for nonfinite
    ones.
    """
    arrays = [
        np.array(numbers, tensor.spec.dtype.numpy_dtype)
        for numbers, tensor in zip(operands, op.inputs, strict=True)
    ]
    kernel = op.definition.kernel
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        python = op.definition.python
        if python is not None and not python.vector:
            rows = zip(*arrays, strict=True)
            return [np.asarray(kernel(np, *row, **op.attrs)).item() for row in rows]
        found: list[Any] = np.asarray(kernel(np, *arrays, **op.attrs)).tolist()
        return found


_BOXED = (dtypes.resource, dtypes.variant)
_ARMS = ("then_branch", "else_branch")
