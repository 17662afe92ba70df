"""The graph that a program builds when it names none, and running without eager execution."""

from __future__ import annotations

from typing import Any

from runtime.core.graph import Graph
from runtime.core.thread import STATE


class _Default:
    """The process's own graph, made when it is first asked for."""

    def __init__(self) -> None:
        self.graph: Graph | None = None

    def get(self) -> Graph:
        if self.graph is None:
            self.graph = Graph()
        return self.graph


_DEFAULT = _Default()


def get_default_graph() -> Graph:
    """The graph that is being recorded in this thread, else the graph of the process.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     get_default_graph() is graph
    True
    """
    graph: Graph | None = STATE.graph
    return _DEFAULT.get() if graph is None else graph


def reset_default_graph() -> None:
    """Gives the process another, empty graph.

    Raises: AssertionError inside another graph.

    >>> first = get_default_graph()
    >>> reset_default_graph()
    >>> get_default_graph() is first
    False
    """
    graph: Graph | None = STATE.graph
    if graph is not None and graph is not _DEFAULT.graph:
        raise AssertionError(
            "Do not use tf.reset_default_graph() to clear nested graphs. If you need a cleared "
            "graph, exit the nesting and create a new graph."
        )
    _DEFAULT.graph = None
    if graph is not None:
        disable_eager_execution()


def disable_eager_execution() -> None:
    """Records operations in the graph of the process, in all threads, until they are run.

    Raises: AssertionError inside another graph.

    >>> import runtime as tf
    >>> tf.compat.v1.disable_eager_execution()
    >>> tf.constant(1.0) + 2.0
    <tf.Tensor 'add:0' shape=() dtype=float32>
    >>> tf.compat.v1.enable_eager_execution()
    >>> tf.compat.v1.reset_default_graph()
    """
    graph: Graph | None = STATE.graph
    if graph is not None and _DEFAULT.graph not in (None, graph):
        raise AssertionError(
            "disable_eager_execution has to be called outside of graphs and functions."
        )
    STATE.graph = type(STATE).graph = _DEFAULT.get()


def enable_eager_execution(
    config: Any = None, device_policy: Any = None, execution_mode: Any = None
) -> None:
    """Runs operations at once again, in all threads.

    Args:
      config, device_policy, execution_mode: have no effect.

    Raises: ValueError inside another graph.

    >>> enable_eager_execution()
    >>> import runtime as tf
    >>> tf.executing_eagerly()
    True
    """
    graph: Graph | None = STATE.graph
    if graph is not None and graph is not _DEFAULT.graph:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    STATE.graph = type(STATE).graph = None


def disable_v2_behavior() -> None:
    """The same as `disable_eager_execution`: nothing else differs between the versions here.

    >>> import runtime as tf
    >>> tf.compat.v1.disable_v2_behavior()
    >>> tf.constant(1.0) + 2.0
    <tf.Tensor 'add:0' shape=() dtype=float32>
    >>> tf.compat.v1.enable_v2_behavior()
    >>> tf.compat.v1.reset_default_graph()
    """
    disable_eager_execution()


def enable_v2_behavior() -> None:
    """The same as `enable_eager_execution`: nothing else differs between the versions here.

    >>> enable_v2_behavior()
    >>> import runtime as tf
    >>> tf.executing_eagerly()
    True
    """
    enable_eager_execution()


def require_graph(what: str) -> Graph:
    """The graph that is being recorded. Raises RuntimeError if operations run at once."""
    graph: Graph | None = STATE.graph
    if graph is None:
        raise RuntimeError(f"{what} is not compatible with eager execution.")
    return graph
