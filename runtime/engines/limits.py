"""What compilers of parts of a graph do not take."""

from __future__ import annotations

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
