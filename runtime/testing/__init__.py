"""`unittest` test cases for programs on tensors."""
