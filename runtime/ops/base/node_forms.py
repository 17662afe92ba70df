"""Parts of the forms that op types have in TensorFlow's graphs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from runtime.core.dtypes import DType
from runtime.core.node_form import Moved, Ref
from runtime.core.operation import Operation
from runtime.core.shapes import Dims
from runtime.core.spec import TensorSpec
from runtime.core.symbolic import SymbolicTensor
from runtime.ops.base.aliases import Array


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


class Node(Protocol):
    """A node that becomes operations; see `runtime.export.node`."""

    @property
    def type(self) -> str:
        """TensorFlow's op type."""

    @property
    def name(self) -> str:
        """The name of its operation, with a trailing slash."""

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The input tensors."""

    @property
    def attrs(self) -> Mapping[str, Any]:
        """Its attributes, including defaults."""

    def constant(self, position: int) -> Array:
        """Return the value of a constant input."""

    def known(self, position: int) -> Array | None:
        """Return the value of an input; None if it is unknown."""

    def add(
        self,
        op_type: str,
        inputs: Sequence[SymbolicTensor],
        attrs: Mapping[str, Any],
        label: str = "",
    ) -> tuple[SymbolicTensor, ...]:
        """Add an operation with the name of the node, or the name plus a suffix."""

    def plainly(self, **more: object) -> tuple[SymbolicTensor, ...]:
        """Add the operation that the other fields of the form describe, with more attributes."""

    def refuse(self, reason: str) -> Exception:
        """Return the error for a node that cannot be imported."""


def text(value: str | bytes) -> str:
    """Return an attribute of a node as text."""
    return value.decode() if isinstance(value, bytes) else value


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


def _axes(array: Array, rank: int | None) -> tuple[int, ...] | None:
    axes = ints(array)
    everything = rank is not None and sorted(axis % max(rank, 1) for axis in axes) == list(
        range(rank)
    )
    return None if everything else axes


def ints(array: Array, rank: int | None = None) -> tuple[int, ...]:
    """Return the elements of an array."""
    return tuple(int(entry) for entry in np.ravel(array))


def moved_axes(name: str) -> Moved:
    """Return the axes of a reduction as the second input."""
    return Moved("axis", 1, name, _axes_array, _axes)


def moved_index(position: int, name: str, attr: str = "axis") -> Moved:
    """Return an int32 scalar as an input."""
    return Moved(
        attr, position, name, lambda value, op: np.array(value, np.int32), lambda a, rank: int(a)
    )


def moved_ints(attr: str, name: str) -> Moved:
    """Return an int32 vector as the second input."""
    return Moved(attr, 1, name, lambda value, op: np.array(value, np.int32), ints)
