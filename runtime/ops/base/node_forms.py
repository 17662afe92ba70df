"""Parts of the forms that op types have in TensorFlow's graphs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from runtime.core.aliases import Array
from runtime.core.dtypes import DType
from runtime.core.node_form import Moved, Ref
from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor


class Place(Protocol):
    """An operation that becomes nodes; see `runtime.export.nodes`."""

    op: Operation
    inputs: list[Ref]

    def part(self, op_type: str, inputs: Sequence[Ref], label: str, **attrs: object) -> list[Ref]:
        """Add an auxiliary node."""

    def main(self, op_type: str, inputs: Sequence[Ref], **attrs: object) -> list[Ref]:
        """Add the node that has the name of the operation."""

    def constant(self, array: object, label: str) -> Ref:
        """Add a constant."""

    def element(self, tensor: SymbolicTensor) -> TensorSpec:
        """Return dtype and shape of the elements of a list."""


def converted(place: Place, x: Ref, dtype: DType) -> Ref:
    """Return a tensor in another dtype."""
    return x if x.dtype is dtype else place.part("Cast", [x], "Cast", DstT=dtype)[0]


def dims_array(dims: Dims) -> Array:
    """Return a shape as an input: -1 for each unknown dimension, scalar -1 for unknown rank."""
    if dims is None:
        return np.array(-1, np.int32)
    return np.array([-1 if dim is None else dim for dim in dims], np.int32)


def dtype_zero(dtype: DType) -> Array:
    """Return zero as a scalar of a dtype; an empty string for strings."""
    return np.array(b"" if dtype.kind == "O" else 0, dtype.numpy_dtype)


def _axes_array(value: Sequence[int] | None, op: Operation) -> Array:
    if value is not None:
        return np.array(value, np.int32)
    rank = op.inputs[0].shape.rank
    if rank is None:
        raise ValueError("the rank of its input is not known, so `all axes` cannot be said")
    return np.arange(rank, dtype=np.int32)


def _int_array(value: object, op: Operation) -> Array:
    return np.array(value, np.int32)


def moved_axes(name: str) -> Moved:
    """Return the axes of a reduction as the second input."""
    return Moved("axis", 1, name, _axes_array)


def moved_index(position: int, name: str, attr: str = "axis") -> Moved:
    """Return an int32 scalar as an input."""
    return Moved(attr, position, name, _int_array)


def moved_ints(attr: str, name: str) -> Moved:
    """Return an int32 vector as the second input."""
    return Moved(attr, 1, name, _int_array)
