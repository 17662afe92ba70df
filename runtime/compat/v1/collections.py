"""Collections of the default graph: its variables, losses, and values that a program adds."""

from __future__ import annotations

from typing import Any

from runtime.core.context import get_default_graph
from runtime.state.creation import GraphKeys


def add_to_collection(name: str, value: object) -> None:
    """Append a value to a collection of the default graph; see `Graph.add_to_collection`.

    Args:
      name: the name of the collection.
      value: any value.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     add_to_collection("rates", 0.1)
    ...     get_collection("rates")
    [0.1]
    """
    get_default_graph().add_to_collection(name, value)


def get_collection(key: str, scope: str | None = None) -> list[Any]:
    """Return a collection of the default graph; see `Graph.get_collection`.

    Args:
      key: the name of the collection.
      scope: a regular expression for the start of the names; None: all.

    Returns:
      A new list.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     get_collection("rates")
    []
    """
    return get_default_graph().get_collection(key, scope)


def get_collection_ref(key: str) -> list[Any]:
    """Return a collection of the default graph itself, not a copy.

    Args:
      key: the name of the collection.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     get_collection_ref("rates").append(0.1)
    ...     get_collection("rates")
    [0.1]
    """
    return get_default_graph().get_collection_ref(key)


def global_variables(scope: str | None = None) -> list[Any]:
    """Return the global variables of the default graph.

    Args:
      scope: a regular expression for the start of the names; None: all.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     global_variables()
    [<tf.Variable 'v:0' shape=() dtype=float32>]
    """
    return get_collection(GraphKeys.GLOBAL_VARIABLES, scope)


def local_variables(scope: str | None = None) -> list[Any]:
    """Return the local variables of the default graph.

    Args:
      scope: a regular expression for the start of the names; None: all.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.compat.v1.get_variable("v", [2], collections=[GraphKeys.LOCAL_VARIABLES])
    ...     local_variables()
    [<tf.Variable 'v:0' shape=(2,) dtype=float32>]
    """
    return get_collection(GraphKeys.LOCAL_VARIABLES, scope)


def trainable_variables(scope: str | None = None) -> list[Any]:
    """Return the trainable variables of the default graph.

    Args:
      scope: a regular expression for the start of the names; None: all.

    >>> import runtime as tf
    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0, name="v")
    ...     step = tf.Variable(0, name="step", trainable=False)
    ...     trainable_variables()
    [<tf.Variable 'v:0' shape=() dtype=float32>]
    """
    return get_collection(GraphKeys.TRAINABLE_VARIABLES, scope)
