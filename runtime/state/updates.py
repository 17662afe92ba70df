"""What changes or reads some elements of a variable."""

from __future__ import annotations

from typing import Any, Self

from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.convert import convert_to_tensor
from runtime.ops.gathering import gather, gather_nd
from runtime.ops.scattering import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.shaping import expand_dims


class Updates:
    """The part of `Variable` that deals with some of its elements."""

    def read_value(self) -> Tensor:
        """The value."""
        raise NotImplementedError

    def assign(self, value: TensorLike) -> Self:
        """Gives another value."""
        raise NotImplementedError

    def _changed(self, scatter: Any, indices: TensorLike, updates: TensorLike) -> Self:
        value = self.read_value()
        return self.assign(scatter(value, indices, convert_to_tensor(updates, value.dtype)))

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Replaces slices; see `runtime.tensor_scatter_nd_update`.

        Args:
          indices: int, the last dimension holds the position of a slice.
          updates: the slices.

        Raises: InvalidArgumentError for indices out of bounds and shapes that do not fit.

        >>> import runtime as tf
        >>> tf.Variable([1, 2, 3]).scatter_nd_update([[0], [2]], [9, 8]).numpy()
        array([9, 2, 8], dtype=int32)
        """
        return self._changed(tensor_scatter_nd_update, indices, updates)

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Adds to slices; see `scatter_nd_update`."""
        return self._changed(tensor_scatter_nd_add, indices, updates)

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Subtracts from slices; see `scatter_nd_update`."""
        return self._changed(tensor_scatter_nd_sub, indices, updates)

    def scatter_nd_max(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Takes the greater elements of slices; see `scatter_nd_update`."""
        return self._changed(tensor_scatter_nd_max, indices, updates)

    def scatter_nd_min(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Takes the smaller elements of slices; see `scatter_nd_update`."""
        return self._changed(tensor_scatter_nd_min, indices, updates)

    def scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replaces rows.

        Args:
          sparse_delta: `IndexedSlices`: rows in `values`, their positions in `indices`.

        Raises: TypeError for anything else; InvalidArgumentError for positions out of bounds.
        """
        return self._changed(tensor_scatter_nd_update, *_rows(sparse_delta))

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Adds to rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_add, *_rows(sparse_delta))

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Subtracts from rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_sub, *_rows(sparse_delta))

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Takes the greater elements of rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_max, *_rows(sparse_delta))

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Takes the smaller elements of rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_min, *_rows(sparse_delta))

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Multiplies rows, each of which stands there once; see `scatter_update`."""
        indices, rows = _rows(sparse_delta)
        return self._changed(tensor_scatter_nd_update, indices, self.gather_nd(indices) * rows)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Divides rows, each of which stands there once; see `scatter_update`."""
        indices, rows = _rows(sparse_delta)
        return self._changed(tensor_scatter_nd_update, indices, self.gather_nd(indices) / rows)

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some rows of the value; see `runtime.gather`."""
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some slices of the value; see `runtime.gather_nd`."""
        return gather_nd(self.read_value(), indices)


def _rows(sparse_delta: Any) -> tuple[Tensor, Any]:
    if not (hasattr(sparse_delta, "indices") and hasattr(sparse_delta, "values")):
        raise TypeError(
            f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}"
        )
    return expand_dims(sparse_delta.indices, -1), sparse_delta.values
