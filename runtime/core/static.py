"""What is known of a tensor's value while a graph is being recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.core.graph import CONSTANT_LIMIT, SymbolicTensor
from runtime.core.opdef import Effect
from runtime.core.shapes import Dims, element_count, known
from runtime.core.tensor import EagerTensor, Tensor

_DEPTH = 16


def static_value(tensor: Tensor, depth: int = _DEPTH) -> Any:
    """The value of a tensor if it follows from constants and known shapes, else None.

    Only small tensors are computed.
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
    except Exception:
        return None


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


def static_dims(tensor: Tensor) -> Dims:
    """The shape that a vector of dimensions stands for; None for each entry not known yet."""
    value = static_value(tensor)
    if value is not None:
        return tuple(None if dim < 0 else int(dim) for dim in np.atleast_1d(value))
    if isinstance(tensor, SymbolicTensor):
        op = tensor.op
        if op.type == "Shape":
            return op.inputs[0].spec.dims
        if op.type == "Pack" and len(tensor.spec.dims or ()) == 1:
            return tuple(_static_dim(entry) for entry in op.inputs)
    length = tensor.spec.dims
    if length is None or length[0] is None:
        return None
    return (None,) * length[0]


def _static_dim(entry: Tensor) -> int | None:
    value = static_value(entry)
    return None if value is None or int(value) < 0 else int(value)
