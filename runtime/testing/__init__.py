"""A test case that knows tensors, on `unittest`."""
