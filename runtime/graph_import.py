"""Reading graphs in TensorFlow's format, with every op type that they may name."""

import runtime.op_types  # noqa: F401 - a GraphDef names them
from runtime.export.importing import import_graph_def as import_graph_def
