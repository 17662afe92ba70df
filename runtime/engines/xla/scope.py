"""What rules of operations know: the values of the current graph, and its failures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.core.aliases import Array
from runtime.core.operation import Operation
from runtime.core.symbolic import SymbolicTensor

Value = Any
"""An array of JAX, a known array of NumPy, or `Rows`; None: an input that has no array."""


class Scope:
    """The values of the graphs that are being lowered.

    Attributes:
      failed: whether the plan would raise: False, or a scalar of JAX.
    """

    def __init__(self) -> None:
        """Start without failures."""
        self.failed: Any = False
        self.values: list[dict[int, Value]] = []

    def fail_if(self, condition: Array) -> None:
        """Let the plan run if a condition holds."""
        if condition is False:
            return
        self.failed = condition if self.failed is False else self.failed | condition

    def value(self, tensor: SymbolicTensor) -> Value:
        """Return the value of a tensor of the current graph."""
        return self.values[-1][id(tensor)]


Rule = Callable[[Scope, Operation, Sequence[Value]], Any]
"""Lowers an operation with the values of its inputs; returns its value, or those of several
outputs."""
