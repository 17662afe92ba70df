"""Columns: one tensor of each element of a list that is a value of the graph."""

from __future__ import annotations

from dataclasses import dataclass, replace

from runtime.control_flow.values.stacks import reweakened, row, with_row
from runtime.core.dtypes import DType
from runtime.core.spec import TensorSpec, Weak
from runtime.core.symbolic import SymbolicTensor
from runtime.core.tensor import Tensor, TensorLike
from runtime.ops.array.lists import list_from_tensor, list_get, list_set, list_stack
from runtime.ops.base.convert import cast_to, convert_to_tensor, strong, weakened, weakness


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

    @property
    def count(self) -> int | None:
        """The number of entries; None if it is known only at run time."""
        return None

    def with_entry(self, position: TensorLike, value: Tensor) -> Column:
        """Return a column with one entry replaced; the position is in range."""
        return self.of(list_set(self.flow, position, value))

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

    def with_weakness(self, weak: Weak) -> Column:
        """Return the same entries, which represent Python numbers or not."""
        return replace(self, weak=weak)

    def with_dtype(self, dtype: DType) -> Column:
        """Return the entries in another dtype; the same column if the dtypes are equal."""
        if self.spec.dtype is dtype:
            return self
        rows = cast_to(self.rows(), dtype)
        return Column(list_from_tensor(rows), self.spec.with_dtype(dtype))


class Rows(Column):
    """A column of known length: the rows of one tensor.

    >>> import runtime as tf
    >>> rows = Rows(tf.constant([4, 5, 6]))
    >>> rows.count, int(rows.item(1))
    (3, 5)
    """

    whole: Tensor

    def __init__(self, whole: Tensor) -> None:
        dims = whole.spec.dims
        assert dims is not None
        vars(self).update(whole=whole, spec=whole.spec.with_dims(dims[1:]), weak=weakness(whole))

    @property
    def flow(self) -> Tensor:
        """The tensor list with these entries."""
        return list_from_tensor(strong(self.whole))

    @property
    def count(self) -> int | None:
        """The number of entries."""
        dims = self.whole.spec.dims
        return None if dims is None else dims[0]

    def item(self, index: TensorLike) -> Tensor:
        """Return one entry; the index is in range."""
        return row(self.whole, convert_to_tensor(index))

    def rows(self) -> Tensor:
        """Return the tensor."""
        return self.whole

    def with_entry(self, position: TensorLike, value: Tensor) -> Column:
        """Return a column with one entry replaced; the position is in range."""
        return Rows(with_row(self.whole, (convert_to_tensor(position),), value))

    def of_rows(self, rows: Tensor) -> Column:
        """Return a column of the rows of a tensor."""
        dims = rows.spec.dims
        is_known = dims is not None and dims[0] is not None
        return Rows(reweakened(rows, self.weak)) if is_known else super().of_rows(rows)

    def with_weakness(self, weak: Weak) -> Column:
        """Return the same entries, which represent Python numbers or not."""
        return Rows(reweakened(self.whole, weak))

    def with_dtype(self, dtype: DType) -> Column:
        """Return the entries in another dtype; the same column if the dtypes are equal."""
        return self if self.spec.dtype is dtype else Rows(strong(cast_to(self.whole, dtype)))
