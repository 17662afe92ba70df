"""Static values: constants and shapes known during recording."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.core.errors import KERNEL_FAILURES, OpError
from runtime.core.opdef import Effect, Reads
from runtime.core.operation import Operation
from runtime.core.shapes import MAX_RANK, Dims, element_count
from runtime.core.structural import CONST, CONSTANT_LIMIT
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import EagerTensor, Tensor

_DEPTH = 16


def static_value(tensor: Tensor, depth: int = _DEPTH) -> Any:
    """Return the value of a tensor if it follows from constants and known shapes, else None.

    Only tensors with at most `CONSTANT_LIMIT` elements are evaluated.
    """
    if isinstance(tensor, EagerTensor):
        return None if tensor.spec.dtype.name in ("resource", "variant") else tensor.array
    assert isinstance(tensor, SymbolicTensor)
    op = tensor.op
    if op.definition is CONST:
        return op.attrs["value"]
    if depth == 0 or not op.inputs or op.subgraphs() or op.definition.boxed:
        return None
    if op.definition.effect is not Effect.NONE or len(op.outputs) != 1:
        return None
    if not 0 <= (element_count(tensor.spec.dims) or 0) <= CONSTANT_LIMIT:
        return None
    if op.definition.reads is not Reads.VALUES:
        return _of_shape(op)
    arrays = []
    for operand in op.inputs:
        array = static_value(operand, depth - 1)
        if array is None or np.size(array) > CONSTANT_LIMIT:
            return None
        arrays.append(array)
    try:
        with np.errstate(all="ignore"):
            return op.definition.kernel(np, *arrays, **op.attrs)
    except (OpError, *KERNEL_FAILURES):
        return None  # the op raises the error if, and only if, it runs


def _of_shape(op: Operation) -> Any:
    """Run a kernel that reads shapes alone on zeros of the static shapes."""
    arrays = []
    for operand in op.inputs:
        dims = operand.spec.dims
        if dims is None or (None in dims and op.definition.reads is not Reads.RANK):
            return None
        zero = np.zeros((), operand.spec.dtype.numpy_dtype)
        arrays.append(np.broadcast_to(zero, [dim or 0 for dim in dims]))
    return op.definition.kernel(np, *arrays, **op.attrs)


def static_entries(tensor: Tensor) -> list[int | None] | None:
    """Return the entries of an integer vector, None for each unknown entry.

    Returns: The entries; None if their number is unknown.
    """
    value = static_value(tensor)
    size = element_count(tensor.spec.dims) if value is None else np.size(value)
    if size is not None and size > MAX_RANK:
        raise ValueError(f"a tensor has at most {MAX_RANK} dimensions, and these are {size}")
    if value is not None:
        return [int(entry) for entry in np.atleast_1d(value)]
    entries = _entries(tensor, _DEPTH)
    return None if entries is None else [static_number(entry) for entry in entries]


def _entries(tensor: Tensor, depth: int) -> Sequence[Any] | None:
    """Return for each entry of a vector an int, a tensor or None; None for an unknown number, and
    for more than a shape has.
    """
    dims = tensor.spec.dims
    if dims is None or len(dims) != 1:
        return None
    entries = _parts(tensor, depth)
    if entries is not None or dims[0] is None or dims[0] > MAX_RANK:
        return entries
    return [None] * dims[0]


def _parts(tensor: Tensor, depth: int) -> Sequence[Any] | None:
    """Return what an operation of a shape says of the elements of its output."""
    if not isinstance(tensor, SymbolicTensor) or depth == 0:
        return None
    op = tensor.op
    known = op.definition.entries
    if known is None:
        return None

    def read(vector: Tensor) -> Sequence[Any] | None:
        value = static_value(vector)
        return _entries(vector, depth - 1) if value is None else list(np.atleast_1d(value))

    return known(read, *op.inputs, **op.attrs)


def packed(vector: SymbolicTensor) -> tuple[SymbolicTensor, ...] | None:
    """Return the scalars that a vector consists of; None unless it is packed from tensors."""
    entries = _parts(vector, _DEPTH)
    scalars = [e for e in entries or () if isinstance(e, SymbolicTensor) and e.spec.dims == ()]
    return tuple(scalars) if scalars and len(scalars) == len(entries or ()) else None


def vector_entries(vector: SymbolicTensor) -> list[int | SymbolicTensor] | None:
    """Return the entries of an integer vector: ints where they are known, else scalars.

    Returns: The entries; None if one is neither.
    """
    entries = _entries(vector, _DEPTH) if (value := static_value(vector)) is None else value
    found: list[int | SymbolicTensor] = []
    for entry in () if entries is None else entries:
        number = static_number(entry)
        if number is not None:
            found.append(number)
        elif isinstance(entry, SymbolicTensor) and entry.spec.dims == ():
            found.append(entry)
        else:
            return None
    return None if entries is None else found


def static_number(number: Any) -> int | None:
    """Return the value of an integer, or of a tensor of one; None if it is not known."""
    value = static_value(number) if isinstance(number, Tensor) else number
    if value is None and isinstance(number, Tensor) and number.spec.dims == ():
        (value,) = _parts(number, _DEPTH) or (None,)
        value = static_number(value)
    return None if value is None else int(value)


def static_dims(tensor: Tensor) -> Dims:
    """Return the shape that a vector of dimensions describes; -1 means unknown."""
    entries = static_entries(tensor)
    if entries is None:
        return None
    return tuple(None if entry is None or entry < 0 else entry for entry in entries)
