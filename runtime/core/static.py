"""Static values: constants and shapes known during recording."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.errors import KERNEL_FAILURES, OpError
from runtime.core.graph import CONSTANT_LIMIT
from runtime.core.opdef import Effect
from runtime.core.shapes import MAX_RANK, Dims, element_count, known
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
    if op.type == "Const":
        return op.attrs["value"]
    if op.type in ("Shape", "Size", "Rank"):
        return _of_shape(op.type, tensor, op.inputs[0].spec.dims)
    if depth == 0 or not op.inputs or op.subgraphs() or op.definition.boxed:
        return None
    if op.definition.effect is not Effect.NONE or len(op.outputs) != 1:
        return None
    if not 0 <= (element_count(tensor.spec.dims) or 0) <= CONSTANT_LIMIT:
        return None
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


def _of_shape(kind: str, tensor: Tensor, dims: Dims) -> Any:
    dtype = tensor.spec.dtype.numpy_dtype
    if dims is None:
        return None
    if kind == "Rank":
        return np.array(len(dims), dtype)
    if None in dims:
        return None
    if kind == "Size":
        return np.array(element_count(dims), dtype)
    return np.array(known(dims), dtype)


def static_entries(tensor: Tensor) -> list[int | None] | None:
    """Return the entries of an integer vector, None for each unknown entry.

    Returns:
      The entries; None if their number is unknown.
    """
    value = static_value(tensor)
    if value is not None:
        _check_rank(np.size(value))
        return [int(entry) for entry in np.atleast_1d(value)]
    if isinstance(tensor, SymbolicTensor):
        op = tensor.op
        if op.type == "Shape":
            dims = op.inputs[0].spec.dims
            return None if dims is None else list(dims)
        if op.type == "Pack" and len(tensor.spec.dims or ()) == 1:
            return [_entry(operand) for operand in op.inputs]
    length = tensor.spec.dims
    if length is None or len(length) != 1 or length[0] is None:
        return None
    _check_rank(length[0])
    return [None] * length[0]


def _check_rank(rank: int) -> None:
    if rank > MAX_RANK:
        raise ValueError(f"a tensor has at most {MAX_RANK} dimensions, and these are {rank}")


def _entry(tensor: Tensor) -> int | None:
    value = static_value(tensor)
    return None if value is None else int(value)


def static_dims(tensor: Tensor) -> Dims:
    """Return the shape that a vector of dimensions describes; -1 means unknown."""
    entries = static_entries(tensor)
    if entries is None:
        return None
    return tuple(None if entry is None or entry < 0 else entry for entry in entries)
