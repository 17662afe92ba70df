"""What outlives one operation: variables, and arrays of tensors."""
