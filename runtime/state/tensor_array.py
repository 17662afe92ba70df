"""Arrays of tensors that loops fill and read."""

from __future__ import annotations

from typing import Any

from runtime.core import dtypes
from runtime.core.dtypes import DType
from runtime.core.shapes import Dims, TensorShape, generalise
from runtime.core.spec import TensorSpec, spec_of
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.indexing import gather
from runtime.ops.lists import (
    list_from_tensor,
    list_get,
    list_length,
    list_reserve,
    list_set,
    list_stack,
)
from runtime.ops.shaping import reshape, shape

_NOT_WRITTEN = "nothing is written yet"


class TensorArray:
    """An array of tensors of one dtype; writing gives a new array, which has to be kept.

    Args:
      dtype: the dtype of the elements.
      size: the number of elements; 0 unless it is given.
      dynamic_size: whether writing behind the end makes it longer.
      clear_after_read, tensor_array_name, name: have no effect.
      infer_shape: whether all elements have the shape of the first.
      element_shape: the shape of the elements.

    >>> ta = TensorArray("float32", size=0, dynamic_size=True)
    >>> ta = ta.write(0, 1.0).write(1, 2.0)
    >>> print(ta.stack())
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """

    def __init__(
        self,
        dtype: Any,
        size: TensorLike | None = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        name: str | None = None,
    ) -> None:
        """Creates an array in which nothing is written."""
        self._dtype = dtypes.as_dtype(dtype)
        self.dynamic_size = bool(dynamic_size)
        self._infer = infer_shape
        self._dims: Dims | str = _NOT_WRITTEN
        if element_shape is not None or not infer_shape:
            self._dims = TensorShape(element_shape).dims
        self._flow = list_reserve(0 if size is None else size)

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of the elements."""
        return TensorShape(self._element.dims)

    @property
    def flow(self) -> Tensor:
        """The list behind the array."""
        return self._flow

    @property
    def _element(self) -> TensorSpec:
        return spec_of(self._dtype, None if isinstance(self._dims, str) else self._dims)

    def _with(self, flow: Tensor, dims: Dims | str) -> TensorArray:
        array = object.__new__(TensorArray)
        array._dtype, array.dynamic_size, array._infer = self._dtype, self.dynamic_size, self._infer
        array._flow, array._dims = flow, dims
        return array

    def write(self, index: TensorLike, value: TensorLike, name: str | None = None) -> TensorArray:
        """The array with `value` at `index`.

        Raises: TypeError for another dtype; ValueError for another shape; InvalidArgumentError for
          an index out of bounds.
        """
        tensor = convert_to_tensor(value, self._dtype)
        dims = tensor.spec.dims if isinstance(self._dims, str) else self._dims
        if not tensor.shape.is_compatible_with(dims):
            raise ValueError(
                f"an element of shape {tensor.shape} does not fit into a TensorArray with elements "
                f"of shape {TensorShape(dims)}"
            )
        return self._with(list_set(self._flow, index, tensor, self.dynamic_size), dims)

    def read(self, index: TensorLike, name: str | None = None) -> Tensor:
        """One element. Raises InvalidArgumentError if there is none."""
        return list_get(self._flow, index, self._element)

    def stack(self, name: str | None = None) -> Tensor:
        """All elements as the rows of one tensor; those not written are zeros.

        Raises: InvalidArgumentError if the shapes of the elements differ.
        """
        return list_stack(self._flow, self._element)

    def gather(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some elements as the rows of one tensor."""
        return gather(self.stack(), indices)

    def concat(self, name: str | None = None) -> Tensor:
        """All elements one after the other along their first dimension."""
        rows = self.stack()
        dims = self.element_shape.dims
        return reshape(rows, [-1, *(dims[1:] if dims else shape(rows)[2:])])

    def unstack(self, value: TensorLike, name: str | None = None) -> TensorArray:
        """The array that holds the rows of a tensor."""
        tensor = convert_to_tensor(value, self._dtype)
        dims = tensor.spec.dims
        return self._with(list_from_tensor(tensor), None if dims is None else dims[1:])

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        return list_length(self._flow)

    def identity(self) -> TensorArray:
        """The same array."""
        return self

    def __tensor_flatten__(self) -> tuple[tuple[Tensor], Any]:
        """The list, and everything else."""
        return (self._flow,), (self._dtype, self.dynamic_size, self._infer, self._dims)

    @classmethod
    def __tensor_unflatten__(cls, description: Any, parts: Any) -> TensorArray:
        """The inverse of `__tensor_flatten__`."""
        array = object.__new__(cls)
        array._dtype, array.dynamic_size, array._infer, array._dims = description
        (array._flow,) = parts
        return array

    @staticmethod
    def __tensor_join__(a: Any, b: Any) -> Any:
        """What describes arrays of both descriptions; None if there is no such thing."""
        if a[:3] != b[:3]:
            return None
        if _NOT_WRITTEN in (a[3], b[3]):
            return (*a[:3], b[3] if a[3] == _NOT_WRITTEN else a[3])
        return (*a[:3], generalise(a[3], b[3]))
