"""Values of staged code that are no tensors: their forms, joins and layouts; lists and dicts."""
