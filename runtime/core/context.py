"""What a thread is doing: running operations at once, or recording them in a graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.thread import STATE


class _Settings:
    functions_run_eagerly = False
    tracebacks_filtered = True


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


def _by_hand() -> Graph | None:
    """The graph that a program builds by hand and around which nothing is being recorded."""
    graph: Graph | None = STATE.graph
    while graph is not None and graph.building_function:
        graph = graph.outer
    return graph


def inside_function() -> bool:
    """Whether a function, branch or loop is being recorded.

    >>> inside_function()
    False
    """
    graph: Graph | None = STATE.graph
    return graph is not None and graph.building_function


def executing_eagerly_outside_functions() -> bool:
    """Whether operations run at once where no function is being recorded.

    >>> executing_eagerly_outside_functions()
    True
    >>> with Graph().as_default():
    ...     executing_eagerly_outside_functions()
    False
    """
    return _by_hand() is None


@contextmanager
def init_scope() -> Iterator[None]:
    """Leaves the traces of functions, branches and loops: operations inside run at once.

    Where a graph is built by hand they go to that graph. Dependencies on control inputs and name
    scopes of the trace do not hold inside.

    >>> with init_scope():
    ...     executing_eagerly()
    True
    """
    graph = _by_hand()
    with recording(graph):
        if graph is None:
            yield
        else:
            with graph.control_dependencies(None):
                yield


def operation_to_ask_for() -> Operation | None:
    """What was recorded last, in a graph built by hand: it runs only if a Session is asked to.

    None elsewhere: there what has an effect runs anyway.
    """
    graph: Graph | None = STATE.graph
    if graph is None or graph.building_function:
        return None
    return graph.operations[-1]


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
      control_inputs: tensors, operations or variables; None: no dependencies, also none from
        outside.

    Raises: TypeError for anything else; ValueError for an element of another graph.

    Where nothing is recorded operations run in the order of the program anyway; functions among
    the inputs are called then.

    >>> with control_dependencies([]):
    ...     executing_eagerly()
    True
    """
    graph = STATE.graph
    if graph is None:
        for item in control_inputs or ():
            if callable(item):
                item()
        yield
    else:
        with graph.control_dependencies(control_inputs):
            yield


class name_scope:
    """Puts a scope before the names of what is made inside.

    Args:
      name: the scope. In a graph it is made unique (`layer`, `layer_1`); with a slash at its end it
        is entered again as it is. An empty one leaves all scopes.

    Raises: ValueError if it is no string, or cannot be the name of a scope.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     with tf.name_scope("layer") as scope:
    ...         y = tf.constant(1.0) + 2.0
    >>> scope, y.name
    ('layer/', 'layer/add:0')
    """

    def __init__(self, name: str) -> None:
        """Takes the name."""
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[ExitStack] = []

    @property
    def name(self) -> str:
        """The name that was given."""
        return self._name

    def __enter__(self) -> str:
        """Gives what stands before the names inside: the scopes, each with a slash."""
        stack = ExitStack()
        graph = STATE.graph
        scoped = _eager_scope(self._name) if graph is None else graph.name_scope(self._name)
        scope: str = stack.enter_context(scoped)
        self._entered.append(stack)
        return scope

    def __exit__(self, *details: object) -> None:
        """Ends the scope."""
        self._entered.pop().close()


@contextmanager
def _eager_scope(name: str) -> Iterator[str]:
    before = STATE.scope
    if not name or name.endswith("/"):
        STATE.scope = name
    else:
        STATE.scope = f"{before}{name}/"
    try:
        yield STATE.scope
    finally:
        STATE.scope = before


def current_scope() -> str:
    """The scopes in which this thread is, each with a slash behind it.

    >>> with name_scope("layer"):
    ...     current_scope()
    'layer/'
    """
    graph: Graph | None = STATE.graph
    if graph is None:
        return STATE.scope
    return f"{graph.get_name_scope()}/" if graph.get_name_scope() else ""


def get_current_name_scope() -> str:
    """The scopes in which this thread is, without a slash at the end.

    >>> with name_scope("layer"):
    ...     get_current_name_scope()
    'layer'
    """
    return current_scope().removesuffix("/")


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


def enable_traceback_filtering() -> None:
    """Leaves the frames of this package and of converted code out of tracebacks, as at first.

    >>> enable_traceback_filtering()
    """
    _SETTINGS.tracebacks_filtered = True


def disable_traceback_filtering() -> None:
    """Shows frames of this package, too, in tracebacks of errors that functions raise.

    >>> disable_traceback_filtering()
    >>> is_traceback_filtering_enabled()
    False
    >>> enable_traceback_filtering()
    """
    _SETTINGS.tracebacks_filtered = False


def is_traceback_filtering_enabled() -> bool:
    """Whether tracebacks of errors that functions raise show the frames of the program alone.

    >>> is_traceback_filtering_enabled()
    True
    """
    return _SETTINGS.tracebacks_filtered
