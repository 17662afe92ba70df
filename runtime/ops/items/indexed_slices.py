"""`IndexedSlices`: rows of a tensor and their indices."""

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
        self.values: Any = values
        self.indices: Any = indices
        self.dense_shape: Any = dense_shape

    @property
    def dtype(self) -> DType:
        """The dtype of the rows."""
        return self.values.dtype  # type: ignore[no-any-return]

    @property
    def shape(self) -> TensorShape:
        """The shape of the whole tensor, as far as it is known."""
        if self.dense_shape is None:
            return TensorShape(None)
        lengths = convert_to_tensor(self.dense_shape)
        known = static_value(lengths)
        return TensorShape([None] * (lengths.shape[0] or 0) if known is None else known)

    def with_values(self, values: TensorLike) -> Any:
        """Return slices of the same indices with other rows.

        Args:
          values: the rows.
        """
        return IndexedSlices(values, self.indices, self.dense_shape)

    def __neg__(self) -> IndexedSlices:
        return IndexedSlices(-self.values, self.indices, self.dense_shape)

    def __tensor_flatten__(self) -> tuple[list[Any], bool]:
        """The parts, and whether the shape is one of them."""
        shape = [] if self.dense_shape is None else [self.dense_shape]
        return [self.values, self.indices, *shape], bool(shape)

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
        if self.dense_shape is None:
            raise ValueError(
                "Tensor conversion requested for IndexedSlices without dense_shape, so that the "
                f"number of rows is not known: {self}"
            )
        count = convert_to_tensor(self.dense_shape)[0]
        return call("UnsortedSegmentSum", self.values, self.indices, count)

    def __repr__(self) -> str:
        shape = "" if self.dense_shape is None else f", dense_shape={self.dense_shape!s}"
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}{shape})"
