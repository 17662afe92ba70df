"""Programs of the users of JAX and PyTorch, counted by their outcome in each mode."""
