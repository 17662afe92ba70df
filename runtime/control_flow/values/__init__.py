"""Values of staged code that are not tensors: their forms, joins and layouts; lists and dicts."""
