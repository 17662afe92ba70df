"""The default graph of the process, and running without eager execution."""

from __future__ import annotations

from runtime.core.graph import Graph
from runtime.core.thread import STATE


class _Default:
    """The default graph of the process, created on first use."""

    def __init__(self) -> None:
        self.graph: Graph | None = None

    def get(self) -> Graph:
        if self.graph is None:
            self.graph = Graph()
        return self.graph


_DEFAULT = _Default()


def get_default_graph() -> Graph:
    """Return the graph that this thread records; else the default graph of the process.

    >>> import runtime as tf
    >>> with tf.Graph().as_default() as graph:
    ...     get_default_graph() is graph
    True
    """
    graph: Graph | None = STATE.graph
    return _DEFAULT.get() if graph is None else graph


def reset_default_graph() -> None:
    """Replace the default graph of the process by an empty graph.

    Raises:
      AssertionError: inside another graph.

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
    """Record operations of all threads in the default graph, for a Session to run.

    Raises:
      AssertionError: inside another graph.

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
    config: object = None, device_policy: object = None, execution_mode: object = None
) -> None:
    """Run operations immediately again, in all threads.

    Args:
      config, device_policy, execution_mode: ignored.

    Raises:
      ValueError: inside another graph.

    >>> enable_eager_execution()
    >>> import runtime as tf
    >>> tf.executing_eagerly()
    True
    """
    graph: Graph | None = STATE.graph
    if graph is not None and graph is not _DEFAULT.graph:
        raise ValueError("tf.enable_eager_execution must be called at program startup.")
    STATE.graph = type(STATE).graph = None


disable_v2_behavior, enable_v2_behavior = disable_eager_execution, enable_eager_execution


def require_graph(what: str) -> Graph:
    """Return the graph that this thread records. Raises RuntimeError in eager mode."""
    graph: Graph | None = STATE.graph
    if graph is None:
        raise RuntimeError(f"{what} is not compatible with eager execution.")
    return graph
