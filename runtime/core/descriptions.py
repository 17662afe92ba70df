"""The seam through which graphs and operations describe themselves as GraphDef messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_descriptions: dict[str, Callable[..., Any]] = {}


def bind_descriptions(table: Mapping[str, Callable[..., Any]]) -> None:
    """Register the functions that describe graphs and operations; `runtime.export` calls it once.

    Args:
      table: functions with the keys `graph_def`, `function_def`, `optimized_graph_def`, `node_def`,
        `op_def`, `attr`, `versions`.
    """
    _descriptions.update(table)


def describe(key: str, *subject: object) -> Any:
    """Return one description of a graph or an operation."""
    return _descriptions[key](*subject)
