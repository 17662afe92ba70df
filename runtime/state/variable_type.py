"""The trace type of variables, and their interface."""

from __future__ import annotations

from typing import Any

from runtime.core.spec import TensorSpec
from runtime.core.tensor import Tensor


class VariableType:
    """The trace type of a variable: what selects the graph of a function.

    `alias` distinguishes how often the arguments contain the same variable.
    """

    __slots__ = ("alias", "spec", "trainable")

    def __init__(self, spec: TensorSpec, trainable: bool, alias: int = 0) -> None:
        self.spec = spec
        self.trainable = trainable
        self.alias = alias

    def _parts(self) -> tuple[TensorSpec, bool, int]:
        return self.spec, self.trainable, self.alias

    def __eq__(self, other: object) -> bool:
        return isinstance(other, VariableType) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        return f"VariableType({self.spec!r}, trainable={self.trainable}, alias={self.alias})"

    def __str__(self) -> str:
        return f"variable {self.spec}"


class VariableArgument:
    """The base class of variables: what functions that take one, and its own parts, ask of it."""

    handle: Tensor

    @property
    def spec(self) -> TensorSpec:
        """Dtype and static shape."""
        raise NotImplementedError

    @property
    def name(self) -> str:
        """The name."""
        raise NotImplementedError

    def read_value(self) -> Tensor:
        """Return the value."""
        raise NotImplementedError

    def numpy(self) -> Any:
        """Return the value as a NumPy array."""
        raise NotImplementedError

    @property
    def identified(self) -> bool:
        """True if a graph serves this variable alone."""
        raise NotImplementedError

    @property
    def _spec(self) -> VariableType:
        """The trace type, as of tensors."""
        raise NotImplementedError
