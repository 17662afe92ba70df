"""Assignments and updates of a variable, and the ops that update rows or slices atomically."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, NoReturn, Self

import numpy as np

from runtime.core.aliases import Array, Namespace
from runtime.core.errors import IncompatibleShapesError
from runtime.core.opdef import ANY, INDEX, NUMERIC, DTypes, Effect, Kernel, Storage, sample
from runtime.core.shapes import Dims, compatible
from runtime.core.tensor import EagerTensor, Tensor, TensorLike
from runtime.ops.array.shaping import ensure_shape
from runtime.ops.base.convert import convert_to_tensor
from runtime.ops.base.define import Op, define_op
from runtime.ops.items.scattering import Put, at_once, check_updates, put_checked, replace
from runtime.state.cells import ASSIGN, ASSIGN_ADD, ASSIGN_SUB, HANDLE, RESOURCE, Cell
from runtime.state.variable_type import VariableArgument

_PUTS: dict[str, tuple[Put, DTypes]] = {
    "Update": (replace, ANY),
    "Add": (at_once("add"), NUMERIC),
    "Sub": (at_once("subtract"), NUMERIC),
}


def _change_rows(put: Put, xp: Namespace, cell: Cell, indices: Array, updates: Array) -> tuple[()]:
    def put_rows(array: Array) -> None:
        rows = updates
        if not np.ndim(rows):
            rows = xp.broadcast_to(rows, (*indices.shape, *array.shape[1:]))
        put_checked(put, xp, array, xp.expand_dims(indices, -1), rows)

    cell.change(put_rows)
    return ()


def _change_slices(put: Put, xp: object, cell: Cell, indices: object, updates: object) -> tuple[()]:
    cell.change(lambda array: put_checked(put, xp, array, indices, updates))
    return ()


def _define(name: str, resource: str, group: DTypes, kernel: Kernel, indices: object) -> Op:
    cell = EagerTensor(Cell(np.array([4.0, 2.0], np.float32)), RESOURCE)
    return define_op(
        name,
        {resource: HANDLE, "indices": INDEX, "updates": group},
        lambda cell, indices, updates: (),
        kernel,
        outputs=0,
        effect=Effect.WRITE,
        storage=Storage.IN_PLACE,
        samples=(sample(cell, indices, [1.0]),),
    )


ROWS = {
    name: _define(f"ResourceScatter{name}", "resource", group, partial(_change_rows, put), [1])
    for name, (put, group) in _PUTS.items()
}
"""Ops that update rows at positions along the first axis."""

SLICES = {
    name: _define(f"ResourceScatterNd{name}", "ref", group, partial(_change_slices, put), [[1]])
    for name, (put, group) in _PUTS.items()
}
"""Ops that update slices at index tuples."""


class Updates(VariableArgument):
    """The methods of `Variable` that change its value, or some of its elements."""

    def _assigned(
        self, change: Op, operands: Sequence[Tensor], name: str | None, read_value: bool
    ) -> Any:
        """Update the value by an op and return the result of the assignment."""
        raise NotImplementedError

    def _change_slices(
        self, change: str, indices: TensorLike, updates: TensorLike, name: str | None
    ) -> Self:
        positions = convert_to_tensor(indices)
        slices = convert_to_tensor(updates, self.spec.dtype)
        self._check(positions.spec.dims, slices.spec.dims)
        changed: Self = self._assigned(SLICES[change], (positions, slices), name, True)
        return changed

    def _change_rows(self, change: str, sparse_delta: object, name: str | None) -> Self:
        indices, values = _parts(sparse_delta)
        rows = convert_to_tensor(values, self.spec.dtype)
        if rows.spec.dims != ():
            dims = indices.spec.dims
            self._check(None if dims is None else (*dims, 1), rows.spec.dims)
        changed: Self = self._assigned(ROWS[change], (indices, rows), name, True)
        return changed

    def _check(self, indices: Dims, updates: Dims) -> None:
        try:
            check_updates(self.spec.dims, indices, updates)
        except ValueError as error:
            raise IncompatibleShapesError.of(
                f"variable '{self.name}' cannot be changed: {error}"
            ) from None

    def assign(
        self,
        value: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Assign a value.

        Args:
          value: tensor of the dtype and shape of the variable.
          use_locking, name: ignored.
          read_value: whether to return the variable.

        Returns: The variable, or None if not `read_value`.

        Raises:
          TypeError, ValueError: if the dtype differs.
          ValueError: if the shape differs.

        >>> import runtime as tf
        >>> print(tf.Variable([1, 2]).assign([3, 4]).numpy())
        [3 4]
        """
        spec = self.spec
        tensor = self._converted(value)
        if tensor.spec is not spec:
            self._check_shape(tensor)
            tensor = self._ensured(tensor)
        return self._assigned(ASSIGN, (tensor,), name, read_value)

    def assign_add(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Add to the value.

        Args:
          delta: Tensor of the dtype and shape of the variable.
          use_locking, name: ignored.
          read_value: whether to return the variable.

        Returns: The variable, or None if not `read_value`.

        Raises:
          InvalidArgumentError: if the shape differs; also a ValueError.
          TypeError, ValueError: if the dtype differs.

        >>> import runtime as tf
        >>> print(tf.Variable([1, 2]).assign_add([10, 20]).numpy())
        [11 22]
        """
        return self._assigned(ASSIGN_ADD, (self._fitting(delta),), name, read_value)

    def assign_sub(
        self,
        delta: TensorLike,
        use_locking: bool = False,
        name: str | None = None,
        read_value: bool = True,
    ) -> Any:
        """Subtract from the value.

        Args:
          delta: Tensor of the dtype and shape of the variable.
          use_locking, name: ignored.
          read_value: whether to return the variable.

        Returns: The variable, or None if not `read_value`.

        Raises:
          InvalidArgumentError: if the shape differs; also a ValueError.
          TypeError, ValueError: if the dtype differs.

        >>> import runtime as tf
        >>> print(tf.Variable([11, 22]).assign_sub([10, 20]).numpy())
        [1 2]
        """
        return self._assigned(ASSIGN_SUB, (self._fitting(delta),), name, read_value)

    def _converted(self, value: TensorLike) -> Tensor:
        try:
            return convert_to_tensor(value, self.spec.dtype)
        except (TypeError, ValueError) as error:
            error.add_note(f"for variable '{self.name}', which is {self.spec}")
            raise

    def _fitting(self, delta: TensorLike) -> Tensor:
        tensor = self._converted(delta)
        if tensor.spec is self.spec:
            return tensor
        if not compatible(self.spec.dims, tensor.spec.dims):
            raise IncompatibleShapesError.of(
                f"Cannot update variable with shape {self.spec.shape} using a Tensor with shape "
                f"{tensor.shape}, shapes must be equal: variable '{self.name}'.",
            )
        return self._ensured(tensor)

    def _ensured(self, value: Tensor) -> Tensor:
        """Return a value whose shape is compared with that of the variable when the graph runs."""
        return value if self.spec.includes(value.spec) else ensure_shape(value, self.spec.shape)

    def _check_shape(self, value: Tensor) -> None:
        if not compatible(self.spec.dims, value.spec.dims):
            raise ValueError(
                f"Cannot assign value to variable '{self.name}': Shape mismatch. The variable "
                f"shape {self.spec.shape}, and the assigned value shape {value.shape} are "
                "incompatible."
            )

    def scatter_nd_update(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Replace slices; see `runtime.tensor_scatter_nd_update`.

        Args:
          indices: integer tensor of shape [..., k]; the last axis holds the index of a slice.
          updates: tensor of shape [..., *variable.shape[k:]].
          name: name for the operation.

        Returns: The variable.
        Raises: InvalidArgumentError if an index is out of bounds, or shapes do not fit.

        >>> import runtime as tf
        >>> tf.Variable([1, 2, 3]).scatter_nd_update([[0], [2]], [9, 8]).numpy()
        array([9, 2, 8], dtype=int32)
        """
        return self._change_slices("Update", indices, updates, name)

    def scatter_nd_add(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Add to slices; an index that occurs n times adds n updates.

        Args:
          indices, updates, name: as for `scatter_nd_update`.

        Returns: The variable.
        Raises: InvalidArgumentError if an index is out of bounds, or shapes do not fit.

        >>> import runtime as tf
        >>> print(tf.Variable([10, 10, 20]).scatter_nd_add([[1], [2], [1]], [1, 9, 2]).numpy())
        [10 13 29]
        """
        return self._change_slices("Add", indices, updates, name)

    def scatter_nd_sub(
        self, indices: TensorLike, updates: TensorLike, name: str | None = None
    ) -> Self:
        """Subtract from slices; an index that occurs n times subtracts n updates.

        Args:
          indices, updates, name: as for `scatter_nd_update`.

        Returns: The variable.
        Raises: InvalidArgumentError if an index is out of bounds, or shapes do not fit.

        >>> import runtime as tf
        >>> print(tf.Variable([10, 10, 20]).scatter_nd_sub([[1], [2], [1]], [1, 9, 2]).numpy())
        [10  7 11]
        """
        return self._change_slices("Sub", indices, updates, name)

    def scatter_update(
        self, sparse_delta: object, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Replace rows.

        Args:
          sparse_delta: `IndexedSlices` with rows in `values` and their positions in `indices`.
          use_locking: ignored: updates are always atomic.
          name: name for the operation.

        Returns: The variable.

        Raises:
          TypeError: if `sparse_delta` is not an `IndexedSlices`.
          InvalidArgumentError: if a position is out of bounds.
        """
        return self._change_rows("Update", sparse_delta, name)

    def scatter_add(
        self, sparse_delta: object, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Add to rows; a position that occurs n times adds n rows.

        Args:
          sparse_delta, use_locking, name: as for `scatter_update`.

        Returns: The variable.

        Raises:
          TypeError: if `sparse_delta` is not an `IndexedSlices`.
          InvalidArgumentError: if a position is out of bounds.
        """
        return self._change_rows("Add", sparse_delta, name)

    def scatter_sub(
        self, sparse_delta: object, use_locking: bool = False, name: str | None = None
    ) -> Self:
        """Subtract from rows; a position that occurs n times subtracts n rows.

        Args:
          sparse_delta, use_locking, name: as for `scatter_update`.

        Returns: The variable.

        Raises:
          TypeError: if `sparse_delta` is not an `IndexedSlices`.
          InvalidArgumentError: if a position is out of bounds.
        """
        return self._change_rows("Sub", sparse_delta, name)

    def _refuse_in_place(self, sign: str, remedy: str) -> NoReturn:
        raise RuntimeError(
            f"`variable {sign}= value` with `tf.Variable`s is not supported. Use "
            f"`variable.{remedy}` to modify the variable, or `out = variable {sign} value` if you "
            "need to get a new output Tensor."
        )

    def __iadd__(self, *args: object) -> Any:
        """Raise: in-place operators would be ambiguous."""
        self._refuse_in_place("+", "assign_add(value)")

    def __isub__(self, *args: object) -> Any:
        """Raise: in-place operators would be ambiguous."""
        self._refuse_in_place("-", "assign_sub(value)")

    def __imul__(self, *args: object) -> Any:
        """Raise: in-place operators would be ambiguous."""
        self._refuse_in_place("*", "assign(variable * value)")

    def __itruediv__(self, *args: object) -> Any:
        """Raise: in-place operators would be ambiguous."""
        self._refuse_in_place("/", "assign(variable / value)")

    def __ipow__(self, *args: object) -> Any:
        """Raise: in-place operators would be ambiguous."""
        self._refuse_in_place("**", "assign(variable ** value)")


def _parts(sparse_delta: object) -> tuple[Tensor, Any]:
    if not (hasattr(sparse_delta, "indices") and hasattr(sparse_delta, "values")):
        raise TypeError(
            f"Argument `sparse_delta` must be a `tf.IndexedSlices`. Received arg: {sparse_delta}"
        )
    return convert_to_tensor(sparse_delta.indices), sparse_delta.values
