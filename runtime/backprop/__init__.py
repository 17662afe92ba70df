"""Gradients: a walk back over what was computed, which knows no op by name; gradients of graphs."""
