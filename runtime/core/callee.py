"""A reference from a recursive graph to itself."""

from __future__ import annotations

from typing import Any


class Callee:
    """A reference to the graph of a recursive function, used by calls inside that graph.

    The graph cannot be an attribute of its own operations: walks over carried graphs would not end.
    Callees compare by identity.

    Args:
      name: the name of the function.

    Attributes:
      gradient: the gradient rule of calls; None until the first request.
    """

    __slots__ = ("gradient", "name")

    def __init__(self, name: str) -> None:
        """Store the name."""
        self.name = name
        self.gradient: Any = None

    def __repr__(self) -> str:
        """Return the name of the function."""
        return self.name
