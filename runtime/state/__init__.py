"""State: variables, generators, tensor arrays, Sessions."""
