"""Graphs in the format of TensorFlow."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol


class Exporter(Protocol):
    """Describes graphs and operations as messages of GraphDef; see `runtime.export.graphdef`."""

    def graph_def(self, graph: Any, from_version: int = 0, add_shapes: bool = False) -> Any:
        """Return a graph."""

    def optimized_graph_def(self, graph: Any) -> Any:
        """Return a graph after the passes."""

    def node_def(self, op: Any) -> Any:
        """Return an operation."""

    def op_def_of(self, op: Any) -> Any:
        """Return the signature of an operation."""

    def attr(self, op: Any, name: str) -> Any:
        """Return an attribute of an operation. Raises ValueError if there is none."""


class Exported:
    """The methods of a graph that return it as a `GraphDef`.

    Attributes:
      exporter: writes graphs in the format of TensorFlow; the package `runtime` sets it.
    """

    exporter: ClassVar[Exporter]

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """Return the graph as a `GraphDef`, with a library of the graphs that it carries.

        Args:
          from_version: only operations from this number on.
          add_shapes: whether each node lists the shapes of its outputs as `_output_shapes`.

        Raises:
          UnimplementedError: for an operation that a GraphDef cannot represent; names its line.
        """
        return self.exporter.graph_def(self, from_version or 0, add_shapes)

    def optimized_graph_def(self) -> Any:
        """Return the graph after the passes as a `GraphDef`; see `as_graph_def`.

        Operations stay separate: fusion happens only when the graph runs.
        """
        return self.exporter.optimized_graph_def(self)
