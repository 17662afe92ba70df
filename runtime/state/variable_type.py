"""What a function distinguishes variables by."""

from __future__ import annotations

from runtime.core.spec import TensorSpec


class VariableType:
    """What decides which graph a function uses for a variable.

    Args:
      spec: dtype and shape of all values.
      trainable: whether gradients are taken with respect to it by default.
      alias: tells apart how often the arguments hold the same variable.
    """

    __slots__ = ("alias", "spec", "trainable")

    def __init__(self, spec: TensorSpec, trainable: bool, alias: int = 0) -> None:
        """Puts them together."""
        self.spec = spec
        self.trainable = trainable
        self.alias = alias

    def _parts(self) -> tuple[TensorSpec, bool, int]:
        return self.spec, self.trainable, self.alias

    def __eq__(self, other: object) -> bool:
        """Compares all of it."""
        return isinstance(other, VariableType) and self._parts() == other._parts()

    def __hash__(self) -> int:
        """Hashes all of it."""
        return hash(self._parts())

    def __repr__(self) -> str:
        """Gives the constructor call."""
        return f"VariableType({self.spec!r}, trainable={self.trainable}, alias={self.alias})"

    def __str__(self) -> str:
        """Gives the words of the spec."""
        return f"variable {self.spec}"
