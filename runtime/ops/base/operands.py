"""How the arguments of an op become its operands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from runtime.core.dtypes import DType
from runtime.core.opdef import DTypes
from runtime.core.tensor import EagerTensor, Tensor
from runtime.core.thread import STATE
from runtime.ops.base.convert import (
    cast_to,
    constant_of,
    convert_to_tensor,
    one_dtype,
    settled,
    settled_dtype,
)
from runtime.ops.base.values import PLAIN_NUMBERS, number_array


def bind(
    op_name: str, inputs: Mapping[str, DTypes], args: Sequence[Any]
) -> tuple[list[Tensor], bool]:
    """The operands of an op as tensors of the dtypes that it needs.

    Returns: the tensors, and whether all of them represent Python numbers.
    Raises: DTypeMismatchError if operands that need one dtype have different ones;
      InvalidArgumentError if an operand has a dtype that the op does not take.
    """
    slots = _slots(op_name, inputs, len(args))
    if _are_ready(slots, args):
        return list(args), False
    if len(args) == 2 and STATE.graph is None:
        operands = _with_number(slots, args)
        if operands is not None:
            return operands, False
    tensors: list[Any] = [None] * len(args)
    weak: set[int] = set()
    for group in dict.fromkeys(group for _, group in slots):
        positions = [i for i, (_, own) in enumerate(slots) if own is group]
        entries = [(slots[i][0], args[i]) for i in positions]
        if group.mixed:
            found = [convert_to_tensor(value, name=name) for name, value in entries]
            found = found if group.exact else list(map(settled, found))
        else:
            found, all_weak = one_dtype(op_name, entries, None, group)
            weak.update(positions if all_weak else ())
        for position, tensor in zip(positions, found, strict=True):
            tensors[position] = tensor
    if len(weak) == len(args):
        return tensors, bool(args)
    for position in weak:
        tensors[position] = cast_to(tensors[position], settled_dtype(tensors[position].dtype))
    return tensors, False


def _are_ready(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> bool:
    """Whether the operands are tensors with values and of the right dtypes: the common case."""
    found: dict[DTypes, DType] = {}
    for (_, group), arg in zip(slots, args, strict=True):
        if type(arg) is not EagerTensor:
            return False
        if not group.mixed:
            dtype = arg._spec.dtype
            if found.setdefault(group, dtype) is not dtype or dtype not in group.members:
                return False
    return True


def _with_number(slots: Sequence[tuple[str, DTypes]], args: Sequence[Any]) -> list[Tensor] | None:
    """The operands of a tensor with a value and a Python number: the next common case."""
    x, y = args
    tensor, number = (x, y) if type(x) is EagerTensor else (y, x)
    group = slots[0][1]
    if (
        type(tensor) is not EagerTensor
        or type(number) not in PLAIN_NUMBERS
        or group is not slots[1][1]
    ):
        return None
    dtype = tensor._spec.dtype
    scalar = number_array(number, dtype)
    if scalar is None or dtype not in group.members or group.mixed:
        return None
    other = constant_of(scalar)
    return [tensor, other] if tensor is x else [other, tensor]


_slots_of: dict[tuple[str, int], tuple[tuple[str, DTypes], ...]] = {}


def _slots(
    op_name: str, inputs: Mapping[str, DTypes], count: int
) -> tuple[tuple[str, DTypes], ...]:
    key = (op_name, count)
    known_slots = _slots_of.get(key)
    if known_slots is not None:
        return known_slots
    slots: list[tuple[str, DTypes]] = []
    for name, group in inputs.items():
        if name.startswith("*"):
            slots += [(name[1:], group)] * (count - len(inputs) + 1)
        else:
            slots.append((name, group))
    _slots_of[key] = tuple(slots)
    return _slots_of[key]
