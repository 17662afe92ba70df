"""The name of a graph for the operations inside it that call it."""

from __future__ import annotations

from typing import Any


class Callee:
    """Stands for the graph of a recursive function where that graph calls itself.

    The graph cannot be an attribute of its own operations: nothing that walks through carried
    graphs would end. Callees are compared by identity.

    Args:
      name: the name of the function.

    Attributes:
      gradient: how gradients go back through calls of it; None as long as nobody asked.
    """

    __slots__ = ("gradient", "name")

    def __init__(self, name: str) -> None:
        """Stores the name."""
        self.name = name
        self.gradient: Any = None

    def __repr__(self) -> str:
        """Gives the name of the function."""
        return self.name
