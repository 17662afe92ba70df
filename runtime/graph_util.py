"""Graphs in TensorFlow's format."""

from runtime.export import graphdef as _graphdef  # noqa: F401 - lets graphs describe themselves
from runtime.export.importing import import_graph_def as import_graph_def
from runtime.ops import formatting as _formatting  # noqa: F401 - an op type that graphs may hold
