"""Operations that only order others, and the time at which one runs."""

from __future__ import annotations

import time

from runtime.core import dtypes
from runtime.core.context import control_dependencies
from runtime.core.opdef import Effect, sample
from runtime.core.operation import Operation
from runtime.core.spec import spec_of
from runtime.core.structure import flatten
from runtime.core.tensor import Tensor
from runtime.core.thread import STATE
from runtime.ops.array.identity import NO_OP
from runtime.ops.base.define import op


def no_op(name: str | None = None) -> Operation | None:
    """Create an operation that does nothing and that others can wait for.

    Returns: The operation; None in eager mode.

    >>> no_op() is None
    True
    """
    NO_OP.outputs(name=name)
    graph = STATE.graph
    return None if graph is None else graph.operations[-1]


def group(*inputs: object, name: str | None = None) -> Operation | None:
    """Create an operation that runs after all of `inputs`.

    Args:
      *inputs: Tensors, operations, None, and structures of them.

    Returns: The operation; None in eager mode.

    >>> group() is None
    True
    """
    waits = [item for item in flatten(list(inputs))[0] if item is not None]
    with control_dependencies(waits):
        return no_op(name)


@op(
    "Timestamp",
    {},
    infer=lambda: spec_of(dtypes.float64, ()),
    kernel=lambda xp: xp.asarray(time.time()),
    effect=Effect.READ,
    samples=(sample(),),
)
def timestamp(name: str | None = None) -> Tensor:
    """Return the time at which the operation runs.

    Returns: float64 scalar, seconds since 1970-01-01 00:00 UTC.

    >>> bool(timestamp() <= timestamp())
    True
    """
    return timestamp.op(name=name)
