"""Graph-to-graph passes: one file each, semantics-preserving, each runnable alone."""
