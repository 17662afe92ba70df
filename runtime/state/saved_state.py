"""What checkpoints save of an object."""

from __future__ import annotations

from typing import Any, ClassVar

from runtime.core.dtypes import DType


class SavedState:
    """The base class of objects whose state is one array: variables, and iterators of datasets.

    Attributes:
      state_suffix: the last part of the name of the array in a checkpoint.
    """

    state_suffix: ClassVar[str]

    def saved_state(self) -> Any:
        """Return the array."""
        raise NotImplementedError

    def check_state(self, key: str, dtype: DType, dims: tuple[int, ...]) -> None:
        """Raise if an array of this dtype and shape, which a checkpoint has as `key`, cannot be
        the state.
        """
        raise NotImplementedError

    def restore(self, array: object) -> None:
        """Set the state to a saved array."""
        raise NotImplementedError
