"""What a thread is doing: running operations at once, or recording them in a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from runtime.core.graph import Graph, Operation, SymbolicTensor
from runtime.core.thread import STATE


class _Settings:
    functions_run_eagerly = False


_SETTINGS = _Settings()


def executing_eagerly() -> bool:
    """Whether operations run at once; False while a function, branch or loop is being traced.

    >>> executing_eagerly()
    True
    """
    return STATE.graph is None


@contextmanager
def recording(graph: Graph | None) -> Iterator[None]:
    """Operations of this thread go to `graph`; None: they run at once."""
    before = STATE.graph
    STATE.graph = graph
    try:
        yield
    finally:
        STATE.graph = before


@contextmanager
def init_scope() -> Iterator[None]:
    """Leaves all traces: operations inside run at once.

    >>> with init_scope():
    ...     executing_eagerly()
    True
    """
    with recording(None):
        yield


@contextmanager
def creating_variables(created: Callable[[Any], None] | None) -> Iterator[None]:
    """Tells `created` of each variable that this thread makes; None: it must not make any."""
    before = STATE.creating
    STATE.creating = created
    try:
        yield
    finally:
        STATE.creating = before


@contextmanager
def control_dependencies(control_inputs: Iterable[Any] | None) -> Iterator[None]:
    """Operations recorded inside run after `control_inputs`, which are kept whenever they are.

    Args:
      control_inputs: tensors or operations; None: no dependencies, also none from outside.

    Eagerly it does nothing, since operations run in the order of the program anyway.

    >>> with control_dependencies([]):
    ...     executing_eagerly()
    True
    """
    graph = STATE.graph
    if graph is None:
        yield
        return
    before = graph.required
    own = [] if control_inputs is None else [_operation_of(item) for item in control_inputs]
    kept = () if control_inputs is None else before
    graph.required = (*kept, *(op for op in own if op is not None and op.graph is graph))
    try:
        yield
    finally:
        graph.required = before


def _operation_of(item: Any) -> Operation | None:
    if isinstance(item, SymbolicTensor):
        return item.op
    return item if isinstance(item, Operation) else None


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Makes functions run their Python code at each call, without a graph, for debugging.

    >>> run_functions_eagerly(True)
    >>> functions_run_eagerly()
    True
    >>> run_functions_eagerly(False)
    """
    _SETTINGS.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """What `run_functions_eagerly` was last told.

    >>> functions_run_eagerly()
    False
    """
    return _SETTINGS.functions_run_eagerly
