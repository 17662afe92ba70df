"""What a graph is made of: dtypes, shapes, tensors, operations, and where they are recorded."""
