"""Graphs in TensorFlow's format."""

import runtime.op_types  # noqa: F401 - a GraphDef names them
from runtime.export.importing import import_graph_def as import_graph_def
