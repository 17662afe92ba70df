"""Refusal of NumPy arguments whose items a graph assigns.

In Python `x[i] = value` changes the caller's array. A graph receives tensors, and the assignment
creates a new tensor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograph.boundary import public_error
from runtime.core.errors import StagingError
from runtime.core.graph import Graph
from runtime.core.opdef import Emit, Storage
from runtime.core.operation import Operation
from runtime.core.places import Place
from runtime.core.spec import TensorSpec
from runtime.core.thread import STATE
from runtime.functions.trace_type import LeafType
from runtime.state.variable_type import VariableType


def assigned_arguments(graph: Graph) -> dict[int, Place | None]:
    """Return the inputs of a graph whose items are assigned, with the lines that assign them."""
    found: dict[int, Place | None] = {}
    _collect(graph, {id(tensor): i for i, tensor in enumerate(graph.arguments)}, found)
    return found


def _collect(graph: Graph, known: Mapping[int, int], found: dict[int, Place | None]) -> None:
    origins = dict(known)
    for op in graph.operations:
        own = [origins.get(id(tensor)) for tensor in op.inputs]
        if own and own[0] is not None and _is_view(op):
            origins[id(op.outputs[0])] = own[0]
        elif own and own[0] is not None and op.definition.emit is Emit.ASSIGN:
            found.setdefault(own[0], op.place)
        for inner in op.subgraphs():
            # The inputs of a branch follow the predicate or index of its operation.
            passed = zip(reversed(inner.inputs), reversed(own), strict=False)
            _collect(inner, {id(own): i for own, i in passed if i is not None}, found)


def _is_view(op: Operation) -> bool:
    """Return whether the result shares the memory of the array in NumPy; copies are tensors."""
    definition = op.definition
    return definition.storage is Storage.VIEW and definition.emit not in (Emit.ALIAS, Emit.ROW)


def refuse_arrays(
    name: str, concrete: Any, leaves: Sequence[Any], types: Sequence[LeafType]
) -> None:
    """Raise an error (a ValueError) if the graph assigns items of a NumPy argument.

    Args:
      name: the name of the function.
      concrete: its graph, as a `ConcreteFunction`.
      leaves, types: the arguments of the call.
    """
    pairs = zip(leaves, types, strict=True)
    given = [leaf for leaf, kind in pairs if isinstance(kind, (TensorSpec, VariableType))]
    for position, place in concrete.assigned.items():
        if isinstance(given[position], np.ndarray) and given[position].ndim:
            argument = concrete.graph.inputs[position].op.name
            error = StagingError(
                f"{name} assigns items of its argument `{argument}`, which is a NumPy array: the "
                f"graph would change a copy, and the caller would not see it.\n  {place}\n"
                f"Pass a tensor, `runtime.constant({argument})`, and return the changed one.",
                public=ValueError,
            )
            raise public_error(error) if STATE.graph is None else error
