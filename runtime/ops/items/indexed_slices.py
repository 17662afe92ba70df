"""Rows of a tensor, and where they stand."""

from __future__ import annotations

from typing import Any

from runtime.core.dtypes import DType
from runtime.core.shapes import TensorShape
from runtime.core.static import static_value
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import call


class IndexedSlices:
    """Some rows of a tensor that is zero elsewhere.

    Args:
      values: the rows.
      indices: the position of each of them, a vector of int32 or int64.
      dense_shape: the shape of the whole tensor, a vector; None: it is not known.

    A variable takes it in `scatter_add`, `scatter_update` and the like. `convert_to_tensor` makes
    the whole tensor of it, in which rows for one position are added.

    >>> import runtime as tf
    >>> rows = tf.IndexedSlices(tf.constant([[5, 6]]), tf.constant([1]), tf.constant([3, 2]))
    >>> tf.convert_to_tensor(rows).numpy()
    array([[0, 0],
           [5, 6],
           [0, 0]], dtype=int32)
    """

    def __init__(
        self, values: TensorLike, indices: TensorLike, dense_shape: TensorLike | None = None
    ) -> None:
        """Takes the parts as they are."""
        self._values = values
        self._indices = indices
        self._dense_shape = dense_shape

    @property
    def values(self) -> Any:
        """The rows."""
        return self._values

    @property
    def indices(self) -> Any:
        """The positions."""
        return self._indices

    @property
    def dense_shape(self) -> Any:
        """The shape of the whole tensor, or None."""
        return self._dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the rows."""
        return self._values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole tensor, as far as it is known."""
        if self._dense_shape is None:
            return TensorShape(None)
        lengths = convert_to_tensor(self._dense_shape)
        known = static_value(lengths)
        return TensorShape([None] * (lengths.shape[0] or 0) if known is None else known)

    @property
    def name(self) -> str:
        """The name of the rows in a graph."""
        return self._values.name  # type: ignore[no-any-return]

    @property
    def device(self) -> str:
        """The device that the rows are on."""
        return self._values.device  # type: ignore[no-any-return]

    @property
    def op(self) -> Any:
        """The operation that made the rows."""
        return self._values.op

    @property
    def graph(self) -> Any:
        """The graph that the rows belong to."""
        return self._values.graph

    def consumers(self) -> list[Any]:
        """The operations that use the rows."""
        return self._values.consumers()  # type: ignore[no-any-return]

    def with_values(self, values: TensorLike) -> Any:
        """The same positions with other rows."""
        return IndexedSlices(values, self._indices, self._dense_shape)

    def __neg__(self) -> IndexedSlices:
        """The same positions with negated rows."""
        return IndexedSlices(-self._values, self._indices, self._dense_shape)

    def __tensor_flatten__(self) -> tuple[list[Any], bool]:
        """The parts, and whether the shape is one of them."""
        shape = [] if self._dense_shape is None else [self._dense_shape]
        return [self._values, self._indices, *shape], bool(shape)

    @classmethod
    def __tensor_unflatten__(cls, has_shape: bool, parts: list[Any]) -> IndexedSlices:
        """One with these parts."""
        return cls(*parts)

    def __dense_tensor__(self, dtype: DType | None, name: str | None) -> Tensor:
        """Return the whole tensor. Raise ValueError for another dtype, or without `dense_shape`."""
        if dtype is not None and dtype is not self.dtype:
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for IndexedSlices with dtype "
                f"{self.dtype.name}"
            )
        if self._dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape, so that the "
                f"number of rows is not known: {self}"
            )
        count = convert_to_tensor(self._dense_shape)[0]
        return call("UnsortedSegmentSum", self._values, self._indices, count)

    def __repr__(self) -> str:
        """Gives `IndexedSlices(indices=..., values=..., dense_shape=...)`."""
        shape = "" if self._dense_shape is None else f", dense_shape={self._dense_shape}"
        return f"IndexedSlices(indices={self._indices}, values={self._values}{shape})"

    __str__ = __repr__
