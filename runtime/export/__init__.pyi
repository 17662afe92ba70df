from runtime.export.graphdef import attr as attr
from runtime.export.graphdef import graph_def as graph_def
from runtime.export.graphdef import node_def as node_def
from runtime.export.graphdef import op_def_of as op_def_of
from runtime.export.graphdef import optimized_graph_def as optimized_graph_def
from runtime.export.graphdef import versions as versions
