"""What a compiler makes of a part of a graph, and what it says where it cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from runtime.core.graph import Graph
from runtime.core.operation import Operation

LARGEST_CONSTANT = 1 << 14
"""Elements of a constant that is part of the code."""


class Unsupported(Exception):
    """The graph has a part that only the plan can run.

    Attributes:
      op: the operation of the graph; None: the one that is being lowered.
    """

    def __init__(self, text: str, op: Operation | None = None) -> None:
        """Store the operation, and a text that says what it is."""
        super().__init__(text)
        self.op = op


class TooLong(Unsupported):
    """The code of the operations before this one is as long as compilers take well."""


class Code(Protocol):
    """A compiled graph.

    Attributes:
      places: the positions of the inputs of the graph that it takes.
      call: takes scalars as Python or NumPy numbers and arrays in C order; returns a tuple of the
        outputs, scalars as Python numbers, or False where the plan would raise. Raises ValueError
        if an array is not in C order.
      makes_new: whether the caller may change the arrays among the outputs.
      checks_shapes: whether `call` raises ValueError for an array of another shape than its input.
    """

    places: list[int]
    makes_new: bool
    checks_shapes: bool

    @property
    def call(self) -> Callable[..., Any]:
        """Run the code."""


Compiler = Callable[[Graph], Code]
"""Compiles a graph. Raises Unsupported."""
