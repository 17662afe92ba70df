"""Tensor arrays: arrays of tensors that loops fill and read."""

from __future__ import annotations

import copy
from typing import Any

from runtime.core import dtypes
from runtime.core.aliases import DTypeLike
from runtime.core.dtypes import DType
from runtime.core.errors import DTypeMismatchError, InvalidArgumentError
from runtime.core.graph import Graph
from runtime.core.places import called, user_line
from runtime.core.shapes import Dims, TensorShape, as_dims, generalize
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.static import static_number
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.core.thread import STATE
from runtime.ops.array.dimensions import shape
from runtime.ops.array.joining import concat
from runtime.ops.array.lists import (
    list_from_tensor,
    list_get,
    list_length,
    list_reserve,
    list_set,
    list_stack,
)
from runtime.ops.array.shaping import reshape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.items.gathering import gather

_NOT_WRITTEN = "nothing is written yet"


def _is_reached(graph: Graph) -> bool:
    """Return whether a program that traces the current graph has traced this one before.

    It has not traced another branch, nor a graph that was thrown away.
    """
    current = STATE.graph
    for each in graph.enclosing():
        if each is current:
            return True
        if each.is_trial:
            return False
    return current is not None and current.is_inside(graph)


class TensorArray:
    """An array of tensors of one dtype. `write` returns the array to go on with.

    In eager mode it is the same one, which changes. In a graph it is a new one, and the old one
    cannot be used any more.

    Args:
      dtype: the dtype of the elements.
      size: int32 scalar, the number of elements.
      dynamic_size: whether writing past the end extends the array.
      clear_after_read, tensor_array_name, handle, colocate_with_first_write_call, name: ignored; an
        element can be read any number of times.
      flow: the tensor list of an existing array, to continue it.
      infer_shape: whether all elements have the shape of the first.
      element_shape: the shape of the elements.

    Raises: ValueError without `size` and `flow`, and where the old array is used.

    >>> ta = TensorArray("float32", size=0, dynamic_size=True)
    >>> ta = ta.write(0, 1.0).write(1, 2.0)
    >>> print(ta.stack())
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """

    _successors: tuple[SymbolicTensor, ...] = ()  # what `write` and `unstack` returned in graphs

    def __init__(
        self,
        dtype: DTypeLike,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Tensor | None = None,
        flow: Tensor | None = None,
        infer_shape: bool = True,
        element_shape: object = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        if size is None and flow is None:
            raise ValueError("Size must be declared for TensorArrays; give 0 to let it grow.")
        self._dtype = dtypes.as_dtype(dtype)
        self.dynamic_size = bool(dynamic_size)
        self._infer = infer_shape
        self._dims: Dims | str = _NOT_WRITTEN
        if element_shape is not None or not infer_shape:
            self._dims = as_dims(element_shape)
        self._size = None if self.dynamic_size else static_number(size)
        self._flow = list_reserve(size) if flow is None else flow

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """The static shape of the elements."""
        return TensorShape(self._element.dims)

    @property
    def flow(self) -> Tensor:
        """The tensor list that holds the elements."""
        for new in self._successors:
            if _is_reached(new.graph):
                raise ValueError(
                    f"{called(self, 'A TensorArray')} is used after a change whose result was "
                    f"dropped.{user_line()}\nIt was changed here:\n  {new.op.place}\nIn a graph, "
                    "`write` and `unstack` return the changed array. Keep it, for instance by "
                    "`ta = ta.write(i, x)`."
                )
        return self._flow

    @property
    def _element(self) -> TensorSpec:
        return spec_of(self._dtype, None if isinstance(self._dims, str) else self._dims)

    @property
    def handle(self) -> None:
        """None: a tensor list (`flow`) holds the elements, not a resource."""
        return None

    def _with(self, flow: Tensor, dims: Dims | str) -> TensorArray:
        """Return the array after a change. In eager mode this is the same object, for programs that
        ignore the result.
        """
        array = self
        if isinstance(flow, SymbolicTensor):
            array = copy.copy(self)
            array._successors, self._successors = (), (*self._successors, flow)
        array._flow, array._dims = flow, dims
        return array

    def _element_of(self, value: TensorLike) -> Tensor:
        tensor = convert_to_tensor(value, dtype_hint=self._dtype)
        if tensor.dtype is not self._dtype:
            raise DTypeMismatchError.of(
                f"TensorArray dtype is {self._dtype.name} but Op is trying to write dtype "
                f"{tensor.dtype.name}",
            )
        return tensor

    def write(self, index: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """Return the array with `value` at `index`.

        Args:
          index: int32 scalar.
          value: tensor of the array's dtype.
          name: ignored.

        Raises:
          InvalidArgumentError: if the dtype differs.
          ValueError: if the shape differs from that of other elements.
          OutOfRangeError: if `index` is out of bounds.
        """
        tensor = self._element_of(value)
        dims = tensor.spec.dims if isinstance(self._dims, str) else self._dims
        if not tensor.shape.is_compatible_with(dims):
            raise ValueError(
                f"Incompatible shape for value ({tensor.shape}), expected ({TensorShape(dims)}). "
                f"Inconsistent shapes: saw {tensor.shape} but expected {TensorShape(dims)}"
            )
        return self._with(list_set(self.flow, index, tensor, self.dynamic_size), dims)

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """Return one element; zeros if it was not written and its shape is known.

        Args:
          index: int32 scalar.
          name: ignored.

        Raises:
          OutOfRangeError: if `index` is out of bounds.
          InvalidArgumentError: if the element was not written and its shape is unknown.
        """
        return list_get(self.flow, index, self._element)

    def stack(self, name: str | None = None) -> Tensor:
        """Stack all elements along a new first axis; unwritten elements are zeros.

        Returns: Tensor of shape [n, ...].

        Raises: InvalidArgumentError if the shapes of the elements differ.
        """
        return list_stack(self.flow, self._element, self._size)

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Stack the elements at `indices`, an integer vector, along a new first axis.

        Args:
          indices: int32 or int64 vector.

        Returns: Tensor of shape [len(indices), ...].
        """
        return gather(self.stack(), indices)

    def concat(self, name: str | None = None) -> Tensor:
        """Concatenate all elements, which have one shape, along their first axis.

        Returns: Tensor of the dtype of the entries.

        Raises: InvalidArgumentError if an element is a scalar, or the shapes differ.
        """
        if self._element.dims == ():
            raise InvalidArgumentError.of(
                "Concat saw a scalar shape at index 0 but requires at least vectors."
            )
        rows = self.stack()
        dims = shape(rows)
        return reshape(rows, concat([[dims[0] * dims[1]], dims[2:]], 0))

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """Return an array whose elements are the rows of `value`.

        Args:
          value: Tensor of shape [n, ...].

        Raises: ValueError if `value` is a scalar, or its number of rows differs from a fixed size.
        """
        tensor = self._element_of(value)
        dims = tensor.spec.dims
        if dims == ():
            raise ValueError("Argument `axis` = 0 not in range [0, 0): a scalar has no rows")
        if self._size is not None and dims is not None and dims[0] not in (None, self._size):
            raise ValueError(
                f"Cannot unstack {dims[0]} tensors into a TensorArray of static size {self._size}"
            )
        return self._with(list_from_tensor(tensor), None if dims is None else dims[1:])

    def size(self, name: str | None = None) -> Tensor:
        """Return the number of elements, an int32 scalar."""
        return list_length(self.flow)

    def identity(self) -> TensorArray:
        """Return the same array."""
        return self

    def close(self, name: str | None = None) -> None:
        """Do nothing: the array is freed with its last reference."""

    def __tensor_flatten__(self) -> tuple[tuple[Tensor], Any]:
        """Return the tensor list as the only part, and all other fields as the description."""
        kind = self._dtype, self.dynamic_size, self._infer, self._size
        return (self.flow,), (*kind, self._dims)

    @classmethod
    def __tensor_unflatten__(cls, description: Any, parts: Any) -> TensorArray:
        """Rebuild an array; the inverse of `__tensor_flatten__`."""
        array = object.__new__(cls)
        array._dtype, array.dynamic_size, array._infer, array._size, array._dims = description
        (array._flow,) = parts
        return array

    @staticmethod
    def __tensor_join__(a: Any, b: Any) -> Any:
        """Return the common description of arrays of two branches; None if there is none."""
        if a[:3] != b[:3]:
            return None
        kind = (*a[:3], a[3] if a[3] == b[3] else None)
        if _NOT_WRITTEN in (a[4], b[4]):
            return (*kind, b[4] if a[4] == _NOT_WRITTEN else a[4])
        return (*kind, generalize(a[4], b[4]))
