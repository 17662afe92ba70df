"""The mode of a thread: run operations immediately (eager), or record them in a graph.

The default graph of the process records operations without eager execution.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Any

from autograph.staging import before_statements
from runtime.core.graph import Graph
from runtime.core.operation import Operation
from runtime.core.thread import STATE, temporarily


class _Settings:
    functions_run_eagerly = False
    tracebacks_filtered = True
    default_graph: Graph | None = None


SETTINGS = _Settings()
"""The settings; `run_functions_eagerly` and others change them."""


def executing_eagerly() -> bool:
    """Return whether operations run immediately; False while a function, branch or loop is traced.

    >>> executing_eagerly()
    True
    """
    return STATE.graph is None


def recording(graph: Graph | None) -> AbstractContextManager[None]:
    """Record operations of this thread in `graph`; None: run them immediately."""
    return temporarily(graph=graph)


def _by_hand() -> Graph | None:
    """Return the innermost graph built by hand; None if there is none."""
    graph: Graph | None = STATE.graph
    while graph is not None and graph.building_function:
        graph = graph.outer
    return graph


def inside_function() -> bool:
    """Return whether a function, branch or loop is being traced.

    >>> inside_function()
    False
    """
    graph: Graph | None = STATE.graph
    return graph is not None and graph.building_function


@contextmanager
def init_scope() -> Iterator[None]:
    """Leave the traces of functions, branches and loops: operations inside run immediately.

    If the outermost graph is built by hand, operations go to that graph. Control dependencies and
    name scopes of the trace do not apply inside. Attributes and items that are assigned inside
    stay assigned, also if the branch does not run.

    Returns: A context manager.

    >>> with init_scope():
    ...     executing_eagerly()
    True
    """
    graph = _by_hand()
    is_traced = STATE.graph is not None
    with before_statements() if is_traced else nullcontext(), recording(graph):
        if graph is None:
            yield
        else:
            with graph.control_dependencies(None):
                yield


def operation_to_ask_for() -> Operation | None:
    """Return the last operation of a graph built by hand, which runs only if a Session fetches it.

    Returns None elsewhere: eager code and function graphs run every operation with an effect.
    """
    graph: Graph | None = STATE.graph
    if graph is None or graph.building_function:
        return None
    return graph.operations[-1]


def creating_variables(
    created: Callable[[Any], None] | None,
) -> AbstractContextManager[None]:
    """Call `created` with each variable that this thread creates; None forbids creation."""
    return temporarily(creating=created)


@contextmanager
def control_dependencies(control_inputs: Iterable[Any] | None) -> Iterator[None]:
    """Make operations recorded inside run after `control_inputs`.

    In eager mode operations already run in program order; callables among the inputs are called.

    Args:
      control_inputs: tensors, operations or variables; None clears the dependencies of enclosing
        scopes.

    Returns: A context manager.

    Raises:
      TypeError: for any other element.
      ValueError: for an element of another graph.

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
    """A name scope: a prefix of the names of operations created inside.

    Args:
      name: the scope. A graph makes it unique (`layer`, `layer_1`). A name with a trailing slash
        re-enters that scope. An empty name leaves all scopes.

    Raises: ValueError if `name` is not a string or not a valid scope name.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     with tf.name_scope("layer") as scope:
    ...         y = tf.constant(1.0) + 2.0
    >>> scope, y.name
    ('layer/', 'layer/add:0')
    """

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[ExitStack] = []

    @property
    def name(self) -> str:
        """The name passed to the constructor."""
        return self._name

    def __enter__(self) -> str:
        stack = ExitStack()
        graph = STATE.graph
        scoped = _eager_scope(self._name) if graph is None else graph.name_scope(self._name)
        scope: str = stack.enter_context(scoped)
        self._entered.append(stack)
        return scope

    def __exit__(self, *details: object) -> None:
        self._entered.pop().close()


@contextmanager
def _eager_scope(name: str) -> Iterator[str]:
    scope = name if not name or name.endswith("/") else f"{STATE.scope}{name}/"
    with temporarily(scope=scope):
        yield scope


def current_scope() -> str:
    """Return the name-scope prefix of this thread, with a trailing slash.

    >>> with name_scope("layer"):
    ...     current_scope()
    'layer/'
    """
    graph: Graph | None = STATE.graph
    if graph is None:
        return STATE.scope
    return f"{graph.get_name_scope()}/" if graph.get_name_scope() else ""


