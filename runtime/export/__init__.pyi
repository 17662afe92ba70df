from runtime.export.graphdef import graph_def as graph_def
