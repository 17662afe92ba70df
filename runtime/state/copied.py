"""Copies of a variable: in memory, in pickles and in checkpoints."""

from __future__ import annotations

import copy
import weakref
from typing import Any, Self

from runtime.core.dtypes import DType
from runtime.core.errors import InvalidArgumentError
from runtime.core.observed import awaited
from runtime.core.places import Place, user_place
from runtime.core.shapes import compatible
from runtime.core.spec import TensorSpec
from runtime.core.tensor import EagerTensor, Tensor
from runtime.state.cells import RESOURCE, Cell, end_waiting, new_cell
from runtime.state.object_graph import SavedState
from runtime.state.variable_type import VariableArgument


class Copied(VariableArgument, SavedState):
    """The methods of `Variable` that copy and restore it."""

    state_suffix = ".ATTRIBUTES/VARIABLE_VALUE"
    _cell: Cell
    _known: TensorSpec

    def _hold(self, array: object) -> None:
        self._cell = new_cell(array)
        self.creation: Place | None = user_place() if awaited else None
        self._cell.variable = weakref.ref(self)
        self.handle: Tensor = EagerTensor(self._cell, RESOURCE)

    def saved_state(self) -> Any:
        """Return the value, for a checkpoint."""
        return self.numpy()

    def check_state(self, key: str, dtype: DType, dims: tuple[int, ...]) -> None:
        """Raise if the value cannot become an array of a checkpoint.

        Raises:
          ValueError: if the shape differs.
          InvalidArgumentError: if the dtype differs.
        """
        created = f" The variable is created at {self.creation}." if self.creation else ""
        if not compatible(self._known.dims, dims):
            raise ValueError(
                f"Received incompatible tensor with shape {dims} when attempting to restore "
                f"variable with shape {self._known.shape} and name {self.name}: the checkpoint "
                f"has {key}.{created}"
            )
        if dtype is not self._known.dtype:
            raise InvalidArgumentError.of(
                f"tensor_name = {key}; expected dtype {self._known.dtype.name} does not equal "
                f"original dtype {dtype.name}: variable '{self.name}' cannot be restored.{created}",
            )

    def restore(self, array: object) -> None:
        """Set a saved value of the same dtype and shape."""
        end_waiting(self._cell)
        self._cell.value = array

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copied = object.__new__(type(self))
        memo[id(self)] = copied
        copied.__setstate__(copy.deepcopy(self.__getstate__(), memo))
        return copied

    def __getstate__(self) -> dict[str, Any]:
        own = {key: held for key, held in self.__dict__.items() if key not in ("_cell", "handle")}
        return {**own, "value": self.numpy()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields; the inverse of `__getstate__`."""
        value = state.pop("value")
        self.__dict__.update(state)
        self._hold(value)
