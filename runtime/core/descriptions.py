"""How graphs and operations are described; the package of exports says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_descriptions: dict[str, Callable[..., Any]] = {}


def bind_descriptions(table: Mapping[str, Callable[..., Any]]) -> None:
    """Says how graphs and operations are described; called once, by the package of exports.

    The keys: `graph_def`, `function_def`, `optimized_graph_def`, `node_def`, `op_def`, `attr`,
    `versions`.
    """
    _descriptions.update(table)


def describe(key: str, *subject: Any) -> Any:
    """One description of a graph or an operation."""
    return _descriptions[key](*subject)
