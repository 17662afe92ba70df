"""Gradients: a walk back over the operations of a graph, which knows no op by name."""
