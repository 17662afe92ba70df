"""The intermediate representation: dtypes, shapes, tensors, operations, graphs, dispatch."""