def get_current_name_scope() -> str:
    """Return the name-scope prefix of this thread, without a trailing slash.

    >>> with name_scope("layer"):
    ...     get_current_name_scope()
    'layer'
    """
    return current_scope().removesuffix("/")


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Make every `function` run its Python code at each call, without a graph, for debugging.

    Args:
      run_eagerly: whether functions run eagerly.

    >>> run_functions_eagerly(True)
    >>> functions_run_eagerly()
    True
    >>> run_functions_eagerly(False)
    """
    SETTINGS.functions_run_eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """Return the last argument of `run_functions_eagerly`; False initially.

    >>> functions_run_eagerly()
    False
    """
    return SETTINGS.functions_run_eagerly


def enable_traceback_filtering() -> None:
    """Hide the frames of this package and of converted code in tracebacks (the default).

    >>> enable_traceback_filtering()
    """
    SETTINGS.tracebacks_filtered = True


def disable_traceback_filtering() -> None:
    """Show the frames of this package in tracebacks of errors that functions raise.

    >>> disable_traceback_filtering()
    >>> is_traceback_filtering_enabled()
    False
    >>> enable_traceback_filtering()
    """
    SETTINGS.tracebacks_filtered = False


def is_traceback_filtering_enabled() -> bool:
    """Return whether tracebacks of errors in functions show only frames of the program.

    >>> is_traceback_filtering_enabled()
    True
    """
    return SETTINGS.tracebacks_filtered


def _default_graph() -> Graph:
    """Return the default graph of the process, created on first use."""
    if SETTINGS.default_graph is None:
        SETTINGS.default_graph = Graph()
    return SETTINGS.default_graph


def get_default_graph() -> Graph:
    """Return the graph that this thread records; else the default graph of the process.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     get_default_graph() is graph
    True
    """
    graph: Graph | None = STATE.graph
    return _default_graph() if graph is None else graph


def reset_default_graph() -> None:
    """Replace the default graph of the process by an empty graph.

    Raises: AssertionError inside another graph.

    >>> first = get_default_graph()
    >>> reset_default_graph()
    >>> get_default_graph() is first
    False
    """
    graph: Graph | None = STATE.graph
    if graph is not None and graph is not SETTINGS.default_graph:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    SETTINGS.default_graph = None
    if graph is not None:
        disable_eager_execution()


def disable_eager_execution() -> None:
    """Record operations of all threads in the default graph, for a Session to run.

    Raises: AssertionError inside another graph.

    >>> import runtime as tf
    >>> tf.compat.v1.disable_eager_execution()
    >>> tf.constant(1.0) + 2.0
    <tf.Tensor 'add:0' shape=() dtype=float32>
    >>> tf.compat.v1.enable_eager_execution()
    >>> tf.compat.v1.reset_default_graph()
    """
    graph: Graph | None = STATE.graph
    if graph is not None and SETTINGS.default_graph not in (None, graph):
        raise AssertionError(
            "disable_eager_execution has to be called outside of graphs and functions."
        )
    STATE.graph = type(STATE).graph = _default_graph()
    type(STATE).direct = property(lambda state: None)  # precedes the values of all threads


def enable_eager_execution(
    config: object = None, device_policy: object = None, execution_mode: object = None
) -> None:
    """Run operations immediately again, in all threads.

    Args:
      config, device_policy, execution_mode: ignored.

    Raises: ValueError inside another graph.

    >>> enable_eager_execution()
    >>> import runtime as tf
    >>> tf.executing_eagerly()
    True
    """
    graph: Graph | None = STATE.graph
    if graph is not None and graph is not SETTINGS.default_graph:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    STATE.graph = type(STATE).graph = None
    type(STATE).direct = None


def require_graph(what: str) -> Graph:
    """Return the graph that this thread records. Raises RuntimeError in eager mode."""
    graph: Graph | None = STATE.graph
    if graph is None:
        raise RuntimeError(f"{what} is not compatible with eager execution.")
    return graph


def get_logger() -> logging.Logger:
    """Return the logger of the package.

    >>> get_logger().name
    'runtime'
    """
    return logging.getLogger("runtime")
