"""Compiled steps: one graph for each structure and shape of a batch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import runtime as tf
from runtime.keras.base.conversion import user_code


class CompiledStep:
    """A function of a batch as a graph.

    The graph takes the tensors of the batch one by one: a call with tensors alone finds its graph
    by their specs, without a walk through structures.

    Args:
      function: the function of a batch `(x,)`, `(x, y)` or `(x, y, sample_weight)`.

    >>> step = CompiledStep(lambda data: {"sum": data[0] + data[1]})
    >>> print(step((tf.constant(1.0), tf.constant(2.0)))["sum"].numpy())
    3.0
    """

    def __init__(self, function: Callable[[Any], Any]) -> None:
        self._function = function
        self._flat: Callable[..., Any] | None = None
        self._graphs: list[tuple[Any, Any]] = []

    def __call__(self, data: Any) -> Any:
        """Run the graph of this structure; record it first if there is none."""
        flat = self._flat
        if flat is not None and len(data) == self._parts and _holds_tensors(data):
            return flat(*data)
        return self._graph_for(data)(*tf.nest.flatten(data))

    def _graph_for(self, data: Any) -> Callable[..., Any]:
        for structure, graph in self._graphs:
            if _same(structure, data):
                return graph  # type: ignore[no-any-return]
        structure = tf.nest.map_structure(lambda _: 0, data)

        def run(*tensors: tf.Tensor) -> Any:
            return user_code(self._function)(tf.nest.pack_sequence_as(structure, list(tensors)))

        graph = tf.function(run, reduce_retracing=True)
        self._graphs.append((structure, graph))
        if _holds_tensors(data):
            self._flat, self._parts = graph, len(data)
        return graph  # type: ignore[no-any-return]


def _holds_tensors(data: Any) -> bool:
    return all(isinstance(part, tf.Tensor) for part in data)


def _same(a: Any, b: Any) -> bool:
    try:
        tf.nest.assert_same_structure(a, b)
    except (TypeError, ValueError):
        return False
    return True
