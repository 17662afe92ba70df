"""Graphs in TensorFlow's format."""

from runtime.export import graphdef as _graphdef  # noqa: F401 - lets graphs describe themselves
from runtime.export.importing import import_graph_def as import_graph_def
from runtime.ops.base import gradient_shapes as _gradient_shapes  # noqa: F401 - graphs may hold it
