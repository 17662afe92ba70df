"""What changes or reads some elements of a variable."""

from __future__ import annotations

from typing import Any, Self

from runtime.core import dtypes
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.arithmetic import truncatediv
from runtime.ops.casting import cast
from runtime.ops.comparison import not_equal
from runtime.ops.convert import convert_to_tensor
from runtime.ops.creation import ones_like
from runtime.ops.dimensions import shape
from runtime.ops.gathering import gather, gather_nd
from runtime.ops.joining import concat
from runtime.ops.output import Assert
from runtime.ops.reduction import reduce_all
from runtime.ops.scattering import (
    tensor_scatter_nd_add,
    tensor_scatter_nd_max,
    tensor_scatter_nd_min,
    tensor_scatter_nd_sub,
    tensor_scatter_nd_update,
)
from runtime.ops.segments import unsorted_segment_prod
from runtime.ops.selecting import where
from runtime.ops.shaping import broadcast_to, expand_dims, reshape, squeeze


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

    def _rows(self, sparse_delta: Any) -> tuple[Tensor, Tensor]:
        """Positions for `scatter_nd`, and the rows; one number stands for all of them."""
        indices, values = _parts(sparse_delta)
        value = self.read_value()
        rows = convert_to_tensor(values, value.dtype)
        if rows.shape.rank == 0:
            rows = broadcast_to(rows, concat([shape(indices), shape(value)[1:]], 0))
        return expand_dims(indices, -1), rows

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
        return self._changed(tensor_scatter_nd_update, *self._rows(sparse_delta))

    def scatter_add(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Adds to rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_add, *self._rows(sparse_delta))

    def scatter_sub(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Subtracts from rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_sub, *self._rows(sparse_delta))

    def scatter_max(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Takes the greater elements of rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_max, *self._rows(sparse_delta))

    def scatter_min(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Takes the smaller elements of rows; see `scatter_update`."""
        return self._changed(tensor_scatter_nd_min, *self._rows(sparse_delta))

    def scatter_mul(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Multiplies rows, as often as they stand there; see `scatter_update`."""
        value, factors = self._factors(sparse_delta)
        return self.assign(value * factors)

    def scatter_div(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Divides rows, as often as they stand there; see `scatter_update`.

        Integers are cut off, as in C.

        Raises: InvalidArgumentError for a zero.
        """
        value, divisors = self._factors(sparse_delta)
        Assert(reduce_all(not_equal(divisors, 0)), ["updates must not contain 0"])
        divided = truncatediv(value, divisors) if value.dtype.is_integer else value / divisors
        return self.assign(divided)

    def _factors(self, sparse_delta: Any) -> tuple[Tensor, Tensor]:
        """The value, and for each row the product of what is given for it."""
        value = self.read_value()
        indices, rows = self._rows(sparse_delta)
        return value, unsorted_segment_prod(rows, squeeze(indices, -1), shape(value)[0])

    def batch_scatter_update(
        self, sparse_delta: Any, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replaces rows along the last axis of the positions; the axes before it go together.

        Args:
          sparse_delta: `IndexedSlices`; `indices` of shape [b1, ..., bn, k], `values` of shape
            [b1, ..., bn, k, ...].

        Raises: as `scatter_update`.

        >>> import runtime as tf
        >>> v = tf.Variable([[1, 2, 3], [4, 5, 6]])
        >>> rows = tf.IndexedSlices(tf.constant([[7], [8]]), tf.constant([[0], [2]]))
        >>> v.batch_scatter_update(rows).numpy()
        array([[7, 2, 3],
               [4, 5, 8]], dtype=int32)
        """
        indices, rows = _parts(sparse_delta)
        places = reshape(
            where(ones_like(indices, dtypes.bool)),
            concat([shape(indices), [len(indices.shape)]], 0),
        )
        around = cast(places[..., :-1], indices.dtype)
        return self.scatter_nd_update(concat([around, expand_dims(indices, -1)], -1), rows)

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some rows of the value; see `runtime.gather`."""
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Some slices of the value; see `runtime.gather_nd`."""
        return gather_nd(self.read_value(), indices)


def _parts(sparse_delta: Any) -> tuple[Tensor, Any]:
    if not (hasattr(sparse_delta, "indices") and hasattr(sparse_delta, "values")):
        raise TypeError(
            f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}"
        )
    return convert_to_tensor(sparse_delta.indices), sparse_delta.values
