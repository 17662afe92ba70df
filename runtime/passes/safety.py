"""Predicates for operations that never fail, so that passes may move or remove them.

An operation is safe if its shapes are static: they were checked while the graph was recorded.
Integer division and indexing may fail at run time; such operations are not safe.
"""

from __future__ import annotations

from runtime.core import dtypes
from runtime.core.opdef import Control, Effect
from runtime.core.operation import Operation
from runtime.core.structural import PLACEHOLDER


def is_pure(op: Operation) -> bool:
    """Return whether an operation is deterministic and has no effect."""
    return not op.definition.boxed and not op.subgraphs() and op.effect is Effect.NONE


def reads_variable(op: Operation) -> bool:
    """Return whether an operation reads a variable, and does nothing else."""
    cells = [tensor.dtype is dtypes.resource for tensor in op.inputs]
    return op.definition.effect is Effect.READ and any(cells) and all(cells)


def cannot_fail(op: Operation) -> bool:
    """Return whether an operation is pure and succeeds for all values of its inputs.

    A choice among branches cannot fail if none of the branches can.
    """
    definition = op.definition
    if definition.control in (Control.IF, Control.CASE) and op.effect is Effect.NONE:
        inner = [each for graph in op.subgraphs() for each in graph.operations]
        safe = all(each.definition is PLACEHOLDER or cannot_fail(each) for each in inner)
        return safe and op.inputs[0].spec.dims == ()
    return is_pure(op) and not op.can_fail


def fits(op: Operation) -> bool:
    """Return whether an operation whose values may be wrong is known to have right ones."""
    safe = op.definition.safe
    return safe is not None and safe(op)
