"""Graphs as files."""

from __future__ import annotations

import os
from typing import Any

from runtime.export.text_format import MessageToString
from runtime.io import file_system


def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph in TensorFlow's format.

    Args:
      graph_or_graph_def: a `Graph` or a `GraphDef`.
      logdir: the directory, which is made if it is missing.
      name: the name of the file.
      as_text: whether it is text, not bytes.

    Returns: the path of the file.

    >>> import tempfile
    >>> import runtime as tf
    >>> with tempfile.TemporaryDirectory() as home:
    ...     path = tf.io.write_graph(tf.Graph(), home, "graph.pbtxt")
    ...     "versions" in tf.io.gfile.GFile(path).read()
    True
    """
    graph = graph_or_graph_def
    message = graph.as_graph_def() if hasattr(graph, "as_graph_def") else graph
    file_system.makedirs(logdir)
    path = os.path.join(logdir, name)
    data = MessageToString(message).encode() if as_text else message.SerializeToString()
    with file_system.opened(path, "wb") as file:
        file.write(data)
    return path
