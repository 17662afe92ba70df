"""Columns: one tensor of each element of a list whose length is known only at run time."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec, Weak
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.lists import list_from_tensor, list_get, list_stack
from runtime.ops.base.convert import cast_to, strong, weakened, weakness


@dataclass(frozen=True)
class Column:
    """One tensor of each element of a list.

    Attributes:
      flow: the tensor list with these tensors.
      spec: dtype and shape of each.
      weak: whether they represent Python numbers.
    """

    flow: Tensor
    spec: TensorSpec
    weak: Weak = False

    def item(self, index: TensorLike) -> Tensor:
        """Return one entry. Raises ListBoundsError if the index is out of range."""
        found = list_get(self.flow, index, self.spec)
        if isinstance(found, SymbolicTensor):
            found.op.strict = True  # Python raises, whether or not the item is read
        return weakened(found, self.weak)

    def rows(self) -> Tensor:
        """Stack all entries along a new first axis."""
        return weakened(list_stack(self.flow, self.spec), self.weak)

    @classmethod
    def from_rows(cls, rows: Tensor) -> Column:
        """Return the column of the rows of a tensor."""
        dims = rows.spec.dims
        spec = rows.spec.with_dims(None if dims is None else dims[1:])
        return cls(list_from_tensor(strong(rows)), spec, weakness(rows))

    def of(self, flow: Tensor) -> Column:
        """Return a column of the same kind with another tensor list."""
        return Column(flow, self.spec, self.weak)

    def of_rows(self, rows: Tensor) -> Column:
        """Return a column of the rows of a tensor."""
        return self.of(list_from_tensor(rows))

    def with_dtype(self, dtype: DType) -> Column:
        """Return the entries in another dtype; the same column if the dtypes are equal."""
        if self.spec.dtype is dtype:
            return self
        rows = cast_to(self.rows(), dtype)
        return Column(list_from_tensor(rows), self.spec.with_dtype(dtype))
